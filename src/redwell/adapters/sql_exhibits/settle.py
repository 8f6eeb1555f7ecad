"""Occurrences: how an item that was found becomes an exhibit with an outcome, and its members too."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, bindparam, select

from redwell.adapters.sql.moves import moved
from redwell.adapters.sql.prepared import Prepared, new_values, problems_json, problems_of
from redwell.adapters.sql.tables import ingestion
from redwell.adapters.sql_exhibits.load_queue import add_pending
from redwell.adapters.sql_exhibits.member_exhibits import replay
from redwell.adapters.sql_exhibits.settle_rows import ROWS_PER_STEP, Waiting, ready, ready_of, still_ahead
from redwell.adapters.sql_ledger.contents import Key
from redwell.adapters.sql_ledger.renditions import want_renditions
from redwell.adapters.sql_ledger.seals import exhibit_seal
from redwell.adapters.sql_ledger.volumes import join_members
from redwell.core.case.exhibit_outcome import Ending, exhibit_end
from redwell.core.case.families import root_of
from redwell.core.case.settled import Ended, Limits, Settled
from redwell.core.work.recipe import Recipe
from redwell.core.work.records import Derived
from redwell.core.work.transitions import END, Work

_DONE = Work.DONE.value

_END = Prepared(
    ingestion.update()
    .where(ingestion.c.id == bindparam("key"))
    .values(**moved(ingestion, END), **new_values(("outcome", "detail", "problems", "replayed", "seal")))
)
_ADVANCE = Prepared(ingestion.update().where(ingestion.c.id == bindparam("key")).values(new_values(("replayed",))))
_COPIES = Prepared(
    select(ingestion.c.id)
    .where(ingestion.c.document == bindparam("document"), ingestion.c.root == bindparam("root"))
    .limit(bindparam("most"))
)
_IS_COPY = Prepared(
    select(ingestion.c.id).where(ingestion.c.id == bindparam("root"), ingestion.c.document == bindparam("document"))
)


def settle(
    tx: Connection,
    derivations: Collection[int] | None,
    recipe: Recipe,
    limits: Limits,
    readings: Mapping[Key, Derived] | None = None,
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
    readings: Mapping[Key, Derived],
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
    want_renditions(tx, [(row.document, row.batch) for row in through], recipe)
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
            below = row.document, root_of(row.id, row.root)
            if below not in copies:
                copies[below] = _copies(tx, *below, limits.max_copies + 1)
            if copies[below] > limits.max_copies:
                closed[row.id] = f"max_copies={limits.max_copies}"
    return closed


def _copies(tx: Connection, document: int, root: int, most: int) -> int:
    """How often a content is in the family of a file, which may be one of them; no more are counted than that."""
    found = _COPIES.all(tx, document=document, root=root, most=most)
    return len(found) + len(_IS_COPY.all(tx, document=document, root=root))


def _end(row: Waiting, limit: str | None) -> dict[str, Any]:
    content = Ending(row.result or "", row.result_detail, row.media_type, row.result_problems)
    row.detail = content.detail
    row.outcome, problems = exhibit_end(row.name, problems_of(row.problems), content, limit)
    row.problems = problems_json(problems)
    return {
        "key": row.id,
        "outcome": row.outcome,
        "detail": row.detail,
        "problems": row.problems,
        "replayed": row.replayed,
        "seal": exhibit_seal(row),
    }
