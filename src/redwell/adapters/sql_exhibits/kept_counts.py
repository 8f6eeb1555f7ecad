"""How many exhibits of a finished batch have which outcome, kept as rows, so that nobody has to count them again.

Counting reads every exhibit, so it is done before the transaction that ends a batch. Who counts leaves a mark; whatever
changes how an exhibit is shown, or opens the batch again, takes mark and counts away. Readers count what is not kept.
"""

from collections.abc import Iterable, Mapping
from uuid import uuid4

from sqlalchemy import Connection, bindparam, delete, select

from redwell.adapters.sql.case_tables import batch_outcome
from redwell.adapters.sql.list_parameters import among, as_list
from redwell.adapters.sql.prepared import Prepared, constant
from redwell.adapters.sql.tables import batch, ingestion

_ROW = batch_outcome.insert()
_MINE = delete(batch_outcome).where(
    batch_outcome.c.batch == bindparam("key"), batch_outcome.c.outcome == bindparam("mark")
)
_MARKS = Prepared(
    delete(batch_outcome).where(batch_outcome.c.batch == bindparam("key"), batch_outcome.c.exhibits == constant(0))
)
_FORGET = Prepared(delete(batch_outcome).where(among(batch_outcome.c.batch, "batches")))
_BATCHES = Prepared(select(ingestion.c.batch).where(among(ingestion.c.id, "ids")).distinct())
# whoever is about to end one of them goes first, or waits
_WAIT = select(batch.c.id).where(batch.c.id.in_(bindparam("batches", expanding=True))).with_for_update(read=True)


def begin(tx: Connection, key: int) -> str:
    """The mark of whoever counts from here on, in place of all others."""
    mark = f"counting {uuid4().hex}"
    _MARKS.run(tx, key=key)
    tx.execute(_ROW, {"batch": key, "outcome": mark, "exhibits": 0})
    return mark


def keep(tx: Connection, key: int, mark: str, outcomes: Mapping[str, int]) -> None:
    """What was counted, unless something has changed since the mark was left."""
    still_so = tx.execute(_MINE, {"key": key, "mark": mark}).rowcount == 1
    forget(tx, [key])
    if still_so and outcomes:
        tx.execute(_ROW, [{"batch": key, "outcome": name, "exhibits": count} for name, count in outcomes.items()])


def forget(tx: Connection, batches: Iterable[int]) -> None:
    _FORGET.run(tx, batches=as_list(batches))


def forget_with(tx: Connection, exhibits: Iterable[int]) -> None:
    """These are shown in another way from now on."""
    concerned = sorted(key for (key,) in _BATCHES.all(tx, ids=as_list(exhibits)))
    if concerned:
        tx.execute(_WAIT, {"batches": concerned})
        forget(tx, concerned)
