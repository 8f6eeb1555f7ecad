"""Exhibits with everything known about them: the one query, and how its rows become typed values."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

import msgspec

from redwell.adapters.sql_reader.copies import Copies
from redwell.adapters.sql_reader.origins import Origins
from redwell.adapters.sql_reader.session import Row, Session
from redwell.core.artifacts import ArtifactKind
from redwell.core.case.numbers import MEMBER_MARK, number_in
from redwell.core.case.rows import Exhibit, Page, Wanted
from redwell.core.outcomes import Outcome
from redwell.core.reading import Problem
from redwell.core.work.transitions import Stage

# of a member of a suppressed family: the one of the family in front that has the same content, or that family's head
_COUNTERPART = f"""(SELECT o.id FROM exhibit f JOIN exhibit o ON o.number = f.number
    AND o.control > f.control || '{MEMBER_MARK}' AND o.control < f.control || '{chr(ord(MEMBER_MARK) + 1)}'
    WHERE f.id = h.copy_of AND o.document = e.document ORDER BY o.control LIMIT 1)"""
_ORIGINAL = f"""CASE WHEN h.copy_of IS NULL THEN NULL WHEN h.id = e.id THEN h.copy_of
    ELSE coalesce({_COUNTERPART}, h.copy_of) END"""
# where each field of an exhibit is; what has to be made of several follows
_FIELDS = {
    "id": "i.id",
    "uid": "i.uid",
    "parent": "CASE WHEN i.depth > 0 THEN i.parent END",
    "root": "coalesce(i.root, i.id)",
    "family": "e.family",
    "family_number": "coalesce(h.control, '')",
    "path": "i.path",
    "name": "i.name",
    "ordinal": "i.ordinal",
    "depth": "i.depth",
    "control_number": "coalesce(e.control, '')",  # empty: its load has not begun
    "batch": "i.batch",
    "custodian": "b.custodian",
    "duplicate_of": "s.id",
    "duplicate_number": "s.control",
    "thread": "(SELECT x.control FROM exhibit x WHERE x.thread = e.thread ORDER BY x.number, x.control LIMIT 1)",
    "inclusive": "e.inclusive",
    "near": "n.control",
    "near_score": "e.near_score",
    "document": "c.uid",
    "sha256": "c.sha256",
    "sha1": "c.sha1",
    "md5": "c.md5",
    "hash_kind": "c.hash_kind",
    "size": "i.size",
    "media_type": "d.media_type",
    "kind": "d.kind",
    "handler": "d.handler",
    "role": "i.role",
    "state": "i.state",
    "outcome": "coalesce(e.outcome, i.outcome)",
    "detail": "i.detail",
    "pages": "d.pages",
    "recognised": "coalesce(e.recognised, 0)",
    # a text that an overlay gave stands for all that was read and recognised
    "text": "coalesce(e.given_text, t.sha256)",
    "ocr": "CASE WHEN e.given_text IS NULL THEN e.ocr END",
    "text_chars": "coalesce(e.given_chars, e.text_chars, t.amount, 0)",
    # in order, so that PostgreSQL looks into the index (adapters.sql_exhibits.load_queue has why)
    "has_members": "(SELECT m.locator FROM ingestion m WHERE m.parent = i.id ORDER BY m.parent, m.locator LIMIT 1)"
    " IS NOT NULL",
    "source_dates": "i.dates",
    "folder": "coalesce((SELECT w.path FROM folder w WHERE w.id = e.folder), '')",
    "sort_date": "coalesce(e.sort_date, '')",
}
_BESIDE = {
    "number": "e.number",
    # of its file, which has its source as parent, and needs no look at another row
    "source_id": "coalesce((SELECT f.parent FROM ingestion f WHERE f.id = i.root), i.parent)",
    "problems": "i.problems",
    "shown_problems": "e.problems",
    "own_problems": "d.problems",
    "metadata": "i.metadata",
    "own_metadata": "d.metadata",
    "overlaid": "e.overlaid",
    "waits": "{waits}",
}
_NAMES = (*_FIELDS, *_BESIDE)
# The work on an exhibit's content. One that was cancelled stays as it was, whatever others do for theirs later.
_SELECT = f"""SELECT {", ".join((*_FIELDS.values(), *_BESIDE.values()))}
    FROM exhibit e JOIN ingestion i ON i.id = e.id LEFT JOIN exhibit h ON h.id = e.family
    LEFT JOIN exhibit s ON s.id = {_ORIGINAL}
    LEFT JOIN exhibit n ON n.id = e.near LEFT JOIN batch b ON b.id = i.batch
    LEFT JOIN document c ON c.id = i.document
    LEFT JOIN derivation d ON d.id = i.derivation AND coalesce(i.outcome, '') <> '{Outcome.CANCELLED}'
    LEFT JOIN artifact t ON t.derivation = d.id AND t.kind = '{ArtifactKind.TEXT}' AND t.number = 0"""
_EXHIBITS = _SELECT.format(waits="NULL") + " WHERE i.source = 0"
_PAGE = "AND (e.number, e.control) > (:number, :control){0} ORDER BY e.number, e.control LIMIT :limit"
# what had no number when the list came to its end: by ids, since a number may come while somebody turns the pages
_UNNUMBERED = "AND (e.number IS NULL OR e.number > :last) AND e.id > :key{0} ORDER BY e.id LIMIT :limit"
_LAST_NUMBER = "SELECT coalesce(max(number), 0) FROM exhibit"
_FILTERS = {"batch": " AND i.batch = :batch", "outcome": " AND coalesce(e.outcome, i.outcome) = :outcome"}
_TROUBLED = f""" AND (coalesce(e.outcome, i.outcome, '') NOT IN ('{Outcome.SUCCESS}', '{Outcome.FILTERED}')
    OR i.problems <> '[]' OR coalesce(e.problems, '[]') <> '[]' OR coalesce(d.problems, '[]') <> '[]')"""
_SOME = "AND e.id IN :keys"
_NUMBERED = "AND e.number IN :numbers AND e.control IN :controls"
# for verify: whether the index has still to see it
_FOR_INDEX = (
    _SELECT.format(waits="p.exhibit") + " LEFT JOIN load_pending p ON p.exhibit = i.id WHERE i.source = 0 ORDER BY i.id"
)
_BY_ID = "-"
_AT_ONCE = 500
UNREADABLE = (ValueError, TypeError, KeyError, AttributeError)  # what a row changed by hand may make of reading it

read_problems = msgspec.json.Decoder(list[Problem]).decode
_values = msgspec.json.Decoder(dict[str, Any]).decode
read_dates = msgspec.json.Decoder(dict[str, str]).decode


def page(session: Session, after: str | None, limit: int, wanted: Wanted, origins: Origins) -> Page:
    """Exhibits behind the cursor, in the order of their control numbers; behind them those that have none yet."""
    filters = {name: value for name in _FILTERS if (value := getattr(wanted, name)) is not None}
    more = "".join(_FILTERS[name] for name in filters) + (_TROUBLED if wanted.troubled else "")
    rows, unnumbered = list[dict[str, Any]](), _Unnumbered.of(after)
    if unnumbered is None:
        number, control = _place(after)
        query = f"{_EXHIBITS} {_PAGE.format(more)}"
        rows = _named(session.all(query, number=number, control=control, limit=limit, **filters))
        if len(rows) < limit:
            [(last,)] = session.all(_LAST_NUMBER)
            unnumbered = _Unnumbered(0, int(last))
    if unnumbered:
        query, place = f"{_EXHIBITS} {_UNNUMBERED.format(more)}", unnumbered._asdict()
        rows += _named(session.all(query, limit=limit - len(rows), **place, **filters))
    cursor = None
    if len(rows) == limit:
        here = f"{rows[-1]['number']} {rows[-1]['control_number']}"
        cursor = str(unnumbered._replace(key=rows[-1]["id"])) if unnumbered else here
    return Page(_exhibits(session, rows, origins), cursor)


def _named(rows: Iterable[Row]) -> list[dict[str, Any]]:
    return [dict(zip(_NAMES, row, strict=True)) for row in rows]


class _Unnumbered(NamedTuple):
    """A place in the list behind all numbers: an id, and the last number that there was."""

    key: int
    last: int

    def __str__(self) -> str:
        return f"{_BY_ID} {self.key} {self.last}"

    @classmethod
    def of(cls, cursor: str | None) -> "_Unnumbered | None":
        begin, *rest = (cursor or "").split(" ")
        if begin != _BY_ID:
            return None
        key, last = map(int, rest)
        return cls(key, last)


def _place(cursor: str | None) -> tuple[int, str]:
    number, _, control = (cursor or "0 ").partition(" ")
    return int(number), control


def some(session: Session, keys: Sequence[int], origins: Origins) -> list[Exhibit]:
    return _exhibits(session, _named(session.all(f"{_EXHIBITS} {_SOME}", keys=list(keys))), origins)


def numbered(session: Session, controls: Sequence[str], origins: Origins) -> list[Exhibit]:
    numbers = sorted({number for control in controls if (number := number_in(control)) is not None})
    if not numbers:
        return []
    rows = session.all(f"{_EXHIBITS} {_NUMBERED}", numbers=numbers, controls=list(controls))
    return _exhibits(session, _named(rows), origins)


def for_index(session: Session) -> Iterator[tuple[int, bool, Exhibit | None]]:
    """Every exhibit by id: whether the index must have it, and what is known of it if that can be read."""
    rows = iter(session.stream(_FOR_INDEX))
    while some := _named(islice(rows, _AT_ONCE)):
        copies = Copies(session, [row["id"] for row in some])
        for values in some:
            key, is_done = values["id"], values["state"] == Stage.DONE
            wanted = is_done and values["waits"] is None and values["number"] is not None
            try:
                known = _exhibit(values, copies, "")
            except UNREADABLE:
                known = None
            yield key, wanted, known


def _exhibits(session: Session, rows: Sequence[dict[str, Any]], origins: Origins) -> list[Exhibit]:
    origins.learn(session, rows)
    copies = Copies(session, [row["id"] for row in rows])
    return [_exhibit(row, copies, origins.sources[row["source_id"]]) for row in rows]


def _exhibit(row: dict[str, Any], copies: Copies, source: str) -> Exhibit:
    """Takes what stands beside the fields out of the row."""
    del row["number"], row["source_id"], row["waits"]
    read, shown = joined_problems(row["problems"], row.pop("own_problems")), row.pop("shown_problems")
    row["problems"] = read if shown is None else read_problems(shown)
    row["has_members"] = bool(row["has_members"])
    row["inclusive"] = None if row["inclusive"] is None else bool(row["inclusive"])
    row["metadata"] = joined_metadata(row["metadata"], row.pop("own_metadata"), row.pop("overlaid"))
    row["custodian"] = custodian_of(row["metadata"], row["custodian"])
    row["source_dates"] = _values(row["source_dates"])
    return Exhibit(**row, **copies.told_of(row), source=source)


def custodian_of(metadata: Mapping[str, Any], of_batch: str | None) -> str | None:
    """Whom a record of a load file names; else whose data the batch is."""
    own = metadata.get("custodian")
    return own if isinstance(own, str) and own else of_batch


def joined_problems(of_occurrence: str, own: str | None) -> list[Problem]:
    found = read_problems(own) if own and own != "[]" else []
    return found if of_occurrence == "[]" else found + read_problems(of_occurrence)


def joined_metadata(of_occurrence: str, own: str | None, overlaid: str | None = None) -> dict[str, Any]:
    """What the container says of the exhibit, over it what its content says of itself, over both what overlays say."""
    metadata: dict[str, Any] = _values(own or "{}")
    if of_occurrence != "{}":
        metadata = {**_values(of_occurrence), **metadata}
    if overlaid is None:
        return metadata
    over = _values(overlaid)
    return {name: value for name, value in (metadata | over).items() if value is not None or name not in over}
