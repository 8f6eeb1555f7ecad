"""Derivations moved by the rules of core.work.transitions without a good end: blamed, reopened, swept."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from sqlalchemy import Connection, bindparam, null, select

from redwell.adapters.sql.list_parameters import among, as_list
from redwell.adapters.sql.prepared import Prepared, constant, new_values
from redwell.adapters.sql.tables import derivation, ingestion
from redwell.core.outcomes import Outcome
from redwell.core.work import transitions
from redwell.core.work.kinds import Table, TaskType
from redwell.core.work.lanes import Lane
from redwell.core.work.transitions import Stage, Work

_RULED = ("state", "owner", "attempt", "lane", "tries", "lost", "deaths", "generation", "outcome")
_leased = (derivation.c.state != constant(Work.DONE), derivation.c.state == constant(Work.LEASED))
_reading = (ingestion.c.state != constant(Stage.DONE), ingestion.c.state == constant(Stage.READING))
_ROWS = Prepared(select(derivation.c.id, *(derivation.c[c] for c in _RULED)).where(among(derivation.c.id, "ids")))
_MOVE = Prepared(derivation.update().where(derivation.c.id == bindparam("key")).values(new_values(_RULED)))
_OWNERS = Prepared(select(derivation.c.owner).distinct().where(*_leased))
_READERS = Prepared(select(ingestion.c.owner).distinct().where(*_reading))
_HELD = Prepared(select(derivation).where(*_leased, among(derivation.c.owner, "dead")))
_UNREAD = Prepared(
    ingestion.update()
    .where(*_reading, among(ingestion.c.owner, "dead"))
    .values(state=constant(Stage.FOUND), owner=null())
    .returning(ingestion.c.id)
)


def ruled(tx: Connection, keys: Iterable[int]) -> dict[int, transitions.Derivation]:
    """What the rules say of a derivation is decided by."""
    return {row["id"]: rule_row(row) for row in _ROWS.rows(tx, ids=as_list(keys))}


def rule_row(row: Mapping[Any, Any]) -> transitions.Derivation:
    return transitions.Derivation(
        state=Work(row["state"]),
        owner=row["owner"],
        attempt=row["attempt"],
        lane=Lane(row["lane"]),
        tries=row["tries"],
        lost=row["lost"],
        deaths=row["deaths"],
        generation=row["generation"],
        outcome=Outcome(row["outcome"]) if row["outcome"] else None,
    )


def move(tx: Connection, key: int, after: transitions.Derivation) -> None:
    _MOVE.run(tx, **_moved(key, after))


def move_all(tx: Connection, moves: Iterable[tuple[int, transitions.Derivation]]) -> None:
    _MOVE.many(tx, [_moved(key, after) for key, after in moves])


def _moved(key: int, after: transitions.Derivation) -> dict[str, Any]:
    return {"key": key, **{column: getattr(after, column) for column in _RULED}}


def sweep(tx: Connection, alive: Callable[[str], bool], attempts: Table) -> tuple[int, list[dict[str, Any]]]:
    """Take back what dead workers hold; how many rows, and the derivations that are to be ended for good."""
    owners = {owner for (owner,) in (*_OWNERS.all(tx), *_READERS.all(tx))}
    dead = as_list(owner for owner in owners if not alive(owner))
    if not dead:
        return 0, []
    files = _UNREAD.all(tx, dead=dead)
    rows = _HELD.rows(tx, dead=dead)
    ended = []
    for row in rows:
        after = transitions.sweep(rule_row(row), attempts(TaskType(row["task"])))
        move(tx, row["id"], after)
        if after.state is Work.DONE:
            ended.append(row)
    return len(files) + len(rows), ended
