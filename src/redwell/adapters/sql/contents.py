"""Documents, blobs and derivations: rows that exist once per content, whoever asks first."""

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, select

from redwell.adapters.sql.lists import among, among_hashes, as_hashes, as_list
from redwell.adapters.sql.row_seals import DERIVATION, derivation_seal, document_seal
from redwell.adapters.sql.schema import blob, derivation, document
from redwell.adapters.sql.statements import Prepared, as_json, insert_rows, problems_json
from redwell.core.blobs import Location, Stored
from redwell.core.handler import HashKind
from redwell.core.ids import uuid7_bytes
from redwell.core.lanes import Lane
from redwell.core.ledger import Work
from redwell.core.media import name_hint
from redwell.core.records import Reading


@dataclass(frozen=True)
class Recipe:
    """What a derivation's key says besides the content: which engine, which settings."""

    engine_of: Callable[[], str]  # takes a while to find out, and who only looks never asks
    settings: str
    large_bytes: int

    @cached_property
    def engine(self) -> str:
        return self.engine_of()

    def lane(self, size: int) -> Lane:
        return Lane.LARGE if size > self.large_bytes else Lane.SMALL


Key = tuple[int, str]  # document and context: what tells one work of a recipe from another


class Ending(NamedTuple):
    """How the work on a content ended that has no members."""

    outcome: str
    detail: str
    media_type: str | None


@dataclass(frozen=True, slots=True)
class Derivations:
    """The id of each work, which of these have something to settle already, and what of those needs no more."""

    ids: dict[Key, int]
    ahead: set[int]
    endings: dict[int, Ending]


_BLOBS = Prepared(select(blob).where(among_hashes(blob.c.sha256)))
_DOCUMENTS = Prepared(select(document.c.sha256, document.c.id).where(among_hashes(document.c.sha256)))
_ADD_BLOB = Prepared(insert_rows(blob, blob.c.keys()).on_conflict_do_nothing())
_new_document = insert_rows(document, ("uid", "sha256", "sha1", "md5", "size", "hash_kind", "seal"))
_ADD_DOCUMENT = Prepared(
    _new_document.on_conflict_do_update(  # whoever comes first: bytes that lie somewhere are not synthetic
        index_elements=["sha256"],
        set_={"hash_kind": _new_document.excluded.hash_kind},
        where=_new_document.excluded.hash_kind < document.c.hash_kind,  # "bytes" comes before "synthetic"
    )
)
_ADD_DERIVATION = Prepared(
    insert_rows(derivation, ("document", "engine", "settings", "context", "lane", "batch")).on_conflict_do_nothing()
)
_ADD_READ = Prepared(insert_rows(derivation, (*DERIVATION, "lane", "batch", "state", "seal")).on_conflict_do_nothing())
_DERIVATIONS = Prepared(
    select(
        *(derivation.c[c] for c in ("document", "context", "id", "state", "members", "seal")),
        *(derivation.c[c] for c in Ending._fields),
    ).where(
        among(derivation.c.document, "documents"),
        derivation.c.engine == bindparam("engine"),
        derivation.c.settings == bindparam("settings"),
    )
)


def known_blobs(tx: Connection, sha256s: Sequence[bytes]) -> dict[bytes, Location]:
    rows = _BLOBS.all(tx, **as_hashes(sha256s))
    return {sha256: Location(pack, offset, length) for sha256, pack, offset, length in rows}


def add_blobs(tx: Connection, stored: Iterable[Stored]) -> None:
    rows = [
        {
            "sha256": s.digests.sha256,
            "pack": s.location.pack,
            "offset": s.location.offset,
            "length": s.location.length,
        }
        for s in stored
    ]
    _ADD_BLOB.many(tx, rows)


def add_documents(tx: Connection, stored: Sequence[Stored], synthetic: Set[bytes] = frozenset()) -> dict[bytes, int]:
    """Upsert documents by content; the id of each SHA-256. Those in `synthetic` were composed by a handler."""
    if not stored:
        return {}
    add_blobs(tx, stored)
    _ADD_DOCUMENT.many(
        tx, [_document_row(s, "synthetic" if s.digests.sha256 in synthetic else "bytes") for s in stored]
    )
    return dict(_DOCUMENTS.all(tx, **as_hashes([s.digests.sha256 for s in stored])))


def _document_row(stored: Stored, hash_kind: HashKind) -> dict[str, Any]:
    digests = stored.digests
    row: dict[str, Any] = {
        "uid": uuid7_bytes(),
        "sha256": digests.sha256,
        "sha1": digests.sha1,
        "md5": digests.md5,
        "size": stored.size,
        "hash_kind": hash_kind,
    }
    row["seal"] = document_seal(row)
    return row


def context_of(name: str) -> str:
    """The part of a name that may decide how its content is read."""
    return name_hint(name)


def add_derivations(
    tx: Connection, wanted: Sequence[tuple[int, str, int, int]], recipe: Recipe, readings: Mapping[Key, Reading]
) -> Derivations:
    """Upsert the derivation of each (document, context, size) for the batch that comes with it.

    One that nobody has asked for yet, and that a child has read already, is done from the start.
    """
    found = Derivations({}, set(), {})
    if not wanted:
        return found
    shared = {"engine": recipe.engine, "settings": recipe.settings}
    rows: list[dict[str, Any]] = [
        {**shared, "document": key, "context": context, "lane": recipe.lane(size).value, "batch": batch}
        for key, context, size, batch in wanted
    ]
    _ADD_DERIVATION.many(tx, [row for row in rows if (row["document"], row["context"]) not in readings])
    read = _add_read(tx, [(row, r) for row in rows if (r := readings.get((row["document"], row["context"])))])
    documents = as_list({key for key, *_ in wanted})
    taken = list[Stored]()
    for key, context, work, state, members, seal, *ending in _DERIVATIONS.all(tx, documents=documents, **shared):
        found.ids[key, context] = work
        if members or state == Work.DONE:
            found.ahead.add(work)
        if state == Work.DONE and not members:
            found.endings[work] = Ending(*ending)
        if text := read.get(seal):
            taken.append(text)
    add_blobs(tx, taken)
    return found


def _add_read(tx: Connection, read: Sequence[tuple[dict[str, Any], Reading]]) -> dict[bytes, Stored | None]:
    """The text of each by its seal: it is kept only where the row that is there then says the same."""
    rows = [{**row, "state": Work.DONE.value, "generation": 1, "members": 0, **told(reading)} for row, reading in read]
    for row in rows:
        row["seal"] = derivation_seal(row)
    _ADD_READ.many(tx, rows)
    return {row["seal"]: reading.text for row, (_, reading) in zip(rows, read, strict=True)}


def told(reading: Reading) -> dict[str, Any]:
    """What a derivation says of its content."""
    return {
        "outcome": reading.outcome.value,
        "detail": reading.detail,
        "media_type": reading.media_type,
        "kind": reading.kind,
        "handler": reading.handler,
        "text": reading.text.digests.sha256 if reading.text else None,
        "text_chars": reading.text_chars,
        "pages": reading.pages,
        "container": int(reading.container),
        "declared": reading.declared,
        "metadata": as_json(reading.metadata) if reading.metadata else "{}",
        "problems": problems_json(reading.problems),
    }
