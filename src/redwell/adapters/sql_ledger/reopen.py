"""Retries: which contents are read again, and how their exhibits stand before and after."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, bindparam, exists, func, null, or_, select

from redwell.adapters.sql.list_parameters import among, as_list
from redwell.adapters.sql.prepared import Prepared, constant
from redwell.adapters.sql.tables import derivation, document, ingestion, member
from redwell.adapters.sql_exhibits.number_turns import go_back
from redwell.adapters.sql_ledger.claim_transitions import move_all, rule_row
from redwell.adapters.sql_ledger.volumes import work_size
from redwell.core.outcomes import Code, Outcome
from redwell.core.work import transitions
from redwell.core.work.kinds import KINDS, Purpose, TaskType
from redwell.core.work.recipe import Recipe
from redwell.core.work.records import Selection
from redwell.core.work.transitions import MemberState, Stage, Work

_WAIT_AGAIN = Prepared(
    ingestion.update()
    .where(
        ingestion.c.document == bindparam("document"),
        ingestion.c.derivation == bindparam("derivation"),
        # one that waits already has no outcome; one that was cancelled stays so
        func.coalesce(ingestion.c.outcome, constant(Outcome.SUCCESS)) != constant(Outcome.CANCELLED),
    )
    .values(state=constant(Stage.WAITING), outcome=null(), replayed=constant(0), seal=null())
    .returning(ingestion.c.id, ingestion.c.batch)
)
_TRY_AGAIN = Prepared(derivation.update().where(among(derivation.c.id, "ids")).values(given_up=constant(0)))


def chosen_rows(tx: Connection, chosen: Selection) -> list[dict[str, Any]]:
    query = select(derivation, work_size()).join_from(derivation, document, derivation.c.document == document.c.id)
    return [dict(row) for row in tx.execute(query.where(*_chosen(chosen))).mappings()]


def reopen(tx: Connection, rows: Sequence[Mapping[str, Any]], recipe: Recipe) -> set[int]:
    """A new generation for each of these works, and for all occurrences that wait; the batches that this concerns."""
    lanes = [recipe.lane(row["size"], TaskType(row["task"])) for row in rows]
    move_all(tx, [(r["id"], transitions.reopen(rule_row(r), lane)) for r, lane in zip(rows, lanes, strict=True)])
    _TRY_AGAIN.run(tx, ids=as_list(row["id"] for row in rows))
    readings = [row for row in rows if row["purpose"] == Purpose.READ]
    again = [each for row in readings for each in _WAIT_AGAIN.all(tx, document=row["document"], derivation=row["id"])]
    if again:
        go_back(tx, [key for key, _ in again])
    renditions = {row["batch"] for row in rows if row["purpose"] != Purpose.READ and row["batch"] is not None}
    return {batch for _, batch in again} | renditions


def concerned(tx: Connection, chosen: Selection) -> list[int]:
    """Every exhibit that a retry concerns: of a chosen content, or a member lost that way."""
    if chosen.lacking or (chosen.task and KINDS[chosen.task].purpose is not Purpose.READ):
        documents = select(derivation.c.document).where(*_chosen(chosen))
        return list(tx.execute(select(ingestion.c.id).where(ingestion.c.document.in_(documents))).scalars())
    contents = select(derivation.c.id).where(*_chosen(chosen))
    parents = select(ingestion.c.id).where(ingestion.c.derivation.in_(contents))
    lost = and_(ingestion.c.parent.in_(parents), ingestion.c.derivation.is_(None))
    return list(tx.execute(select(ingestion.c.id).where(or_(ingestion.c.derivation.in_(contents), lost))).scalars())


def _chosen(chosen: Selection) -> list[ColumnElement[bool]]:
    """Finished contents that fit everything that was asked for."""
    purpose = KINDS[chosen.task].purpose if chosen.task else Purpose.READ
    rules = [derivation.c.state == Work.DONE]
    if chosen.lacking:
        rules += _lacking()
    if chosen.task or not chosen.lacking:
        rules.append(derivation.c.purpose == purpose)
    if chosen.task and purpose is Purpose.READ:
        rules.append(derivation.c.task == chosen.task)
    if chosen.outcome:
        lost_member = exists().where(
            member.c.derivation == derivation.c.id,
            member.c.state == MemberState.FAILED,
            member.c.outcome == chosen.outcome,
        )
        here = exists().where(  # the content is fine, and not opened in this place
            ingestion.c.document == derivation.c.document,
            ingestion.c.derivation == derivation.c.id,
            ingestion.c.outcome == chosen.outcome,
        )
        rules.append(or_(derivation.c.outcome == chosen.outcome, lost_member, here))
    if chosen.media_type:
        rules.append(_is_or_below(derivation.c.media_type, chosen.media_type))
    if chosen.handler:
        rules.append(_is_or_below(derivation.c.handler, chosen.handler))
    if chosen.made_by_others_than:
        rules.append(func.coalesce(derivation.c.handler, "").not_in(["", *chosen.made_by_others_than]))
    return rules


def _lacking() -> list[ColumnElement[bool]]:
    """Nothing came of it, or a part says that a program was missing."""
    is_told = derivation.c.problems.contains(f'"{Code.ENGINE_MISSING}"', autoescape=True)
    return [derivation.c.purpose != Purpose.READ, or_(derivation.c.outcome == Outcome.UNSUPPORTED, is_told)]


def _is_or_below(column: ColumnElement[str], asked: str) -> ColumnElement[bool]:
    """`image` stands for every `image/…`, `zip` for every `zip/VERSION`."""
    return or_(column == asked, column.startswith(asked + "/", autoescape=True))
