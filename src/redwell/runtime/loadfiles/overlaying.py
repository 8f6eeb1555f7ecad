"""Applies an overlay: rows of a load file to fields and texts of exhibits by id. Called by the command line.

The load file is read in this process, as `loadfile lint` reads it (ADR 35, 58): nothing but text is looked at. Killed
on the way, the same overlay goes on where it was: what is so already is not changed.
"""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from redwell.core.case.rows import Exhibit
from redwell.core.errors import BadInput, UserError
from redwell.core.loadfiles.overlay import NewValue, OverlayFile, OverlayRow, new_values
from redwell.core.loadfiles.records.record_files import LoadFile
from redwell.ports.case_reader import CaseReader
from redwell.ports.overlays import OverlayStore
from redwell.runtime.loadfiles.opened import Given, OpenedLoadFile
from redwell.runtime.loadfiles.overlay_texts import Keeping, OverlayTexts
from redwell.runtime.loadfiles.volume import load_files

_AT_ONCE = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    source: Path
    who: str
    mapping: dict[str, Any] | None = None
    clears: bool = False  # an empty value empties the field
    preview: bool = False


@dataclass(slots=True)
class Account:
    """What became of the rows: each is changed, unchanged, or named as one that changes nothing."""

    overlay: int = 0
    rows: int = 0
    documents: int = 0
    values: int = 0
    unchanged: int = 0
    left_out: list[str] = field(default_factory=list)
    refused: list[tuple[int, str, str]] = field(default_factory=list)  # row, id, why

    @property
    def counts(self) -> dict[str, int]:
        names = ("rows", "documents", "values", "unchanged")
        return {**{name: getattr(self, name) for name in names}, "refused": len(self.refused)}


Told = Callable[[Exhibit, Sequence[NewValue]], None]


def overlay_file(place: Path) -> Path:
    """The one load file with records that a place is or has."""
    found = [place] if place.is_file() else [path for path in load_files(place) if _has_records(path)]
    if len(found) != 1:
        raise UserError(f"{place} has {len(found)} load files with records: name the one that is the overlay")
    return found[0]


def _has_records(path: Path) -> bool:
    return path.suffix.lower() not in (".opt", ".lfp")


def apply_overlay(keeping: Keeping, store: OverlayStore, request: Request, tell: Told) -> Account:
    """Row by row in the order of the file; of two rows with one id the second is refused."""
    opened = OpenedLoadFile(overlay_file(request.source), Given())
    file = LoadFile(opened.path.name, opened.chunks, request.mapping)
    if request.mapping is not None and not file.fits():
        raise UserError(f"the mapping does not fit {opened.path.name}: `redwell loadfile map` writes one for it")
    overlay = OverlayFile(file, clears=request.clears)
    account = Account(left_out=overlay.left_out)
    known = _Known(keeping.rows, store)
    texts = OverlayTexts(opened.path, keeping, preview=request.preview)
    reading = iter(overlay)
    while some := list(islice(reading, _AT_ONCE)):
        changes = _changes(known.find(some, account), texts, account, tell)
        if changes and not request.preview:
            account.overlay = account.overlay or store.begin(opened.path.name, _digest(opened), request.who)
            store.apply(account.overlay, changes, request.who, texts.kept())
    if account.overlay:
        store.finish(account.overlay, account.counts, request.who)
    return account


def _digest(opened: OpenedLoadFile) -> str:
    digest = hashlib.sha256()
    for chunk in opened.chunks():
        digest.update(chunk)
    return digest.hexdigest()


def _changes(
    found: Iterator[tuple[OverlayRow, Exhibit]], texts: OverlayTexts, account: Account, tell: Told
) -> dict[int, list[NewValue]]:
    """A row whose text can't be had changes nothing, its fields included: it is refused as a whole."""
    changes: dict[int, list[NewValue]] = {}
    for row, exhibit in found:
        try:
            values = texts.change(exhibit, row.text) if row.text else []
        except BadInput as error:
            account.refused.append((row.row, row.id, str(error)))
            continue
        values = new_values(exhibit.metadata, row.values) + values
        if values:
            changes[exhibit.id] = values
            tell(exhibit, values)
        account.documents += bool(values)
        account.unchanged += not values
        account.values += len(values)
    return changes


class _Known:
    """Exhibits by the ids that load files gave them, else by their control numbers."""

    def __init__(self, rows: CaseReader, store: OverlayStore) -> None:
        self._rows = rows
        self._by_id: dict[str, int] = {}
        self._by_number: dict[str, int] = {}
        self._twice: set[str] = set()
        self._seen: set[int] = set()
        for key, record_id, begin in store.record_ids():
            self._note(self._by_id, record_id, key)
            self._note(self._by_number, begin, key)

    def _note(self, known: dict[str, int], name: str, key: int) -> None:
        folded = name.casefold()
        if folded and known.setdefault(folded, key) != key:
            self._twice.add(folded)

    def find(self, rows: Sequence[OverlayRow], account: Account) -> Iterator[tuple[OverlayRow, Exhibit]]:
        controls = self._rows.numbered([row.id for row in rows if row.id])
        keys = {row.row: self._key(row.id, controls) for row in rows}
        wanted = [key for key in keys.values() if key is not None]
        exhibits = self._rows.some(wanted) if wanted else {}
        for row in rows:
            account.rows += 1
            exhibit = exhibits.get(keys[row.row] or 0)
            if why := self._against(row, exhibit):
                account.refused.append((row.row, row.id, why))
            elif exhibit is not None:
                self._seen.add(exhibit.id)
                yield row, exhibit

    def _key(self, name: str, controls: dict[str, Exhibit]) -> int | None:
        folded = name.casefold()
        found = self._by_id.get(folded, self._by_number.get(folded))
        return found if found is not None else controls[name].id if name in controls else None

    def _against(self, row: OverlayRow, exhibit: Exhibit | None) -> str:
        if not row.id:
            return "the row has no id"
        if row.id.casefold() in self._twice:
            return "several documents have this id"
        if exhibit is None:
            return "no document has this id"
        if row.troubles:
            return row.troubles[0]
        return "another row has the same id" if exhibit.id in self._seen else ""
