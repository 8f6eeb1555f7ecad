"""Joins what understanding needs: the rows of a case, its texts and pages, the model that the case has chosen."""

import shutil
import tempfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from types import TracebackType

from redwell.adapters.files.case_folder import CaseFolder
from redwell.adapters.json_schema.validation import wrong_in_answer, wrong_in_schema
from redwell.adapters.rapidfuzz_quotes.likest import likest
from redwell.adapters.sql.database import Database
from redwell.adapters.sql.migrations import version_of
from redwell.adapters.sql.schema_version import VERSION
from redwell.adapters.sql_understanding.sources import SqlSourceStore
from redwell.adapters.sql_understanding.store import SqlUnderstandingStore
from redwell.core.errors import UserError
from redwell.core.ids import uuid7
from redwell.core.search.request import CONTROL_NUMBER, Search, Sort
from redwell.core.understanding.models import ModelChoice
from redwell.core.understanding.schemas import DataSchema, read_schema
from redwell.load.texts import one_text
from redwell.ports.language_model import LanguageModel
from redwell.ports.review import ReviewStore
from redwell.ports.sources import SourceStore
from redwell.ports.understanding import UnderstandingStore
from redwell.runtime.bootstrap.cases.case_directory import Cases
from redwell.runtime.bootstrap.cases.case_notes import has_ledger
from redwell.runtime.bootstrap.cases.case_places import CasePlace, CasePlaces
from redwell.runtime.bootstrap.open_case import open_case
from redwell.runtime.bootstrap.open_ledger import open_ledger, open_rows_beside
from redwell.runtime.bootstrap.open_model import opened_model
from redwell.runtime.bootstrap.open_reader import Reader
from redwell.runtime.bootstrap.open_review import open_review
from redwell.runtime.bootstrap.services.host_identity import machine_name
from redwell.runtime.bootstrap.settings import Settings
from redwell.understand.pipeline import Document, Tools

_MOST_FOUND = 100_000
_AT_ONCE = 5_000


def open_understanding_store(place: CasePlace, settings: Settings) -> UnderstandingStore:
    """Of a case that was looked at before, and is of this release."""
    return SqlUnderstandingStore(open_rows_beside(place, settings), settings.understand_tries)


def open_source_store(place: CasePlace, settings: Settings) -> SourceStore:
    return SqlSourceStore(open_rows_beside(place, settings), settings.source_tries)


def has_open_understanding(folder: Path, settings: Settings) -> bool:
    """Asked without opening the case; one of another release has nothing for us."""
    if not has_ledger(folder):
        return False
    with closing(open_ledger(folder, settings)) as database:
        return has_understanding_in(database)


def has_understanding_in(database: Database) -> bool:
    with database.read() as tx:
        if version_of(tx) != VERSION:
            return False
    return SqlUnderstandingStore(database).has_work()


def checked_schema(text: str, name: str = "") -> DataSchema:
    """What a person wants to add. UserError says what is wrong with it."""
    schema = read_schema(text, name)
    if wrong := wrong_in_schema(schema.body):
        raise UserError(f"this is no JSON Schema: {wrong}")
    return schema


class UnderstoodCase:
    """An open case, for whoever turns its documents into data, or looks at these."""

    def __init__(self, home: Path, name: str, settings: Settings, *, bring_up_to_date: bool = False) -> None:
        self.home, self.settings = home, settings
        if bring_up_to_date:
            open_case(home, name, settings, create=False, guest=True).close()
        self._opened = ExitStack()
        places = CasePlaces(home, settings)
        try:
            self.place = places.find(name)
        finally:
            places.close()
        self.reader = self._opened.enter_context(Reader(self.place, settings))
        try:
            self.reader.rows.info()
            self.store: UnderstandingStore = open_understanding_store(self.place, settings)
            self._opened.callback(self.store.close)
            self.review: ReviewStore = open_review(self.place, settings)
            self._opened.callback(self.review.close)
        except BaseException:
            self._opened.close()
            raise

    @property
    def name(self) -> str:
        return self.reader.name

    @contextmanager
    def at_work(self) -> Iterator[tuple[str, Tools]]:
        """The name under which this process claims, and what it works with; the model is the one of the case."""
        choice = self.store.model()
        with self._alive() as worker, opened_model(choice, self.settings, self._scratch(worker)) as model:
            yield f"{machine_name()}/{worker}", self._tools(model, choice)

    def _scratch(self, worker: str) -> Path:
        """A case without a folder here has no room of its own."""
        return CaseFolder(self.place.folder).scratch_of(worker) if self.place.folder else Path(tempfile.gettempdir())

    @contextmanager
    def _alive(self) -> Iterator[str]:
        """With a sign of life; what dead ones here held is free."""
        worker = uuid7().hex
        folder = CaseFolder(self.place.folder) if self.place.folder else None
        life = folder.live_as(worker) if folder else None
        try:
            here = f"{machine_name()}/"
            if folder:
                self.store.free_dead(
                    lambda owner: owner.startswith(here) and not folder.is_alive(owner.removeprefix(here))
                )
            yield worker
        finally:
            if life:
                life.release(remove=True)
                shutil.rmtree(self._scratch(worker), ignore_errors=True)

    def _tools(self, model: LanguageModel | None, choice: ModelChoice) -> Tools:
        return Tools(
            store=self.store,
            document=self.document,
            words=self.reader.view.words,
            image=self.reader.view.image,
            likest=likest,
            wrong_in_answer=wrong_in_answer,
            found_by_query=self._found,
            model=model,
            choice=choice,
        )

    def document(self, exhibit: int) -> Document | None:
        row = self.reader.rows.some([exhibit]).get(exhibit)
        if row is None:
            return None
        names = {tag.id: tag.name for tag in self.review.tags()}
        tags = [names[each.tag] for each in self.review.taggings([exhibit])]
        return Document(exhibit=exhibit, row=row, text=one_text(row, self.reader.rows, self.reader.blobs), tags=tags)

    def _found(self, queries: Sequence[str]) -> Mapping[str, Collection[int]]:
        return {query: set(self.exhibits_found(query)) for query in queries}

    def exhibits_found(self, query: str) -> list[int]:
        keys, after = list[int](), None
        while True:
            wanted = Search(
                query=self.reader.understood(query),
                sort=Sort(CONTROL_NUMBER),
                limit=_AT_ONCE,
                after=after,
                snippets=False,
            )
            found = self.reader.index.search(wanted)
            keys += [hit.exhibit for hit in found.hits]
            after = found.after
            if after is None or len(keys) >= _MOST_FOUND:
                return keys

    def announce(self) -> None:
        """Workers learn that the case has something for them."""
        with closing(Cases(self.home, self.settings)) as cases:
            cases.announce(cases.folder_of(self.name))

    def close(self) -> None:
        self._opened.close()

    def __enter__(self) -> "UnderstoodCase":
        return self

    def __exit__(self, _kind: type[BaseException] | None, _error: object, _trace: TracebackType | None) -> None:
        self.close()
