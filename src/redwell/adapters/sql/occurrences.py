"""Occurrences: how an item that was found becomes an exhibit with an outcome, and its members too."""

from collections.abc import Collection, Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, bindparam, select

from redwell.adapters.sql.contents import Recipe
from redwell.adapters.sql.pending import add_pending
from redwell.adapters.sql.replaying import replay
from redwell.adapters.sql.row_seals import exhibit_seal
from redwell.adapters.sql.schema import ingestion
from redwell.adapters.sql.settled import Ended, Limits, Settled
from redwell.adapters.sql.statements import Prepared, as_json, constant, new_values
from redwell.adapters.sql.volumes import join_members
from redwell.adapters.sql.waiting import ROWS_PER_STEP, Waiting, ready, ready_of, still_ahead
from redwell.core.ledger import Stage, Work
from redwell.core.media import expected_types
from redwell.core.outcomes import Code, Outcome

_DONE = Work.DONE.value
_OWN_PROBLEMS = frozenset({Code.LIMIT_REACHED, Code.TYPE_MISMATCH})  # an occurrence gets them when it ends

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


def settle(tx: Connection, derivations: Collection[int] | None, recipe: Recipe, limits: Limits) -> Settled:
    """Bring waiting occurrences up to their derivation: new members become rows, a finished one ends.

    What is left over (many members, many occurrences) is found by the next call.
    """
    settled = Settled()
    if derivations is None:
        todo, rows = set[int](), ready(tx, limits.max_depth)
    else:
        todo, rows = set(derivations), ready_of(tx, derivations, limits.max_depth)
    while rows:
        ahead = _settle_rows(tx, rows, recipe, limits, settled)
        todo |= ahead
        if settled.moved + settled.found >= ROWS_PER_STEP:
            settled.left_over = still_ahead(tx, todo, limits.max_depth)
            break
        rows = ready_of(tx, ahead, limits.max_depth)
    return settled


def _settle_rows(tx: Connection, rows: Sequence[Waiting], recipe: Recipe, limits: Limits, settled: Settled) -> set[int]:
    """One round; the derivations that new children wait on and that are ahead of them already."""
    settled.moved += len(rows)
    containers = [row for row in rows if row.members]
    closed = _kept_closed(tx, containers, limits)
    opened = {row.id: row for row in containers if row.members > row.replayed and row.id not in closed}
    reached, ahead = replay(tx, opened, recipe, settled) if opened else ({}, set())
    for key, replayed in reached.items():
        opened[key].replayed = replayed
    ended = [row for row in rows if row.work == _DONE and (row.replayed == row.members or row.id in closed)]
    ends = [_end(row, closed.get(row.id)) for row in ended]
    _END.many(tx, ends)
    over = {row.id for row in ended}
    _ADVANCE.many(tx, [{"key": key, "replayed": reached[key]} for key in reached.keys() - over])
    add_pending(tx, [row.id for row in ended])
    settled.outcomes += [
        Ended(row.batch, end["outcome"], row.id, row.document) for row, end in zip(ended, ends, strict=True)
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
    outcome, problems = row.result, _problems_of_reading(row.problems)
    if limit:
        outcome = Outcome.PARTIAL.value
        problems.append({"code": Code.LIMIT_REACHED, "detail": f"{limit}: its members were not opened"})
    expected = expected_types(row.name)
    if expected and outcome != Outcome.EMPTY and row.media_type and row.media_type not in expected:
        problems.append({"code": Code.TYPE_MISMATCH, "detail": f"the content is {row.media_type}"})
    row.outcome, row.detail, row.problems = outcome, row.result_detail, as_json(problems) if problems else "[]"
    return {
        "key": row.id,
        "outcome": row.outcome,
        "detail": row.detail,
        "problems": row.problems,
        "replayed": row.replayed,
        "seal": exhibit_seal(row),
    }


def _problems_of_reading(problems: str) -> list[dict[str, str]]:
    """A reopened occurrence ends a second time; what its first end added is said anew or not at all."""
    if problems == "[]":
        return []
    return [p for p in msgspec.json.decode(problems) if p["code"] not in _OWN_PROBLEMS]
