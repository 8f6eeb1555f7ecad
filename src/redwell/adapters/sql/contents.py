"""Documents, blobs and derivations: rows that exist once per content, whoever asks first."""

from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sqlalchemy import Connection, bindparam, select

from redwell.adapters.sql.lists import among, among_hashes, as_hashes, as_list
from redwell.adapters.sql.row_seals import document_seal
from redwell.adapters.sql.schema import blob, derivation, document
from redwell.adapters.sql.statements import Prepared, insert_rows
from redwell.core.blobs import Location, Stored
from redwell.core.handler import HashKind
from redwell.core.ids import uuid7_bytes
from redwell.core.lanes import Lane
from redwell.core.ledger import Work
from redwell.core.media import name_hint


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


@dataclass(frozen=True, slots=True)
class Derivations:
    """The id of each (document, context), and which of these have something to settle already."""

    ids: dict[tuple[int, str], int]
    ahead: set[int]


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
_DERIVATIONS = Prepared(
    select(
        derivation.c.document, derivation.c.context, derivation.c.id, derivation.c.state, derivation.c.members
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


def add_derivations(tx: Connection, wanted: Sequence[tuple[int, str, int, int]], recipe: Recipe) -> Derivations:
    """Upsert the derivation of each (document, context, size) for the batch that comes with it."""
    found = Derivations({}, set())
    if not wanted:
        return found
    shared = {"engine": recipe.engine, "settings": recipe.settings}
    rows = [
        {**shared, "document": key, "context": context, "lane": recipe.lane(size).value, "batch": batch}
        for key, context, size, batch in wanted
    ]
    _ADD_DERIVATION.many(tx, rows)
    documents = as_list({key for key, *_ in wanted})
    for key, context, work, state, members in _DERIVATIONS.all(tx, documents=documents, **shared):
        found.ids[key, context] = work
        if members or state == Work.DONE:
            found.ahead.add(work)
    return found
