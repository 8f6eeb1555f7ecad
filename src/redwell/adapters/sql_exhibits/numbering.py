"""Control numbers as rows: issued when a load takes exhibits, in committed chunks, by the rule of core.case.numbers.

Whatever is registered later has a higher id, so that one value of the case tells which exhibits were looked at. What
lies in an archive whose turn has not come is passed over then, and found again below its container (number_turns).
"""

from collections.abc import Iterable, Mapping, Sequence

from sqlalchemy import Connection, bindparam, func, select

from redwell.adapters.sql.case_tables import exhibit
from redwell.adapters.sql.case_values import info, put_info
from redwell.adapters.sql.list_parameters import among, as_list
from redwell.adapters.sql.prepared import Prepared, constant, new_values
from redwell.adapters.sql.tables import ingestion
from redwell.adapters.sql_exhibits.load_queue import add_ended_of
from redwell.adapters.sql_exhibits.number_turns import Turns, unnumbered_in
from redwell.core.case.checkpoints import Checkpoint
from redwell.core.case.numbers import Issuer, Numbered, Unnumbered

AT_ONCE = 2_000
IN_TURN = 5  # times as many: each time the whole list of what they lie in is read
NUMBERED = "numbered"  # the last exhibit that was looked at
_OF_OCCURRENCE = (ingestion.c.parent, ingestion.c.ordinal, ingestion.c.batch, ingestion.c.depth)
_NEW = Prepared(
    select(exhibit.c.id, exhibit.c.family, *_OF_OCCURRENCE)
    .join_from(exhibit, ingestion, ingestion.c.id == exhibit.c.id)
    .where(exhibit.c.id > bindparam("after"))
    .order_by(exhibit.c.id)
    .limit(bindparam("limit"))
)
_BELOW = Prepared(  # members of families; what lies in an archive waits for its turn
    select(exhibit.c.id, exhibit.c.family, *_OF_OCCURRENCE)
    .join_from(ingestion, exhibit, exhibit.c.id == ingestion.c.id)
    .where(among(ingestion.c.parent, "parents"), exhibit.c.number.is_(None), exhibit.c.family != exhibit.c.id)
    .order_by(exhibit.c.id)
)
_LAST = Prepared(select(func.coalesce(func.max(exhibit.c.number), constant(0))))
_KNOWN = Prepared(
    select(exhibit.c.id, exhibit.c.number, exhibit.c.control).where(
        among(exhibit.c.id, "ids"), exhibit.c.number.is_not(None)
    )
)
_NUMBER = Prepared(
    exhibit.update().where(exhibit.c.id == bindparam("key")).values(new_values(("number", "control", "checkpoint")))
)


def number_some(tx: Connection, prefix: str, limit: int = AT_ONCE) -> bool:
    """Number the next ones whose turn it is; whether there may be more of them."""
    turns = Turns(tx)
    [(last,)] = _LAST.all(tx)
    issuer = Issuer(prefix, int(last))
    more = _number_new(tx, issuer, turns, limit) or _number_in_turn(tx, issuer, turns, limit)
    turns.keep()
    return more


def _number_new(tx: Connection, issuer: Issuer, turns: Turns, limit: int) -> bool:
    """What was registered since; whether it was so much that there may be more."""
    new = [Unnumbered(*row) for row in _NEW.all(tx, after=int(info(tx, NUMBERED) or 0), limit=limit)]
    if new:
        known = _known(tx, {each.parent for each in new} - {each.id for each in new})
        issued = issuer.issue(new, known, turns.reached)
        _write(tx, issued.values())
        for each in (each for each in new if each.is_head):
            if first := issued.get(each.id) or known.get(each.parent) or issued.get(each.parent):
                turns.begin(each.batch, first.number)
        put_info(tx, NUMBERED, str(new[-1].id))
    return len(new) == limit


def _number_in_turn(tx: Connection, issuer: Issuer, turns: Turns, limit: int) -> bool:
    """What was passed over before, and whose turn it is now; whether any was found."""
    found = False
    for batch in list(turns.reached):
        heads = unnumbered_in(tx, turns, batch, issuer.last, IN_TURN * limit)
        issued = issuer.issue(heads, _known(tx, {each.parent for each in heads}), {batch: issuer.last})
        _with_families(tx, issuer, issued)
        _write(tx, issued.values())
        add_ended_of(tx, list(issued))
        found = found or bool(issued)
    return found


def _with_families(tx: Connection, issuer: Issuer, issued: dict[int, Numbered]) -> None:
    """Members that are there already, of any depth, have their numbers with their heads."""
    parents: Mapping[int, Numbered] = issued
    while parents:
        below = [Unnumbered(*row) for row in _BELOW.all(tx, parents=as_list(parents))]
        parents = issuer.issue(below, parents, {})
        issued |= parents


def _known(tx: Connection, keys: Iterable[int]) -> dict[int, Numbered]:
    wanted: Sequence[int] = list(keys)
    return {row[0]: Numbered(*row) for row in _KNOWN.all(tx, ids=as_list(wanted))} if wanted else {}


def _write(tx: Connection, issued: Iterable[Numbered]) -> None:
    reached = Checkpoint.STARTED.value
    _NUMBER.many(
        tx,
        [{"key": each.id, "number": each.number, "control": each.control, "checkpoint": reached} for each in issued],
    )
