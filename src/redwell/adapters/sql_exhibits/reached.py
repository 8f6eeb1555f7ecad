"""How a step of the load notes that an exhibit has had it."""

from collections.abc import Iterable
from typing import Any

from sqlalchemy import case, select, type_coerce

from redwell.adapters.sql.case_tables import exhibit
from redwell.adapters.sql.prepared import constant, new_values
from redwell.adapters.sql.tables import Integer, load_pending

# One that changed while it was loaded has been put back behind an earlier step, and stays there: it would not be
# had again otherwise, and what it says now would never be told.
_has_changed = (  # by its key alone: an EXISTS over many exhibits reads all that wait
    select(load_pending.c.taken).where(load_pending.c.exhibit == exhibit.c.id).correlate(exhibit).scalar_subquery()
) == constant(0)


def step_values(columns: Iterable[str] = ()) -> dict[str, Any]:
    """Columns that a step writes, with the parameters of their names, and the checkpoint that it brings."""
    values = new_values((*columns, "checkpoint"))
    reached = type_coerce(values["checkpoint"], Integer)
    return {**values, "checkpoint": case((_has_changed, exhibit.c.checkpoint), else_=reached)}
