"""Retries: which contents are read again, and how their exhibits stand before and after."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, bindparam, exists, func, null, or_, select

from redwell.adapters.sql.contents import Recipe
from redwell.adapters.sql.lists import among, as_list
from redwell.adapters.sql.moves import move_all, rule_row
from redwell.adapters.sql.schema import derivation, document, ingestion, member
from redwell.adapters.sql.statements import Prepared, constant
from redwell.adapters.sql.volumes import work_size
from redwell.core import ledger
from redwell.core.ledger import MemberState, Stage, Work
from redwell.core.outcomes import Outcome
from redwell.core.records import Selection

_WAIT_AGAIN = Prepared(
    ingestion.update()
    .where(
        ingestion.c.document == bindparam("document"),
        ingestion.c.derivation == bindparam("derivation"),
        # one that waits already has no outcome; one that was cancelled stays so
        func.coalesce(ingestion.c.outcome, constant(Outcome.SUCCESS)) != constant(Outcome.CANCELLED),
    )
    .values(state=constant(Stage.WAITING), outcome=null(), replayed=constant(0), seal=null())
    .returning(ingestion.c.batch)
)
_OUTCOMES = Prepared(select(ingestion.c.id, ingestion.c.outcome).where(among(ingestion.c.id, "ids")))


def chosen_rows(tx: Connection, chosen: Selection) -> list[dict[str, Any]]:
    query = select(derivation, work_size()).join_from(derivation, document, derivation.c.document == document.c.id)
    return [dict(row) for row in tx.execute(query.where(*_chosen(chosen))).mappings()]


def reopen(tx: Connection, rows: Sequence[Mapping[str, Any]], recipe: Recipe) -> set[int]:
    """A new generation for each of these contents, and for all its occurrences; the batches that this concerns."""
    move_all(tx, [(row["id"], ledger.reopen(rule_row(row), recipe.lane(row["size"]))) for row in rows])
    again = (_WAIT_AGAIN.all(tx, document=row["document"], derivation=row["id"]) for row in rows)
    return {batch for found in again for (batch,) in found}


def concerned(tx: Connection, chosen: Selection) -> dict[int, str]:
    """The outcome of every exhibit that a retry concerns: of a chosen content, or a member lost that way."""
    contents = select(derivation.c.id).where(*_chosen(chosen))
    parents = select(ingestion.c.id).where(ingestion.c.derivation.in_(contents))
    lost = and_(ingestion.c.parent.in_(parents), ingestion.c.derivation.is_(None))
    exhibits = select(ingestion.c.id, ingestion.c.outcome).where(or_(ingestion.c.derivation.in_(contents), lost))
    return {row.id: row.outcome for row in tx.execute(exhibits)}


def outcomes_of(tx: Connection, exhibits: Iterable[int]) -> dict[int, str]:
    return dict(_OUTCOMES.all(tx, ids=as_list(exhibits)))


def _chosen(chosen: Selection) -> list[ColumnElement[bool]]:
    """Finished contents that fit everything that was asked for."""
    rules = [derivation.c.state == Work.DONE]
    if chosen.outcome:
        lost_member = exists().where(
            member.c.derivation == derivation.c.id,
            member.c.state == MemberState.FAILED,
            member.c.outcome == chosen.outcome,
        )
        rules.append(or_(derivation.c.outcome == chosen.outcome, lost_member))
    if chosen.media_type:
        rules.append(_is_or_below(derivation.c.media_type, chosen.media_type))
    if chosen.handler:
        rules.append(_is_or_below(derivation.c.handler, chosen.handler))
    return rules


def _is_or_below(column: ColumnElement[str], asked: str) -> ColumnElement[bool]:
    """`image` stands for every `image/…`, `zip` for every `zip/VERSION`."""
    return or_(column == asked, column.startswith(asked + "/", autoescape=True))
