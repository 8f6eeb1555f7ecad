"""Cancelling a batch: every open row of it ends as CANCELLED, so that the case stays whole and balanced.

What was done before stays. Work on a content that only this batch waited for goes back into the queue, where nobody
takes it unless another import brings the same content; whoever is at it is stopped by the fence.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, bindparam, exists, func, null, select

from redwell.adapters.sql.lists import among, as_list
from redwell.adapters.sql.pending import add_pending
from redwell.adapters.sql.row_seals import ingestion_seal
from redwell.adapters.sql.schema import derivation, ingestion
from redwell.adapters.sql.statements import Prepared, constant, new_values
from redwell.core.ledger import Stage, Work
from redwell.core.outcomes import Outcome

DETAIL = "the import was cancelled"
_OPEN_STAGES = (Stage.FOUND, Stage.READING, Stage.GATHERED, Stage.WAITING)
_OPEN = Prepared(
    select(ingestion)
    .where(
        ingestion.c.state != constant(Stage.DONE),
        ingestion.c.state == bindparam("state"),
        ingestion.c.source == bindparam("source"),
        ingestion.c.batch == bindparam("batch"),
    )
    .order_by(ingestion.c.id)
    .limit(bindparam("limit"))
)
_END = Prepared(
    ingestion.update()
    .where(ingestion.c.id == bindparam("key"))
    .values(state=constant(Stage.DONE), owner=null(), **new_values(("outcome", "detail", "listed", "seal")))
)
_FREE = Prepared(
    derivation.update()
    .where(
        among(derivation.c.id, "ids"),
        derivation.c.state == constant(Work.LEASED),
        ~exists().where(ingestion.c.derivation == derivation.c.id, ingestion.c.state == constant(Stage.WAITING)),
    )
    .values(state=constant(Work.QUEUED), owner=null())
)


def cancel_some(tx: Connection, key: int, limit: int) -> int:
    """End some open rows, walks first since they bring more; 0 when none is open."""
    rows: list[dict[str, Any]] = []
    for source in (1, 0):
        for state in _OPEN_STAGES:
            if len(rows) < limit:
                rows += _OPEN.rows(tx, state=state, source=source, batch=key, limit=limit - len(rows))
    _END.many(tx, [_ended(tx, row) for row in rows])
    add_pending(tx, [row["id"] for row in rows if not row["source"]])
    _free(tx, rows)
    return len(rows)


def _ended(tx: Connection, row: Mapping[str, Any]) -> dict[str, Any]:
    outcome, listed = Outcome.CANCELLED.value, row["listed"]
    if row["source"]:  # what it has found so far is all that it will have found
        listed = tx.execute(select(func.count()).where(ingestion.c.parent == row["id"])).scalar_one()
    new = {"key": row["id"], "outcome": outcome, "detail": DETAIL, "listed": listed}
    return {**new, "seal": ingestion_seal({**row, **new})}


def _free(tx: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
    works = {row["derivation"] for row in rows if row["derivation"] is not None}
    if works:
        _FREE.run(tx, ids=as_list(works))
