"""Occurrences: how an item that was found becomes an exhibit with an outcome, and its members too."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, bindparam, select

from redwell.adapters.sql.contents import Ending, Key, Recipe
from redwell.adapters.sql.exhibit_ends import ended
from redwell.adapters.sql.pending import add_pending
from redwell.adapters.sql.replaying import replay
from redwell.adapters.sql.row_seals import exhibit_seal
from redwell.adapters.sql.schema import ingestion
from redwell.adapters.sql.settled import Ended, Limits, Settled
from redwell.adapters.sql.statements import Prepared, constant, new_values
from redwell.adapters.sql.volumes import join_members
from redwell.adapters.sql.waiting import ROWS_PER_STEP, Waiting, ready, ready_of, still_ahead
from redwell.core.ledger import Stage, Work
from redwell.core.records import Reading

_DONE = Work.DONE.value

_END = Prepared(
    ingestion.update()
    .where(ingestion.c.id == bindparam("key"))
    .values(state=constant(Stage.DONE), **new_values(("outcome", "detail", "problems", "replayed", "seal")))
)
_ADVANCE = Prepared(ingestion.update().where(ingestion.c.id == bindparam("key")).values(new_values(("replayed",))))
_COPIES = Prepared(
    select(ingestion.c.id)
    .where(ingestion.c.document == bindparam("document"), ingestion.c.number == bindparam("number"))
    .limit(bindparam("most"))
)


def settle(
    tx: Connection,
    derivations: Collection[int] | None,
    recipe: Recipe,
    limits: Limits,
    readings: Mapping[Key, Reading] | None = None,
) -> Settled:
    """Bring waiting occurrences up to their derivation: new members become rows, a finished one ends.

    What is left over (many members, many occurrences) is found by the next call.
    """
    settled = Settled()
    if derivations is None:
        todo, rows = set[int](), ready(tx, limits.max_depth)
    else:
        todo, rows = set(derivations), ready_of(tx, derivations, limits.max_depth)
    while rows:
        ahead = _settle_rows(tx, rows, recipe, limits, settled, readings or {})
        todo |= ahead
        if settled.moved + settled.found >= ROWS_PER_STEP:
            settled.left_over = still_ahead(tx, todo, limits.max_depth)
            break
        rows = ready_of(tx, ahead, limits.max_depth)
    return settled


def _settle_rows(
    tx: Connection,
    rows: Sequence[Waiting],
    recipe: Recipe,
    limits: Limits,
    settled: Settled,
    readings: Mapping[Key, Reading],
) -> set[int]:
    """One round; the derivations that new children wait on and that are ahead of them already."""
    settled.moved += len(rows)
    containers = [row for row in rows if row.members]
    closed = _kept_closed(tx, containers, limits)
    opened = {row.id: row for row in containers if row.members > row.replayed and row.id not in closed}
    reached, ahead = replay(tx, opened, recipe, readings, settled) if opened else ({}, set())
    for key, replayed in reached.items():
        opened[key].replayed = replayed
    through = [row for row in rows if row.work == _DONE and (row.replayed == row.members or row.id in closed)]
    ends = [_end(row, closed.get(row.id)) for row in through]
    _END.many(tx, ends)
    over = {row.id for row in through}
    _ADVANCE.many(tx, [{"key": key, "replayed": reached[key]} for key in reached.keys() - over])
    add_pending(tx, [row.id for row in through])
    settled.outcomes += [
        Ended(row.batch, end["outcome"], row.id, row.document) for row, end in zip(through, ends, strict=True)
    ]
    return ahead | join_members(tx, [row.id for row in containers if row.id in over], recipe)


def _kept_closed(tx: Connection, containers: Sequence[Waiting], limits: Limits) -> dict[int, str]:
    """Those that are not opened here, and the limit that says so: archives may contain themselves, twice."""
    closed = {}
    copies: dict[tuple[int, int], int] = {}
    for row in containers:
        if row.depth >= limits.max_depth:
            closed[row.id] = f"max_depth={limits.max_depth}"
        elif row.depth and not row.replayed:
            below = row.document, row.number
            if below not in copies:
                copies[below] = len(_COPIES.all(tx, document=below[0], number=below[1], most=limits.max_copies + 1))
            if copies[below] > limits.max_copies:
                closed[row.id] = f"max_copies={limits.max_copies}"
    return closed


def _end(row: Waiting, limit: str | None) -> dict[str, Any]:
    content = Ending(row.result or "", row.result_detail, row.media_type)
    row.detail = content.detail
    row.outcome, row.problems = ended(row.name, row.problems, content, limit)
    return {
        "key": row.id,
        "outcome": row.outcome,
        "detail": row.detail,
        "problems": row.problems,
        "replayed": row.replayed,
        "seal": exhibit_seal(row),
    }
