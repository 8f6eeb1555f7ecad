"""UPDATEs that are the moves of core.work.transitions: what a rule says of one row, said of many at once."""

from typing import Any

from sqlalchemy import ColumnElement, Table, bindparam, null

from redwell.adapters.sql.prepared import constant
from redwell.core.work.transitions import Move


def movable(table: Table, move: Move) -> ColumnElement[bool]:
    """Rows that are where the move begins."""
    return table.c.state == constant(move.before)


def moved(table: Table, move: Move) -> dict[str, Any]:
    """For `update().values(...)`; who claims rows is the parameter `worker`."""
    values: dict[str, Any] = {name: constant(0) for name in move.zeroes}
    if move.after != move.before:
        values["state"] = constant(move.after)
    if move.claims:
        values["attempt"] = table.c.attempt + constant(1)
        values["owner"] = bindparam("worker")
    elif not move.owned:
        values["owner"] = null()
    return values
