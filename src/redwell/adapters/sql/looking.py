"""Queries for people and for the index: exhibits with everything known about them."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Connection, FromClause, Select, and_, exists, func, literal_column, select

from redwell.adapters.sql.batch_rows import first_source, of_batch
from redwell.adapters.sql.lists import distinct_json
from redwell.adapters.sql.long_locators import whole_locator
from redwell.adapters.sql.schema import batch, derivation, document, event, ingestion
from redwell.adapters.sql.statements import constant
from redwell.adapters.sql.streams import streamed_mappings
from redwell.core.events import EventType
from redwell.core.ledger import Stage
from redwell.core.names import unquoted
from redwell.core.outcomes import Outcome

_OPEN = "OPEN"  # the outcome of what has none yet, as people see it
_other = ingestion.alias("other")

_first = (
    select(_other.c.id)
    .where(_other.c.document == ingestion.c.document)
    .order_by(_other.c.number, _other.c.control)
    .limit(1)
    .scalar_subquery()
)


def not_cancelled(rows: FromClause) -> ColumnElement[bool]:
    return func.coalesce(rows.c.outcome, literal_column("''")) != constant(Outcome.CANCELLED)


def shown_work() -> ColumnElement[bool]:
    """The work on an exhibit's content. One that was cancelled stays as it was, whatever others do for theirs later."""
    return and_(ingestion.c.derivation == derivation.c.id, not_cancelled(ingestion))


def exhibit_rows(first: ColumnElement[Any]) -> Select[Any]:
    """Everything `exhibit` needs; `first` is the first exhibit with the same content, where somebody asks."""
    return (
        select(
            ingestion,
            batch.c.custodian,
            document.c.uid.label("document_uid"),
            document.c.sha256,
            document.c.sha1,
            document.c.md5,
            document.c.hash_kind,
            derivation.c.media_type,
            derivation.c.kind,
            derivation.c.handler,
            derivation.c.pages,
            derivation.c.text,
            derivation.c.text_chars,
            derivation.c.container,
            derivation.c.metadata.label("own_metadata"),
            derivation.c.problems.label("own_problems"),
            first.label("first"),
        )
        .join_from(ingestion, batch, ingestion.c.batch == batch.c.id)
        .join(document, ingestion.c.document == document.c.id, isouter=True)
        .join(derivation, shown_work(), isouter=True)
        .where(ingestion.c.source == literal_column("0"))
    )


EXHIBITS = exhibit_rows(_first)

# every custodian that a content was found with, once per content: per row it would be quadratic in its copies
_custodians = (
    select(ingestion.c.document, distinct_json(batch.c.custodian).label("custodians"))
    .join_from(ingestion, batch, ingestion.c.batch == batch.c.id)
    .where(ingestion.c.document.is_not(None), batch.c.custodian.is_not(None))
    .group_by(ingestion.c.document)
    .subquery()
)
_LISTING = EXHIBITS.add_columns(_custodians.c.custodians).join(
    _custodians, _custodians.c.document == ingestion.c.document, isouter=True
)


_decode = msgspec.json.decode


def exhibits(tx: Connection, key: int | None, outcome: str | None) -> Iterator[dict[str, Any]]:
    query = _LISTING.order_by(ingestion.c.number, ingestion.c.control, ingestion.c.id)
    if key is not None:
        query = query.where(ingestion.c.batch == key)
    if outcome is not None:
        query = query.where(ingestion.c.outcome == outcome)
    for row in streamed_mappings(tx, query):
        yield {**exhibit(row), "custodians": sorted(_decode(row["custodians"] or "[]"))}


def exhibit(row: Mapping[Any, Any]) -> dict[str, Any]:
    """One exhibit as `documents --json` shows it; `text` stays the hash of the text's blob."""
    duplicate = row["first"] if row["first"] != row["id"] else None
    return {
        "id": row["id"],
        "uid": row["uid"],
        "parent": row["parent"] if row["depth"] > 0 else None,
        "root": row["root"] or row["id"],
        "path": row["path"],
        "name": row["name"],
        "ordinal": row["ordinal"],
        "depth": row["depth"],
        "control_number": row["control"],
        "batch": row["batch"],
        "custodian": row["custodian"],
        "custodians": [],
        "duplicate_of": duplicate,
        "document": row["document_uid"],
        "sha256": row["sha256"],
        "sha1": row["sha1"],
        "md5": row["md5"],
        "hash_kind": row["hash_kind"],
        "size": row["size"],
        "media_type": row["media_type"],
        "kind": row["kind"],
        "handler": row["handler"],
        "role": row["role"],
        "state": row["state"],
        "outcome": row["outcome"],
        "detail": row["detail"],
        "problems": _decode(row["own_problems"] or "[]") + _decode(row["problems"]),
        "pages": row["pages"],
        "text": row["text"],
        "text_chars": row["text_chars"] or 0,
        "source_dates": _decode(row["dates"]),
        "metadata": joined_metadata(row),
    }


def joined_metadata(row: Mapping[Any, Any]) -> dict[str, Any]:
    """What the container says of the exhibit, and over it what its content says of itself."""
    of_occurrence, own = row["metadata"], row["own_metadata"] or "{}"
    metadata: dict[str, Any] = _decode(own)
    return metadata if of_occurrence == "{}" else {**_decode(of_occurrence), **metadata}


def counts(tx: Connection, key: int | None) -> dict[str, int]:
    """Exhibits of a batch, or of the case, by outcome."""
    query = select(ingestion.c.outcome, func.count()).where(ingestion.c.source == 0).group_by(ingestion.c.outcome)
    if key is not None:
        query = query.where(of_batch(ingestion, key))
    return {outcome or _OPEN: count for outcome, count in tx.execute(query)}


def counts_by_batch(tx: Connection, keys: Sequence[int]) -> dict[int, dict[str, int]]:
    """The same of several batches, in one look at the rows: each of them would read those of all that came later."""
    found: dict[int, dict[str, int]] = {key: {} for key in keys}
    if not found:
        return found
    query = (
        select(ingestion.c.batch, ingestion.c.outcome, func.count())
        .where(ingestion.c.source == 0, ingestion.c.id >= first_source(min(found)), ingestion.c.batch.in_(found))
        .group_by(ingestion.c.batch, ingestion.c.outcome)
    )
    for key, outcome, count in tx.execute(query):
        found[key][outcome or _OPEN] = count
    return found


def a_path_of(tx: Connection, work: int) -> str | None:
    """One of the places where the content of a derivation lies, for people who want to know what is in work."""
    query = select(ingestion.c.path).where(ingestion.c.derivation == work, ingestion.c.state == constant(Stage.WAITING))
    return tx.execute(query.limit(1)).scalar()


def duplicates(tx: Connection, key: int) -> int:
    query = select(func.count()).where(
        of_batch(ingestion, key), ingestion.c.source == 0, ingestion.c.document.is_not(None), _first != ingestion.c.id
    )
    return int(tx.execute(query).scalar_one())


def derived(tx: Connection, key: int) -> int:
    """How many contents this batch was the first to need work on; the others had been done before."""
    mine = (
        select(ingestion.c.document, ingestion.c.derivation)
        .where(of_batch(ingestion, key), ingestion.c.derivation.is_not(None))
        .distinct()
        .subquery()
    )
    earlier = exists().where(
        _other.c.document == mine.c.document,
        _other.c.derivation == mine.c.derivation,
        _other.c.batch < key,
        not_cancelled(_other),
    )
    return int(tx.execute(select(func.count()).select_from(mine).where(~earlier)).scalar_one())


def batches(tx: Connection) -> list[dict[str, Any]]:
    rows = tx.execute(select(batch).order_by(batch.c.id)).mappings()
    return [{**row, "settings": json.loads(row["settings"])} for row in rows]


def one(tx: Connection, key: int) -> dict[str, Any] | None:
    row = tx.execute(EXHIBITS.where(ingestion.c.id == key)).mappings().first()
    return exhibit(row) if row else None


def _is_source_of(key: int) -> tuple[ColumnElement[bool], ...]:
    """Only sources are below nothing, and by that they are found."""
    return ingestion.c.parent.is_(None), ingestion.c.batch == key


def sources(tx: Connection, key: int) -> list[dict[str, Any]]:
    query = select(ingestion.c.name, ingestion.c.listed).where(*_is_source_of(key))
    return [{"path": name, "listed": listed} for name, listed in tx.execute(query.order_by(ingestion.c.id))]


def source_paths(tx: Connection, key: int) -> list[bytes]:
    query = select(whole_locator(ingestion)).where(*_is_source_of(key))
    return [unquoted(locator) for (locator,) in tx.execute(query.order_by(ingestion.c.id))]


def sandbox(tx: Connection, key: int) -> dict[str, str]:
    """The layers that the batch's last worker had."""
    query = select(event.c.body).where(event.c.batch == key, event.c.type == EventType.WORKER_STARTED)
    body = tx.execute(query.order_by(event.c.id.desc()).limit(1)).scalar()
    layers: dict[str, str] = json.loads(body)["detail"]["layers"] if body else {}
    return layers


def events(tx: Connection, after: int, limit: int) -> list[dict[str, Any]]:
    query = select(event).where(event.c.id > after).order_by(event.c.id).limit(limit)
    return [dict(row) for row in tx.execute(query).mappings()]
