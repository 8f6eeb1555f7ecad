"""Opens a case for whoever only looks: nothing is written, no lock is taken, no worker is counted (ADR 23).

Rows, bytes and index are opened when they are first asked for, so it costs little to open one and to keep it.
"""

import unicodedata
from collections.abc import Iterator
from contextlib import ExitStack, closing
from datetime import tzinfo
from functools import cached_property
from pathlib import Path
from threading import RLock
from types import TracebackType
from typing import TYPE_CHECKING

from redwell.adapters.files.case_folder import CaseFolder
from redwell.adapters.sql_reader.case_reader import SqlCaseReader
from redwell.adapters.sql_reader.session import ReadOnlyDatabase
from redwell.adapters.sqlite.read_only import SqliteFile
from redwell.core.case.rows import CaseInfo
from redwell.core.case.timezone import zone
from redwell.core.errors import UserError
from redwell.core.jobs.job import WorkerRow
from redwell.ports.blob_store import BlobReader
from redwell.ports.case_reader import CaseReader
from redwell.ports.viewing.view import View
from redwell.review.artifact_view import ArtifactView
from redwell.runtime.bootstrap.cases.case_notes import LEDGER_FILE, Note
from redwell.runtime.bootstrap.cases.case_places import CasePlace, CasePlaces, require_folder, unmade
from redwell.runtime.bootstrap.cases.transfer_notes import require_arrived
from redwell.runtime.bootstrap.open_blobs import open_blob_reader
from redwell.runtime.bootstrap.services.host_identity import is_elsewhere
from redwell.runtime.bootstrap.settings import Settings
from redwell.runtime.bootstrap.vendors import checked_url, postgres_adapter

if TYPE_CHECKING:  # whoever searches imports it; most looks do not
    from redwell.core.search.query import Node
    from redwell.core.search.stems import Stems
    from redwell.ports.search_index import SearchReader


class Reader:
    """An open case that can only be looked at; safe to keep, and to use from several threads."""

    def __init__(self, place: CasePlace, settings: Settings) -> None:
        self.place, self._settings = place, settings
        self._opened = ExitStack()
        self._opening = RLock()
        database = open_rows(place.folder, place.note, settings.database_reader or settings.database)
        self.rows: CaseReader = SqlCaseReader(database)
        self.view: View = ArtifactView(self.rows, lambda: self.blobs)
        self._opened.callback(self.rows.close)

    @property
    def name(self) -> str:
        return self.place.name

    @property
    def number(self) -> int:
        """The same wherever the case is worked on."""
        return self.place.number

    @property
    def blobs(self) -> BlobReader:
        with self._opening:
            return self._blobs

    @property
    def index(self) -> "SearchReader":
        """An embedded one is on the machine that keeps the case, and nowhere else."""
        with self._opening:
            return self._index

    @cached_property
    def zone(self) -> tzinfo:
        """In which the case's days begin and end."""
        return zone(self.rows.info().timezone)

    @cached_property
    def stems(self) -> "Stems":
        from redwell.adapters.snowball.stems import SnowballStems  # 35 languages, which few looks need

        return SnowballStems()

    def understood(self, query: str) -> "Node":
        """The tree of a reviewer's query, with dates of the case's time zone."""
        from redwell.core.search.query_parser import parse

        return parse(query, self.zone, self.stems)

    def require_kept_here(self, info: CaseInfo) -> None:
        """Who needs the index; one that is nobody's own is everywhere."""
        from redwell.runtime.bootstrap.open_index import is_shared

        if not is_shared(self._settings) and (keeper := _keeper(self.place, info)):
            raise UserError(kept_elsewhere(self.name, keeper))

    def state_of(self, worker: WorkerRow) -> str:
        return state_of(worker, self.place.folder)

    @cached_property
    def _blobs(self) -> BlobReader:
        blobs = open_blob_reader(self.place.folder, self.place.blobs, self._settings)
        self._opened.callback(blobs.close)
        return blobs

    @cached_property
    def _index(self) -> "SearchReader":
        from redwell.review.row_search import RowSearch, lookup_in
        from redwell.runtime.bootstrap.open_index import Indexed, open_index_reader

        info = self.rows.info()
        self.require_kept_here(info)
        folder = CaseFolder(self.place.folder).index if self.place.folder else None
        indexed = Indexed(case=info.uid, folder=folder, rows=self.rows, blobs=self.blobs)
        engine = open_index_reader(self._settings, indexed, self.stems)
        index = RowSearch(engine, lookup_in(self.rows))
        self._opened.callback(index.close)
        return index

    def close(self) -> None:
        self._opened.close()

    def __enter__(self) -> "Reader":
        return self

    def __exit__(self, _kind: type[BaseException] | None, _error: object, _trace: TracebackType | None) -> None:
        self.close()


def open_reader(home: Path, name: str, settings: Settings) -> Reader:
    """A case by its name. UserError where another release made it; the text says what to do."""
    with closing(CasePlaces(home, settings)) as places:
        place = places.find(checked_name(name))
    if place.folder:
        require_folder(place.folder, place.name)
        require_arrived(place.folder, place.name)
    reader = Reader(place, settings)
    try:
        if not reader.rows.is_made():
            raise unmade(name)
        reader.rows.info()
    except BaseException:
        reader.close()
        raise
    return reader


def open_readers(home: Path, settings: Settings, only: str | None = None) -> Iterator[Reader]:
    """Each case, or one; opened one after the other. One that is in the making is left out."""
    with closing(CasePlaces(home, settings)) as places:
        chosen = list(places.all()) if only is None else [places.find(checked_name(only))]
    for place in chosen:
        with Reader(place, settings) as reader:
            if reader.rows.is_made():
                reader.rows.info()
                yield reader


def open_rows(folder: Path | None, note: Note | None, url: str) -> ReadOnlyDatabase:
    if note is None:
        assert folder is not None, "a case without a note is a folder"
        return SqliteFile(folder / LEDGER_FILE)
    rows: ReadOnlyDatabase = postgres_adapter("read_only").PostgresSchema(checked_url(url, note), note.schema)
    return rows


def checked_name(name: str) -> str:
    name = unicodedata.normalize("NFC", name).strip()
    if not name or len(name) > 200 or any(unicodedata.category(c) in {"Cc", "Cs"} for c in name):
        raise UserError("a case name has 1 to 200 characters and no control characters")
    return name


def state_of(worker: WorkerRow, folder: Path | None) -> str:
    """Here a lock tells; elsewhere only somebody who watches for a while."""
    if folder is None or is_elsewhere(worker, folder):
        return "elsewhere"
    return "alive" if CaseFolder(folder).looks_alive(worker.id) else "dead"


def kept_elsewhere(name: str, keeper: str) -> str:
    return f"case {name!r} is kept on {keeper}, which has its index and its sources: run this there"


def _keeper(place: CasePlace, info: CaseInfo) -> str:
    """Of a case that is shared the rows have the last word: another machine may have taken it over since."""
    if place.note is None or not place.is_shared:
        return ""
    is_ours = not place.note.keeper and place.note.keeping == info.keeping
    return info.keeper if info.keeper and not is_ours else place.note.keeper
