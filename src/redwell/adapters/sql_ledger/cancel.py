"""Cancelling a batch: every open row of it ends as CANCELLED, so that each file that was found has its outcome.

A walk that was under way stays an open statement: what it had found is written down, how much there is is unknown.
What was done before stays. Work on a content that only this batch waited for goes back into the queue, where nobody
takes it unless another import brings the same content; whoever is at it is stopped by the fence.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, bindparam, exists, null, select

from redwell.adapters.sql.list_parameters import among, as_list
from redwell.adapters.sql.prepared import Prepared, constant, new_values
from redwell.adapters.sql.tables import derivation, ingestion
from redwell.adapters.sql_exhibits.load_queue import add_pending
from redwell.adapters.sql_ledger.batches import walked_so_far
from redwell.adapters.sql_ledger.open_renditions import unwant_renditions
from redwell.adapters.sql_ledger.seals import ingestion_seal
from redwell.core.outcomes import Outcome
from redwell.core.work.transitions import Stage, Work

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
    .values(state=constant(Stage.DONE), owner=null(), **new_values(("outcome", "detail", "metadata", "seal")))
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


def cancel_some(tx: Connection, key: int, limit: int) -> list[dict[str, Any]]:
    """End some open rows, walks first since they bring more; those rows, none when none is open."""
    rows: list[dict[str, Any]] = []
    for source in (1, 0):
        for state in _OPEN_STAGES:
            if len(rows) < limit:
                rows += _OPEN.rows(tx, state=state, source=source, batch=key, limit=limit - len(rows))
    _END.many(tx, [_ended(tx, row) for row in rows])
    add_pending(tx, [row["id"] for row in rows if not row["source"]])
    _free(tx, rows)
    if not rows:
        unwant_renditions(tx, key)
    return rows


def _ended(tx: Connection, row: Mapping[str, Any]) -> dict[str, Any]:
    metadata = _seen(tx, row["id"]) if row["source"] else row["metadata"]
    new = {"key": row["id"], "outcome": Outcome.CANCELLED.value, "detail": DETAIL, "metadata": metadata}
    return {**new, "seal": ingestion_seal({**row, **new})}


def _seen(tx: Connection, source: int) -> str:
    seen, read_to = walked_so_far(tx, source)
    return json.dumps({"seen": seen, "read_to": read_to})


def _free(tx: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
    works = {row["derivation"] for row in rows if row["derivation"] is not None}
    if works:
        _FREE.run(tx, ids=as_list(works))
