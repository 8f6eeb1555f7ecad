"""Whose turn it is to be numbered: how far each batch has come, in the order of its numbers. Used by numbering.

What lies in an archive or a mail store is numbered when everything of its batch with a smaller number has ended, so
that no other can bring something that comes before it. A batch is passed through once; a retry goes back.
"""

import json
from collections.abc import Sequence

from sqlalchemy import Connection, bindparam, func, literal_column, select

from redwell.adapters.sql.case_tables import exhibit
from redwell.adapters.sql.case_values import info, put_info
from redwell.adapters.sql.list_parameters import among, as_list
from redwell.adapters.sql.prepared import Prepared, constant
from redwell.adapters.sql.tables import ingestion
from redwell.core.case.numbers import Unnumbered
from redwell.core.work.transitions import Stage

_REACHED = "numbering"  # batches that may have unnumbered ones, and up to which number those below them have theirs
# by a value made of it: the index of open rows would find all of them, to say which has the smallest number
_is_open = func.coalesce(ingestion.c.state, literal_column("''")) != constant(Stage.DONE)
_WALKING = Prepared(
    select(ingestion.c.id)
    .where(ingestion.c.parent.is_(None), ingestion.c.batch == bindparam("batch"), _is_open)
    .limit(constant(1))
)
_FIRST_OPEN = Prepared(
    select(exhibit.c.number)
    .join_from(exhibit, ingestion, ingestion.c.id == exhibit.c.id)
    .where(
        exhibit.c.number >= bindparam("after"),
        exhibit.c.family == exhibit.c.id,
        ingestion.c.batch == bindparam("batch"),
        _is_open,
    )
    .order_by(exhibit.c.number)
    .limit(constant(1))
)
_container = exhibit.alias("container")
_INSIDE = Prepared(
    select(
        *(_container.c.number, exhibit.c.id, exhibit.c.family),
        *(ingestion.c.parent, ingestion.c.ordinal, ingestion.c.batch, ingestion.c.depth),
    )
    .join_from(_container, ingestion, ingestion.c.parent == _container.c.id)
    .join(exhibit, exhibit.c.id == ingestion.c.id)
    .where(
        _container.c.number > bindparam("after"),
        _container.c.number <= bindparam("upto"),
        _container.c.family == _container.c.id,
        ingestion.c.batch == bindparam("batch"),
        exhibit.c.number.is_(None),
        exhibit.c.family == exhibit.c.id,
    )
    .order_by(_container.c.number, ingestion.c.ordinal)
    .limit(bindparam("limit"))
)
_FIRST_OF = Prepared(
    select(ingestion.c.batch, func.min(exhibit.c.number))
    .join_from(exhibit, ingestion, ingestion.c.id == exhibit.c.id)
    .where(among(exhibit.c.id, "ids"), exhibit.c.number.is_not(None))
    .group_by(ingestion.c.batch)
)


class Turns:
    """One value of the case, read and kept in the transaction that numbers."""

    def __init__(self, tx: Connection) -> None:
        self._tx, self._kept = tx, info(tx, _REACHED)
        self.reached: dict[int, int] = {int(batch): number for batch, number in json.loads(self._kept or "{}").items()}

    def begin(self, batch: int, number: int) -> None:
        """The batch is passed through from this number on, if nobody is at it."""
        self.reached.setdefault(batch, number - 1)

    def go_back(self, batch: int, number: int) -> None:
        self.reached[batch] = min(number - 1, self.reached.get(batch, number))

    def keep(self) -> None:
        if (now := json.dumps(self.reached)) != (self._kept or "{}"):
            put_info(self._tx, _REACHED, now)


def unnumbered_in(tx: Connection, turns: Turns, batch: int, last: int, limit: int) -> list[Unnumbered]:
    """The next ones whose turn it is, in order; what they lie in has been reached then."""
    if _WALKING.all(tx, batch=batch):
        return []  # files come first
    after = turns.reached[batch]
    is_open = [number for (number,) in _FIRST_OPEN.all(tx, after=after, batch=batch)]
    upto = is_open[0] if is_open else last
    found = _INSIDE.all(tx, after=after, upto=upto, batch=batch, limit=limit) if upto > after else []
    if len(found) == limit:
        turns.reached[batch] = found[-1][0] - 1  # what it lies in may have more
        return [Unnumbered(*row[1:]) for row in found]
    turns.reached[batch] = upto
    if not is_open and not found:
        del turns.reached[batch]
    return [Unnumbered(*row[1:]) for row in found]


def go_back(tx: Connection, exhibits: Sequence[int]) -> None:
    """These are read again, and may bring what they did not have before."""
    turns = Turns(tx)
    for batch, number in _FIRST_OF.all(tx, ids=as_list(exhibits)):
        turns.go_back(batch, number)
    turns.keep()
