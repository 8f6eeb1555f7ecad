"""What is open of a batch's text, as far as it matters to its renditions (core.work.text_first).

Asked in the transaction that claims them, and in each that posts messages: a look-up by index each.
"""

from sqlalchemy import Connection, bindparam, select

from redwell.adapters.sql.prepared import Prepared, constant
from redwell.adapters.sql.tables import derivation, ingestion
from redwell.core.work.kinds import KINDS, Phase
from redwell.core.work.lanes import Lane
from redwell.core.work.text_first import most_beside
from redwell.core.work.transitions import Stage, Work
from redwell.ports.ledger import Want

TEXT = [constant(task) for task, kind in KINDS.items() if kind.phase is Phase.TEXT]
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
        derivation.c.task.in_(TEXT),
    )
    .limit(constant(1))
)
_QUEUED = Prepared(_text.where(derivation.c.state == constant(Work.QUEUED)))
_LARGE = Prepared(_text.where(derivation.c.state == constant(Work.QUEUED), derivation.c.lane == constant(Lane.LARGE)))
_LEASED = Prepared(_text.where(derivation.c.state == constant(Work.LEASED)))


def most_beside_text(tx: Connection, want: Want, limit: int) -> int:
    """Of renditions, for whoever found no text to begin."""
    batch = want.batch
    return most_beside(
        limit,
        waiting=bool(_UNREAD.all(tx, batch=batch) or _QUEUED.all(tx, batch=batch)),
        at_work=bool(_LEASED.all(tx, batch=batch)),
        blocked=not want.large and bool(_LARGE.all(tx, batch=batch)),
    )


def is_text_open(tx: Connection, batch: int) -> bool:
    return any(statement.all(tx, batch=batch) for statement in (_QUEUED, _LEASED, _UNREAD))
