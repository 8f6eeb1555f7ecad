"""How much a message of renditions or recognition may hold while the text of their batch is not done (SPEC A4).

A slot is theirs when text has nothing for it at this moment. What is found a moment later should have it back soon, or
search would wait for a hundred scans; ADR 80.
"""

from sqlalchemy import Connection, bindparam, select

from redwell.adapters.sql.prepared import Prepared, constant
from redwell.adapters.sql.tables import derivation, ingestion
from redwell.core.work.kinds import KINDS, Phase
from redwell.core.work.transitions import Stage, Work

ONE = 1  # while files are still read, or text waits for another slot
FEW = 10  # while the last texts are at work: they may have members
_TEXT = [constant(task) for task, kind in KINDS.items() if kind.phase is Phase.TEXT]
_UNREAD = Prepared(
    select(ingestion.c.id)
    .where(
        ingestion.c.state != constant(Stage.DONE),
        ingestion.c.state.in_([constant(Stage.FOUND), constant(Stage.READING)]),
        ingestion.c.source.in_([constant(0), constant(1)]),
        ingestion.c.batch == bindparam("batch"),
    )
    .limit(constant(1))
)
_text = (
    select(derivation.c.id)
    .where(
        derivation.c.state != constant(Work.DONE),
        derivation.c.batch == bindparam("batch"),
        derivation.c.task.in_(_TEXT),
    )
    .limit(constant(1))
)
_QUEUED = Prepared(_text.where(derivation.c.state == constant(Work.QUEUED)))
_LEASED = Prepared(_text.where(derivation.c.state == constant(Work.LEASED)))


def most_beside_text(tx: Connection, batch: int, limit: int) -> int:
    if _UNREAD.all(tx, batch=batch) or _QUEUED.all(tx, batch=batch):
        return min(ONE, limit)
    return min(FEW, limit) if _LEASED.all(tx, batch=batch) else limit
