"""The queue of the load: exhibits that ended, or changed since, and whose load is not complete as they are now."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, bindparam, delete, func, literal_column, select, true, update
from sqlalchemy.dialects.postgresql import insert

from redwell.adapters.sql.case_tables import exhibit
from redwell.adapters.sql.database_clock import now_ms
from redwell.adapters.sql.list_parameters import among, as_list, rows_of
from redwell.adapters.sql.prepared import Prepared, constant
from redwell.adapters.sql.tables import Integer, String, artifact, batch, derivation, document, ingestion, load_pending
from redwell.adapters.sql_exhibits.exhibit_rows import put_back
from redwell.adapters.sql_exhibits.parts import looks
from redwell.adapters.sql_reader.exhibit_rows import (
    custodian_of,
    joined_metadata,
    joined_problems,
    read_dates,
    read_problems,
)
from redwell.core.artifacts import ArtifactKind
from redwell.core.case.checkpoints import LOADED, Checkpoint
from redwell.core.case.exhibit_look import AS_READ, COLUMNS, Look
from redwell.core.case.rows import ToLoad
from redwell.core.outcomes import Outcome
from redwell.core.work.transitions import Stage

_AT_ONCE = 5_000
LEASE_MS = 600_000  # far more than lies between two commits of an index


_ids = select(rows_of("ids", int).c.value).where(true())  # SQLite would take ON CONFLICT for a join's ON
_ADD = Prepared(
    insert(load_pending)
    .from_select(["exhibit"], _ids)
    .on_conflict_do_update(index_elements=["exhibit"], set_={"taken": constant(0)})
)
# a row is its own lock: whoever takes it first has it, until its lease is over
_is_free = (load_pending.c.taken == constant(0)) | (load_pending.c.until_ms < now_ms())
_mine = {
    "taken": constant(1),
    "owner": bindparam("loader", type_=String),
    "until_ms": now_ms() + bindparam("lease_ms", type_=Integer),
}
_TAKE = Prepared(
    update(load_pending)
    .where(
        load_pending.c.exhibit.in_(
            select(load_pending.c.exhibit).where(_is_free).order_by(load_pending.c.exhibit).limit(bindparam("limit"))
        )
    )
    .values(_mine)
    .returning(load_pending.c.exhibit)
)
_TAKE_THESE = Prepared(
    update(load_pending)
    .where(among(load_pending.c.exhibit, "ids"), _is_free)
    .values(_mine)
    .returning(load_pending.c.exhibit)
)
# One that was cancelled stays as it was, whatever others do for the same content later.
_shown_work = and_(
    ingestion.c.derivation == derivation.c.id,
    func.coalesce(ingestion.c.outcome, literal_column("''")) != constant(Outcome.CANCELLED),
)
_text = and_(
    artifact.c.derivation == derivation.c.id,
    artifact.c.kind == constant(ArtifactKind.TEXT),
    artifact.c.number == constant(0),
)
_OF_OCCURRENCE = ("id", "name", "path", "size", "batch", "outcome", "metadata", "depth", "problems", "dates")
_member = ingestion.alias("member")
_head = exhibit.alias("head")
# In order, though any would do: where most rows of a case have one parent, PostgreSQL takes it that a scan of the table
# soon comes to a member of any other, and scans all of it for each that has none.
_a_member = (
    select(_member.c.locator)
    .where(_member.c.parent == ingestion.c.id)
    .order_by(_member.c.parent, _member.c.locator)
    .limit(constant(1))
    .scalar_subquery()
)
_FIELDS: dict[str, ColumnElement[Any]] = {
    **{name: ingestion.c[name] for name in _OF_OCCURRENCE},
    "control_number": exhibit.c.control,
    "checkpoint": exhibit.c.checkpoint,
    "document": ingestion.c.document,
    "family": exhibit.c.family,
    "family_number": _head.c.control,
    "has_members": _a_member.is_not(None),
    "custodian": batch.c.custodian,
    **{name: document.c[name] for name in ("sha256", "md5")},
    **{name: derivation.c[name] for name in ("kind", "media_type")},
    "text": artifact.c.sha256,
}
_OWN = (
    derivation.c.metadata.label("own_metadata"),
    derivation.c.problems.label("own_problems"),
    exhibit.c.overlaid,
)
_TAKEN = Prepared(
    select(
        *(column.label(name) for name, column in _FIELDS.items()),
        *_OWN,
        *(exhibit.c[name].label(f"shown_{name}") for name in COLUMNS),
    )
    .join_from(ingestion, batch, ingestion.c.batch == batch.c.id)
    .join(exhibit, exhibit.c.id == ingestion.c.id)
    .join(_head, _head.c.id == exhibit.c.family)
    .join(document, ingestion.c.document == document.c.id, isouter=True)
    .join(derivation, _shown_work, isouter=True)
    .join(artifact, _text, isouter=True)
    .where(among(ingestion.c.id, "ids"))
    .order_by(ingestion.c.id)
)
_taken = (
    among(load_pending.c.exhibit, "ids"),
    load_pending.c.taken == constant(1),
    load_pending.c.owner == bindparam("loader", type_=String),
)
_REACH = Prepared(
    update(exhibit)
    .where(exhibit.c.id.in_(select(load_pending.c.exhibit).where(*_taken)))
    .values(checkpoint=constant(LOADED))
)
_DONE = Prepared(delete(load_pending).where(*_taken))


def add_pending(tx: Connection, exhibits: Sequence[int], reached: int = Checkpoint.STARTED) -> None:
    """Each is named once; its load goes on behind the checkpoint that it has reached and that still holds."""
    if exhibits:
        _ADD.run(tx, ids=as_list(exhibits))
        put_back(tx, exhibits, reached)


def add_ended(tx: Connection, after: int, reached: int) -> int | None:
    """Exhibits that have ended, from the one after `after` on; the last one that was looked at, None at the end."""
    ids = (
        select(ingestion.c.id, ingestion.c.state)
        .where(ingestion.c.id > after, ingestion.c.source == 0)
        .order_by(ingestion.c.id)
        .limit(_AT_ONCE)
    )
    rows = tx.execute(ids).all()
    add_pending(tx, [row.id for row in rows if row.state == Stage.DONE], reached)
    return rows[-1].id if rows else None


def take_pending(tx: Connection, limit: int, loader: str, lease_ms: int = LEASE_MS) -> list[int]:
    """They stay pending until `mark_loaded`; nobody takes them a second time unless they change meanwhile, or the
    loader is not heard of for so long."""
    return sorted(key for (key,) in _TAKE.all(tx, limit=limit, loader=loader, lease_ms=lease_ms))


def take_these(tx: Connection, exhibits: Sequence[int], loader: str) -> list[int]:
    """Those of them that nobody has taken."""
    rows = _TAKE_THESE.all(tx, ids=as_list(exhibits), loader=loader, lease_ms=LEASE_MS)
    return [key for (key,) in rows]


def give_back(tx: Connection) -> None:
    """What a loader took that died before it marked them; reads the whole queue, once in a run."""
    tx.execute(update(load_pending).where(load_pending.c.taken == 1).values(taken=0))


def exhibits(tx: Connection, taken: Sequence[int]) -> list[ToLoad]:
    """As they are now: read after they were taken, so that no change can be missed."""
    rows = _TAKEN.rows(tx, ids=as_list(taken))
    before = {row["id"]: Look(*(row.pop(f"shown_{name}") for name in COLUMNS)) for row in rows}
    contents = {row["id"]: document for row in rows if (document := row.pop("document")) is not None}
    now = looks(tx, contents, [key for key, look in before.items() if look != AS_READ])
    for row in rows:
        row["metadata"] = joined_metadata(row["metadata"], row.pop("own_metadata"), row.pop("overlaid"))
        row["custodian"] = custodian_of(row["metadata"], row["custodian"])
        row["problems"] = joined_problems(row["problems"], row.pop("own_problems"))
        row["source_dates"] = read_dates(row.pop("dates"))
        row["has_members"] = bool(row["has_members"])
        if look := now.get(row["id"]):
            row |= {"outcome": look.outcome or row["outcome"], "ocr": look.ocr}
            row["problems"] = row["problems"] if look.problems is None else read_problems(look.problems)
            row["look"] = look if look != before[row["id"]] else None
    return [ToLoad(**row) for row in rows]


def mark_loaded(tx: Connection, exhibits: Sequence[int], loader: str) -> None:
    """What changed since it was taken stays pending, and what another loader has taken over since is left to it."""
    ids = as_list(exhibits)
    _REACH.run(tx, ids=ids, loader=loader)
    _DONE.run(tx, ids=ids, loader=loader)
