"""Documents and the work on them: rows that exist once per content, whoever asks first."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, func, select

from redwell.adapters.sql.list_parameters import among, among_hashes, as_hashes, as_list
from redwell.adapters.sql.prepared import Prepared, as_json, constant, insert_rows
from redwell.adapters.sql.tables import derivation, document
from redwell.adapters.sql_ledger.artifacts import add_artifacts
from redwell.adapters.sql_ledger.blob_rows import add_blobs
from redwell.adapters.sql_ledger.seals import DERIVATION, derivation_seal, document_seal
from redwell.core.blobs import Stored
from redwell.core.case.exhibit_outcome import Ending
from redwell.core.handler import HashKind
from redwell.core.ids import uuid7_bytes
from redwell.core.reading import Reading, fields_of
from redwell.core.type_hints import name_hint
from redwell.core.work.kinds import Profile, Purpose, TaskType
from redwell.core.work.recipe import READ_ENGINE, Recipe
from redwell.core.work.records import Derived
from redwell.core.work.transitions import Work

Key = tuple[int, str]  # document and context: what tells one reading of a recipe from another


@dataclass(frozen=True, slots=True)
class Derivations:
    """The id of each work, which of these have something to settle already, and what of those needs no more."""

    ids: dict[Key, int]
    ahead: set[int]
    endings: dict[int, Ending]


_DOCUMENTS = Prepared(select(document.c.sha256, document.c.id).where(among_hashes(document.c.sha256)))
_new_document = insert_rows(document, ("uid", "sha256", "sha1", "md5", "size", "hash_kind", "seal"))
_ADD_DOCUMENT = Prepared(
    _new_document.on_conflict_do_update(  # whoever comes first: bytes that lie somewhere are not synthetic
        index_elements=["sha256"],
        set_={"hash_kind": _new_document.excluded.hash_kind},
        where=_new_document.excluded.hash_kind < document.c.hash_kind,  # "bytes" comes before "synthetic"
    )
)
WORK = ("document", "purpose", "task", "input", "engine", "settings", "context", "profile", "lane", "batch")
ADD_WORK = Prepared(insert_rows(derivation, WORK).on_conflict_do_nothing())
_ADD_READ = Prepared(
    insert_rows(derivation, (*DERIVATION, "profile", "lane", "batch", "state", "seal")).on_conflict_do_nothing()
)
_NEWEST = Prepared(select(func.coalesce(func.max(derivation.c.id), constant(0))))
_READINGS = Prepared(
    select(
        *(derivation.c[c] for c in ("document", "context", "id", "state", "members")),
        *(derivation.c[c] for c in Ending._fields),
    ).where(
        among(derivation.c.document, "documents"),
        derivation.c.purpose == constant(Purpose.READ),
        derivation.c.engine == constant(READ_ENGINE),
        derivation.c.settings == bindparam("settings"),
    )
)


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


class Wanted(NamedTuple):
    """A reading that a batch asks for."""

    document: int
    context: str
    size: int
    batch: int
    task: TaskType = TaskType.EXTRACT_TEXT  # until somebody has looked


def add_readings(tx: Connection, wanted: Sequence[Wanted], recipe: Recipe, read: Mapping[Key, Derived]) -> Derivations:
    """Upsert the reading of each (document, context, size) for the batch that comes with it.

    One that nobody has asked for yet, and that a child has `read` already, is done from the start.
    """
    found = Derivations({}, set(), {})
    if not wanted:
        return found
    rows = [_reading_row(each, recipe) for each in wanted]
    ADD_WORK.many(tx, [row for row in rows if (row["document"], row["context"]) not in read])
    newest = _add_read(tx, [(row, r) for row in rows if (r := read.get((row["document"], row["context"])))])
    documents, new = as_list({key for key, *_ in wanted}), list[tuple[int, Derived]]()
    for key, context, work, state, members, *ending in _READINGS.all(tx, documents=documents, settings=recipe.settings):
        found.ids[key, context] = work
        if members or state == Work.DONE:
            found.ahead.add(work)
        if state == Work.DONE and not members:
            found.endings[work] = Ending(*ending)
        if newest is not None and work > newest and (derived := read.get((key, context))):
            new.append((work, derived))
    add_artifacts(tx, [(work, made) for work, derived in new for made in derived.artifacts])
    return found


def _reading_row(wanted: Wanted, recipe: Recipe) -> dict[str, Any]:
    return {
        "document": wanted.document,
        "purpose": Purpose.READ.value,
        "task": wanted.task.value,
        "input": None,
        "engine": READ_ENGINE,
        "settings": recipe.settings,
        "context": wanted.context,
        "profile": Profile.PARSER.value,
        "lane": recipe.lane(wanted.size, wanted.task).value,
        "batch": wanted.batch,
    }


def _add_read(tx: Connection, read: Sequence[tuple[dict[str, Any], Derived]]) -> int | None:
    """The id of the last work before these, if any: what is above it is new, what is not was there before."""
    if not read:
        return None
    [(newest,)] = _NEWEST.all(tx)
    rows = [{**row, "state": Work.DONE.value, "generation": 1, "members": 0, **told(reading)} for row, reading in read]
    for row in rows:
        row["seal"] = derivation_seal(row)
    _ADD_READ.many(tx, rows)
    return int(newest)


def told(reading: Reading) -> dict[str, Any]:
    """What a derivation says of its content, a column for each field."""
    row = fields_of(reading)
    row["outcome"] = reading.outcome.value
    row["container"] = int(reading.container)
    row["metadata"] = as_json(reading.metadata) if reading.metadata else "{}"
    row["problems"] = as_json(reading.problems) if reading.problems else "[]"
    return row
