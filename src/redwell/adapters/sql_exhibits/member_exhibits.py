"""Members of a container become exhibits below each of its occurrences. Called by settling."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, and_, bindparam, select

from redwell.adapters.sql.list_parameters import among, as_list
from redwell.adapters.sql.prepared import Prepared, constant, insert_rows, problems_json, problems_of
from redwell.adapters.sql.tables import document, ingestion, member
from redwell.adapters.sql_exhibits import exhibit_rows
from redwell.adapters.sql_exhibits.load_queue import add_pending
from redwell.adapters.sql_exhibits.settle_rows import ROWS_PER_STEP, Waiting
from redwell.adapters.sql_ledger.contents import Key, Wanted, add_readings, context_of
from redwell.adapters.sql_ledger.renditions import want_renditions
from redwell.adapters.sql_ledger.seals import INGESTION, ingestion_seal
from redwell.core.case.exhibit_outcome import Ending, exhibit_end
from redwell.core.case.families import Position, member_position
from redwell.core.case.settled import Ended, Settled
from redwell.core.ids import uuid7_bytes
from redwell.core.names import unpacked_name
from redwell.core.outcomes import Code
from redwell.core.reading import Problem
from redwell.core.work.kinds import TaskType
from redwell.core.work.recipe import Recipe
from redwell.core.work.records import Derived
from redwell.core.work.transitions import MemberState, Stage
from redwell.core.work.volumes import ASSEMBLED, place_of

_SKIPPED = MemberState.SKIPPED.value
_RECORDS = frozenset({"record", "attached-record"})  # core.handler.Role
_WAITING, _GATHERED, _DONE = Stage.WAITING.value, Stage.GATHERED.value, Stage.DONE.value


class _Member(msgspec.Struct, gc=False):
    """One of a manifest, for one occurrence of its container; in the order of the query."""

    ordinal: int
    locator: str
    whole: str | None
    state: str
    name: str
    role: str
    document: int | None
    outcome: str | None
    detail: str
    metadata: str
    occurrence: int
    size: int | None


_MEMBERS = Prepared(
    select(
        *(member.c[field] for field in _Member.__struct_fields__[:10]),
        ingestion.c.id,
        document.c.size,
    )
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
_UID = Prepared(
    select(ingestion.c.uid).where(
        ingestion.c.parent == bindparam("parent"), ingestion.c.locator == bindparam("locator")
    )
)
_KNOWN = Prepared(
    select(ingestion.c.id, ingestion.c.document).where(
        ingestion.c.parent == bindparam("parent"), among(ingestion.c.locator, "locators")
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


def replay(
    tx: Connection, parents: Mapping[int, Waiting], recipe: Recipe, readings: Mapping[Key, Derived], settled: Settled
) -> tuple[dict[int, int], set[int]]:
    """Insert members that the parents have not seen yet; how far each parent got, and what is ahead."""
    members = _MEMBERS.of(tx, _Member, ids=as_list(parents))
    for m in members:
        m.name = m.name or unpacked_name(parents[m.occurrence].name)
    keys = [_content_of(m) for m in members]
    wanted = [
        Wanted(*key, size=m.size or 0, batch=parents[m.occurrence].batch, task=_task_of(m))
        for m, key in zip(members, keys, strict=True)
        if key
    ]
    works = add_readings(tx, wanted, recipe, readings)
    children = [
        _child_of(parents[m.occurrence], m, works.ids[key] if key else None)
        for m, key in zip(members, keys, strict=True)
        if m.state != _SKIPPED
    ]
    lost = [child for child in children if child["outcome"]]
    for child in lost:
        _seal_lost(tx, child, parents[child["parent"]].generation)
    over = [child for child in children if _end_at_once(child, parents[child["parent"]], works.endings)]
    _add(tx, children, parents, settled)
    want_renditions(tx, [(child["document"], child["batch"]) for child in over], recipe)
    settled.found += len(children)
    settled.children += [child["batch"] for child in children]
    settled.outcomes += [Ended(child["batch"], child["outcome"]) for child in lost]
    waiting = {child["derivation"] for child in children if child["state"] == _WAITING}
    return {m.occurrence: m.ordinal + 1 for m in members}, works.ahead & waiting


def _end_at_once(child: dict[str, Any], parent: Waiting, endings: Mapping[int, Ending]) -> bool:
    """Whether nothing is left to wait for. A later reading may meet an exhibit that is there, and has a uid."""
    content = endings.get(child["derivation"])
    if content is None or parent.generation > 1:
        return False
    child["outcome"], problems = exhibit_end(child["name"], problems_of(child["problems"]), content)
    child["problems"] = problems_json(problems)
    child["state"], child["detail"] = _DONE, content.detail
    child["seal"] = ingestion_seal(child)
    return True


def _add(tx: Connection, children: Sequence[dict[str, Any]], parents: Mapping[int, Waiting], settled: Settled) -> None:
    newest = exhibit_rows.newest(tx)
    _ADD_CHILD.many(tx, children)
    new = exhibit_rows.register_members(tx, {child["parent"] for child in children}, newest)
    done = [r for r in new if r.is_done]
    add_pending(tx, [r.id for r in done])
    settled.outcomes += [Ended(r.batch, r.outcome or "", r.id, r.document) for r in done if r.document is not None]
    for parent in (row for row in parents.values() if row.generation > 1):
        _meet_again(tx, parent.id, [child["locator"] for child in children if child["parent"] == parent.id])


def _meet_again(tx: Connection, parent: int, locators: Sequence[str]) -> None:
    """A later reading may have brought the bytes of a member, or lost it once more."""
    known = _KNOWN.all(tx, parent=parent, locators=as_list(locators))
    exhibit_rows.hold_contents(tx, [(key, content) for key, content in known if content is not None])
    add_pending(tx, [key for key, content in known if content is None])


def _content_of(m: _Member) -> tuple[int, str] | None:
    """What the work on it hangs on; nothing for one without bytes, and not yet for what may be a volume of a set."""
    if m.role in _RECORDS and m.document is not None:
        return m.document, ASSEMBLED
    return (m.document, context_of(m.name)) if m.document is not None and place_of(m.name) is None else None


def _task_of(m: _Member) -> TaskType:
    return TaskType.UNPACK_LOADFILE_RECORD if m.role in _RECORDS else TaskType.EXTRACT_TEXT


def _child_of(parent: Waiting, m: _Member, work: int | None) -> dict[str, Any]:
    has_bytes = m.document is not None
    position = member_position(parent.id, Position(parent.path, parent.root, parent.depth), m.name)
    return {
        "uid": uuid7_bytes(),
        "batch": parent.batch,
        "parent": parent.id,
        "locator": m.locator,
        "whole": m.whole,
        "source": 0,
        "name": m.name,
        "path": position.path,
        "root": position.root,
        "ordinal": m.ordinal,
        "depth": position.depth,
        "role": m.role,
        "state": _WAITING if work else _GATHERED if has_bytes else _DONE,
        "document": m.document,
        "derivation": work,
        "listed": None,
        "outcome": None if has_bytes else m.outcome,
        "detail": "" if has_bytes else m.detail,
        "problems": "[]" if has_bytes else problems_json([Problem(code=Code.MEMBER_FAILED, detail=m.detail)]),
        "size": m.size,
        "dates": "{}",
        "metadata": m.metadata,
        "seal": None,
    }


def _seal_lost(tx: Connection, child: dict[str, Any], generation: int) -> None:
    """A member without bytes is done at once. One that an earlier reading lost already keeps its uid."""
    if generation > 1:
        for (uid,) in _UID.all(tx, parent=child["parent"], locator=child["locator"]):
            child["uid"] = uid
    child["seal"] = ingestion_seal(child)
