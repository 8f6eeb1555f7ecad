"""What is known of ingestions, proposals and data, for whoever looks. In a transaction that only reads."""

import json
from collections import Counter
from typing import Any

import msgspec
from sqlalchemy import Connection, Select, func, select

from redwell.adapters.sql.case_tables import exhibit
from redwell.adapters.sql.understanding_tables import (
    data_schema,
    decision,
    document_data,
    proposal,
    understanding,
)
from redwell.core.understanding.proposals import Proposal
from redwell.core.understanding.states import DocumentState, Standing, Status, document_state
from redwell.ports.understanding import Decision, DocumentData, Ingestion

_decode = msgspec.json.Decoder(Proposal).decode
_rows = understanding.c


def as_ingestion(row: Any) -> Ingestion:
    return Ingestion(
        id=row.id,
        uid=bytes(row.uid),
        exhibit=row.exhibit,
        document=row.document,
        schema=row.schema,
        source=row.source,
        uploader=row.uploader,
        source_metadata=json.loads(row.source_metadata),
        status=Status(row.status),
        attempt=row.attempt,
        started_ms=row.started_ms,
        completed_ms=row.completed_ms,
        quality=row.quality,
        structured_data=json.loads(row.structured_data) if row.structured_data else None,
        is_flagged=bool(row.flagged),
        doubt=row.doubt,
        model=row.model,
        detail=row.detail,
        reviewer=row.reviewer,
        reviewed_until_ms=row.reviewed_until_ms,
    )


def ingestion(tx: Connection, key: int) -> Ingestion | None:
    row = tx.execute(select(understanding).where(_rows.id == key)).first()
    return as_ingestion(row) if row else None


def by_uid(tx: Connection, uid: bytes) -> Ingestion | None:
    row = tx.execute(select(understanding).where(_rows.uid == uid)).first()
    return as_ingestion(row) if row else None


def of_document(tx: Connection, document: int) -> Ingestion | None:
    row = tx.execute(select(understanding).where(_rows.document == document).order_by(_rows.id).limit(1)).first()
    return as_ingestion(row) if row else None


def _of_exhibit(key: int) -> Select[Any]:
    content = select(exhibit.c.document).where(exhibit.c.id == key).scalar_subquery()
    return select(understanding).where(_rows.document == content).order_by(_rows.id)


def ingestions(tx: Connection, key: int) -> list[Ingestion]:
    return [as_ingestion(row) for row in tx.execute(_of_exhibit(key))]


def state(tx: Connection, key: int) -> DocumentState:
    rows = ingestions(tx, key)
    has_data = any(row.structured_data is not None for row in rows)
    return document_state([Standing(row.status, row.is_flagged) for row in rows], has_data)


def counts(tx: Connection) -> dict[str, int]:
    """By the same function as for one document."""
    by_document: dict[int, list[Any]] = {}
    query = select(_rows.document, _rows.status, _rows.flagged, _rows.structured_data.is_not(None).label("has_data"))
    for row in tx.execute(query.order_by(_rows.id)):
        by_document.setdefault(row.document, []).append(row)
    states = Counter[str]()
    for rows in by_document.values():
        standings = [Standing(Status(row.status), bool(row.flagged)) for row in rows]
        states[document_state(standings, any(row.has_data for row in rows))] += 1
    return dict(states)


def proposals(tx: Connection, key: int) -> list[Proposal]:
    query = select(proposal.c.body).where(proposal.c.understanding == key).order_by(proposal.c.place)
    return [_decode(body) for body in tx.execute(query).scalars()]


def decisions(tx: Connection, key: int) -> list[Decision]:
    rows = tx.execute(select(decision).where(decision.c.understanding == key).order_by(decision.c.id))
    return [
        Decision(path=row.path, kind=row.kind, who=row.who, after=row.after, at_ms=row.at_ms, before=row.before)
        for row in rows
    ]


def data(tx: Connection, after: int, limit: int) -> list[DocumentData]:
    first = select(func.min(exhibit.c.id).label("id"), exhibit.c.document).where(exhibit.c.document.is_not(None))
    each = first.group_by(exhibit.c.document).subquery()
    query = (
        select(exhibit.c.id, exhibit.c.control, data_schema.c.name, document_data.c.structured_data)
        .add_columns(document_data.c.needs_human_review)
        .join(each, each.c.document == document_data.c.document)
        .join(exhibit, exhibit.c.id == each.c.id)
        .join(data_schema, data_schema.c.id == document_data.c.schema)
        .where(exhibit.c.id > after, document_data.c.structured_data.is_not(None))
        .order_by(exhibit.c.id)
        .limit(limit)
    )
    return [
        DocumentData(
            exhibit=row.id,
            control_number=row.control or "",
            schema=row.name,
            data=json.loads(row.structured_data),
            needs_review=bool(row.needs_human_review),
        )
        for row in tx.execute(query)
    ]
