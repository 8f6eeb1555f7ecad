"""Control numbers as rows: issued when a load takes exhibits, to all that are registered by then, in committed chunks.

Whatever is registered later has a higher id, so that one value of the case tells how far the numbers are.
"""

from sqlalchemy import Connection, bindparam, func, select

from redwell.adapters.sql.case_tables import exhibit
from redwell.adapters.sql.case_values import info, put_info
from redwell.adapters.sql.list_parameters import among, as_list
from redwell.adapters.sql.prepared import Prepared, constant, new_values
from redwell.adapters.sql.tables import ingestion
from redwell.core.case.checkpoints import Checkpoint
from redwell.core.case.numbers import Numbered, Unnumbered, issue

AT_ONCE = 2_000
NUMBERED = "numbered"  # the last exhibit that has a control number
_NEW = Prepared(
    select(exhibit.c.id, exhibit.c.family, ingestion.c.parent, ingestion.c.ordinal)
    .join_from(exhibit, ingestion, ingestion.c.id == exhibit.c.id)
    .where(exhibit.c.id > bindparam("after"))
    .order_by(exhibit.c.id)
    .limit(bindparam("limit"))
)
_LAST = Prepared(select(func.coalesce(func.max(exhibit.c.number), constant(0))))
_KNOWN = Prepared(select(exhibit.c.id, exhibit.c.number, exhibit.c.control).where(among(exhibit.c.id, "ids")))
_NUMBER = Prepared(
    exhibit.update().where(exhibit.c.id == bindparam("key")).values(new_values(("number", "control", "checkpoint")))
)


def number_some(tx: Connection, prefix: str, limit: int = AT_ONCE) -> bool:
    """Number the next ones that are registered; whether there may be more of them."""
    new = [Unnumbered(*row) for row in _NEW.all(tx, after=int(info(tx, NUMBERED) or 0), limit=limit)]
    if not new:
        return False
    own = {each.id for each in new}
    parents = {each.parent for each in new if each.family != each.id} - own
    known = {row[0]: Numbered(*row) for row in _KNOWN.all(tx, ids=as_list(parents))} if parents else {}
    [(last,)] = _LAST.all(tx)
    reached = Checkpoint.STARTED.value
    rows = [
        {"key": each.id, "number": each.number, "control": each.control, "checkpoint": reached}
        for each in issue(new, known, int(last), prefix)
    ]
    _NUMBER.many(tx, rows)
    put_info(tx, NUMBERED, str(new[-1].id))
    return len(new) == limit
