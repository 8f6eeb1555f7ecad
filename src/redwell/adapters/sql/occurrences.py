"""Occurrences: how an item that was found becomes an exhibit with an outcome, and its members too."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, Select, and_, bindparam, or_, select

from redwell.adapters.sql.children import child_row
from redwell.adapters.sql.contents import Recipe, add_derivations, context_of
from redwell.adapters.sql.lists import among, as_list
from redwell.adapters.sql.pending import add_pending, add_pending_children
from redwell.adapters.sql.row_seals import INGESTION, ingestion_seal
from redwell.adapters.sql.schema import derivation, document, ingestion, member
from redwell.adapters.sql.settled import Ended, Limits, Settled
from redwell.adapters.sql.statements import Prepared, as_json, constant, insert_rows, new_values
from redwell.adapters.sql.volumes import join_members
from redwell.core.ledger import MemberState, Stage, Work
from redwell.core.media import expected_types
from redwell.core.names import unpacked_name
from redwell.core.outcomes import Code, Outcome
from redwell.core.volumes import place_of

ROWS_PER_STEP = 500
_DONE, _SKIPPED = Work.DONE.value, MemberState.SKIPPED.value

_WAITING = ingestion.c.state == constant(Stage.WAITING)
_OWN_PROBLEMS = frozenset({Code.LIMIT_REACHED, Code.TYPE_MISMATCH})  # an occurrence gets them when it ends


def _ready() -> Select[Any]:
    """Occurrences whose derivation is ahead of them.

    Members of a first reading are final at once; those of a later one may still gain bytes until it is over.
    """
    has_news = and_(
        derivation.c.generation == constant(1),
        derivation.c.members > ingestion.c.replayed,
        ingestion.c.depth < bindparam("max_depth"),
    )
    return (
        select(
            ingestion,
            derivation.c.state.label("work"),
            derivation.c.generation,
            derivation.c.members,
            derivation.c.media_type,
            derivation.c.outcome.label("result"),
            derivation.c.detail.label("result_detail"),
        )
        .join_from(ingestion, derivation, ingestion.c.derivation == derivation.c.id)
        .where(_WAITING, or_(derivation.c.state == constant(Work.DONE), has_news))
        .limit(constant(ROWS_PER_STEP))
    )


_READY = Prepared(_ready())
_READY_OF = Prepared(_ready().where(among(ingestion.c.derivation, "derivations")))
_END = Prepared(
    ingestion.update()
    .where(ingestion.c.id == bindparam("key"))
    .values(state=constant(Stage.DONE), **new_values(("outcome", "detail", "problems", "replayed", "seal")))
)
_ADVANCE = Prepared(ingestion.update().where(ingestion.c.id == bindparam("key")).values(new_values(("replayed",))))
_MEMBERS = Prepared(
    select(ingestion.c.id.label("occurrence"), member, document.c.size)
    .join_from(
        ingestion,
        member,
        and_(
            member.c.derivation == ingestion.c.derivation,
            member.c.ordinal >= ingestion.c.replayed,
            # no more can be taken; PostgreSQL would sort a whole mailbox to find the first of them
            member.c.ordinal < ingestion.c.replayed + constant(ROWS_PER_STEP),
        ),
    )
    .join(document, member.c.document == document.c.id, isouter=True)
    .where(among(ingestion.c.id, "ids"))
    .order_by(ingestion.c.id, member.c.ordinal)
    .limit(constant(ROWS_PER_STEP))
)
_COPIES = Prepared(
    select(ingestion.c.id)
    .where(ingestion.c.document == bindparam("document"), ingestion.c.number == bindparam("number"))
    .limit(bindparam("most"))
)
_UID = Prepared(
    select(ingestion.c.uid).where(
        ingestion.c.parent == bindparam("parent"), ingestion.c.locator == bindparam("locator")
    )
)
_child_row = insert_rows(ingestion, (*INGESTION, "state", "seal"))
_gained = tuple(
    "name path role state document derivation outcome detail problems size metadata seal".split()
)  # by a later reading, when an earlier one had no bytes
_ADD_CHILD = Prepared(
    _child_row.on_conflict_do_update(
        index_elements=["parent", "locator"],
        set_={column: _child_row.excluded[column] for column in _gained},
        where=ingestion.c.document.is_(None),
    )
)


def settle(tx: Connection, derivations: Iterable[int] | None, recipe: Recipe, limits: Limits) -> Settled:
    """Bring waiting occurrences up to their derivation: new members become rows, a finished one ends.

    What is left over (many members, many occurrences) is found by the next call.
    """
    settled = Settled()
    if derivations is None:
        todo, rows = set[int](), _READY.rows(tx, max_depth=limits.max_depth)
    else:
        todo, rows = set(derivations), _ready_of(tx, derivations, limits.max_depth)
    while rows:
        ahead = _settle_rows(tx, rows, recipe, limits, settled)
        todo |= ahead
        if settled.moved + settled.found >= ROWS_PER_STEP:
            settled.left_over = todo
            break
        rows = _ready_of(tx, ahead, limits.max_depth)
    return settled


def _ready_of(tx: Connection, derivations: Iterable[int], max_depth: int) -> list[dict[str, Any]]:
    keys = as_list(derivations)
    return _READY_OF.rows(tx, max_depth=max_depth, derivations=keys) if keys else []


def _settle_rows(
    tx: Connection, rows: Sequence[Mapping[str, Any]], recipe: Recipe, limits: Limits, settled: Settled
) -> set[int]:
    """One round; the derivations that new children wait on and that are ahead of them already."""
    settled.moved += len(rows)
    closed = _kept_closed(tx, rows, limits)
    opened = {r["id"]: r for r in rows if r["members"] > r["replayed"] and r["id"] not in closed}
    reached, ahead = _replay(tx, opened, recipe, settled) if opened else ({}, set())
    ends, moved = [], []
    for row in rows:
        replayed = reached.get(row["id"], row["replayed"])
        if row["work"] == _DONE and (replayed == row["members"] or row["id"] in closed):
            ends.append(_end(row, replayed, closed.get(row["id"])))
        elif replayed > row["replayed"]:
            moved.append({"key": row["id"], "replayed": replayed})
    _END.many(tx, ends)
    _ADVANCE.many(tx, moved)
    add_pending(tx, [end["key"] for end in ends])
    containers: dict[int, list[int]] = {}
    known = {row["id"]: row for row in rows}
    for end in ends:
        row = known[end["key"]]
        settled.outcomes.append(Ended(row["batch"], end["outcome"], end["key"], row["document"]))
        if row["members"]:
            containers.setdefault(row["batch"], []).append(end["key"])
    return ahead | join_members(tx, containers, recipe)


def _kept_closed(tx: Connection, rows: Sequence[Mapping[str, Any]], limits: Limits) -> dict[int, str]:
    """Containers that are not opened here, and the limit that says so: archives may contain themselves, twice."""
    closed = {}
    copies: dict[tuple[int, int], int] = {}
    for row in rows:
        if not row["members"]:
            continue
        if row["depth"] >= limits.max_depth:
            closed[row["id"]] = f"max_depth={limits.max_depth}"
        elif row["depth"] and not row["replayed"]:
            below = row["document"], row["number"]
            if below not in copies:
                rows_below = _COPIES.rows(tx, document=below[0], number=below[1], most=limits.max_copies + 1)
                copies[below] = len(rows_below)
            if copies[below] > limits.max_copies:
                closed[row["id"]] = f"max_copies={limits.max_copies}"
    return closed


def _end(row: Mapping[str, Any], replayed: int, limit: str | None) -> dict[str, Any]:
    outcome, problems = row["result"], _problems_of_reading(row["problems"])
    if limit:
        outcome = Outcome.PARTIAL.value
        problems.append({"code": Code.LIMIT_REACHED, "detail": f"{limit}: its members were not opened"})
    expected = expected_types(row["name"])
    if expected and outcome != Outcome.EMPTY and row["media_type"] and row["media_type"] not in expected:
        problems.append({"code": Code.TYPE_MISMATCH, "detail": f"the content is {row['media_type']}"})
    new = {
        "key": row["id"],
        "outcome": outcome,
        "detail": row["result_detail"],
        "problems": as_json(problems) if problems else "[]",
        "replayed": replayed,
    }
    new["seal"] = ingestion_seal({**row, **new})
    return new


def _problems_of_reading(problems: str) -> list[dict[str, str]]:
    """A reopened occurrence ends a second time; what its first end added is said anew or not at all."""
    if problems == "[]":
        return []
    return [p for p in msgspec.json.decode(problems) if p["code"] not in _OWN_PROBLEMS]


def _replay(
    tx: Connection, parents: Mapping[int, Mapping[str, Any]], recipe: Recipe, settled: Settled
) -> tuple[dict[int, int], set[int]]:
    """Insert members that the parents have not seen yet; how far each parent got, and what is ahead."""
    members = _MEMBERS.rows(tx, ids=as_list(parents))
    for m in members:
        m["name"] = m["name"] or unpacked_name(parents[m["occurrence"]]["name"])
    wanted = [
        (m["document"], context_of(m["name"]), m["size"], parents[m["occurrence"]]["batch"])
        for m in members
        if m["document"] is not None and place_of(m["name"]) is None
    ]
    works = add_derivations(tx, wanted, recipe)
    children = [child_row(parents[m["occurrence"]], m, works) for m in members if m["state"] != _SKIPPED]
    lost = [child for child in children if child["outcome"]]
    for child in lost:
        _seal_lost(tx, child, parents[child["parent"]]["generation"])
    _ADD_CHILD.many(tx, children)
    add_pending_children(tx, [(child["parent"], child["locator"]) for child in lost])
    settled.found += len(children)
    settled.children += [child["batch"] for child in children]
    settled.outcomes += [Ended(child["batch"], child["outcome"]) for child in lost]
    return {m["occurrence"]: m["ordinal"] + 1 for m in members}, works.ahead


def _seal_lost(tx: Connection, child: dict[str, Any], generation: int) -> None:
    """A member without bytes is done at once. One that an earlier reading lost already keeps its uid."""
    if generation > 1:
        for (uid,) in _UID.all(tx, parent=child["parent"], locator=child["locator"]):
            child["uid"] = uid
    child["seal"] = ingestion_seal(child)
