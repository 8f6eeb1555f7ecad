"""What the steps of a load are given of the exhibits that were taken, by one query. Asked by the store of the load."""

from collections.abc import Sequence
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Connection, and_, func, literal_column, select

from redwell.adapters.sql.case_tables import exhibit
from redwell.adapters.sql.list_parameters import among, as_list
from redwell.adapters.sql.prepared import Prepared, constant
from redwell.adapters.sql.tables import artifact, batch, derivation, document, ingestion
from redwell.adapters.sql_exhibits.parts import looks
from redwell.adapters.sql_reader.exhibit_rows import (
    custodian_of,
    joined_metadata,
    joined_problems,
    read_dates,
    read_problems,
)
from redwell.core.artifacts import ArtifactKind
from redwell.core.case.exhibit_look import AS_READ, COLUMNS, Look
from redwell.core.case.rows import ToLoad
from redwell.core.outcomes import Outcome

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
_NOTHING = (None,) * len(COLUMNS)


class _Taken(msgspec.Struct, gc=False):
    """A row of the query, a field for each of its columns."""

    id: int
    name: str
    path: str
    size: int | None
    batch: int
    outcome: str | None
    metadata: str
    depth: int
    problems: str
    dates: str
    control_number: str
    checkpoint: int
    document: int | None
    family: int
    family_number: str
    has_members: int
    custodian: str | None
    sha256: bytes | None
    md5: bytes | None
    kind: str | None
    media_type: str | None
    text: bytes | None
    given_text: bytes | None
    own_metadata: str | None
    own_problems: str | None
    overlaid: str | None
    shown_outcome: str | None
    shown_problems: str | None
    shown_recognised: int | None
    shown_text_chars: int | None
    shown_ocr: bytes | None


_ELSEWHERE: dict[str, ColumnElement[Any]] = {
    "control_number": exhibit.c.control,
    "checkpoint": exhibit.c.checkpoint,
    "family": exhibit.c.family,
    "family_number": _head.c.control,
    "has_members": _a_member.is_not(None),
    "custodian": batch.c.custodian,
    **{name: document.c[name] for name in ("sha256", "md5")},
    **{name: derivation.c[name] for name in ("kind", "media_type")},
    "text": artifact.c.sha256,
    "given_text": exhibit.c.given_text,
    "own_metadata": derivation.c.metadata,
    "own_problems": derivation.c.problems,
    "overlaid": exhibit.c.overlaid,
    **{f"shown_{name}": exhibit.c[name] for name in COLUMNS},
}
_TAKEN = Prepared(
    select(*(_ELSEWHERE[name] if name in _ELSEWHERE else ingestion.c[name] for name in _Taken.__struct_fields__))
    .join_from(ingestion, batch, ingestion.c.batch == batch.c.id)
    .join(exhibit, exhibit.c.id == ingestion.c.id)
    .join(_head, _head.c.id == exhibit.c.family)
    .join(document, ingestion.c.document == document.c.id, isouter=True)
    .join(derivation, _shown_work, isouter=True)
    .join(artifact, _text, isouter=True)
    .where(among(ingestion.c.id, "ids"))
    .order_by(ingestion.c.id)
)


def exhibits(tx: Connection, taken: Sequence[int]) -> list[ToLoad]:
    """As they are now: read after they were taken, so that no change can be missed."""
    rows = _TAKEN.of(tx, _Taken, ids=as_list(taken))
    before = {row.id: look for row in rows if (look := _shown(row)) is not AS_READ}
    now = looks(tx, {row.id: row.document for row in rows if row.document is not None}, before)
    return [_to_load(row, before.get(row.id, AS_READ), now.get(row.id)) for row in rows]


def _shown(row: _Taken) -> Look:
    """Most are shown as they were read."""
    columns = (row.shown_outcome, row.shown_problems, row.shown_recognised, row.shown_text_chars, row.shown_ocr)
    return AS_READ if columns == _NOTHING else Look(*columns)


def _to_load(row: _Taken, before: Look, look: Look | None) -> ToLoad:
    metadata = joined_metadata(row.metadata, row.own_metadata, row.overlaid)
    problems = joined_problems(row.problems, row.own_problems)
    if look and look.problems is not None:
        problems = read_problems(look.problems)
    return ToLoad(
        id=row.id,
        name=row.name,
        path=row.path,
        size=row.size,
        control_number=row.control_number,
        batch=row.batch,
        custodian=custodian_of(metadata, row.custodian),
        kind=row.kind,
        media_type=row.media_type,
        outcome=(look.outcome if look else None) or row.outcome,
        sha256=row.sha256,
        md5=row.md5,
        text=row.text,
        metadata=metadata,
        family=row.family,
        family_number=row.family_number,
        depth=row.depth,
        has_members=bool(row.has_members),
        problems=problems,
        checkpoint=row.checkpoint,
        ocr=look.ocr if look else None,
        source_dates=read_dates(row.dates) if row.dates != "{}" else {},
        look=look if look != before else None,
        given_text=row.given_text,
    )
