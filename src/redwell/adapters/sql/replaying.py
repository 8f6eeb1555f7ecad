"""Members of a container become exhibits below each of its occurrences. Called by settling."""

from collections.abc import Mapping
from typing import Any

import msgspec
from sqlalchemy import Connection, and_, bindparam, func, select

from redwell.adapters.sql.contents import Ending, Key, Recipe, add_derivations, context_of
from redwell.adapters.sql.exhibit_ends import ended
from redwell.adapters.sql.lists import among, as_list
from redwell.adapters.sql.pending import add_pending, add_pending_children
from redwell.adapters.sql.row_seals import INGESTION, ingestion_seal
from redwell.adapters.sql.schema import document, ingestion, member
from redwell.adapters.sql.settled import Ended, Settled
from redwell.adapters.sql.statements import Prepared, as_json, constant, insert_rows
from redwell.adapters.sql.waiting import ROWS_PER_STEP, Waiting
from redwell.core.ids import uuid7_bytes
from redwell.core.ledger import MemberState, Stage
from redwell.core.names import unpacked_name
from redwell.core.outcomes import Code
from redwell.core.records import Reading
from redwell.core.volumes import place_of

_SKIPPED = MemberState.SKIPPED.value
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
_NEWEST = Prepared(select(func.coalesce(func.max(ingestion.c.id), constant(0))))
_ENDED = Prepared(
    select(*(ingestion.c[field] for field in ("batch", "outcome", "id", "document"))).where(
        ingestion.c.id > bindparam("newest"),
        ingestion.c.state == constant(Stage.DONE),
        ingestion.c.document.is_not(None),
        # found by the ids, not by the parents: a mailbox may have a million members already
        among(ingestion.c.parent + constant(0), "parents"),
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
    tx: Connection, parents: Mapping[int, Waiting], recipe: Recipe, readings: Mapping[Key, Reading], settled: Settled
) -> tuple[dict[int, int], set[int]]:
    """Insert members that the parents have not seen yet; how far each parent got, and what is ahead."""
    members = _MEMBERS.of(tx, _Member, ids=as_list(parents))
    for m in members:
        m.name = m.name or unpacked_name(parents[m.occurrence].name)
    keys = [_content_of(m) for m in members]
    wanted = [(*key, m.size or 0, parents[m.occurrence].batch) for m, key in zip(members, keys, strict=True) if key]
    works = add_derivations(tx, wanted, recipe, readings)
    children = [
        _child_of(parents[m.occurrence], m, works.ids[key] if key else None)
        for m, key in zip(members, keys, strict=True)
        if m.state != _SKIPPED
    ]
    lost = [child for child in children if child["outcome"]]
    for child in lost:
        _seal_lost(tx, child, parents[child["parent"]].generation)
    over = [child for child in children if _end_at_once(child, parents[child["parent"]], works.endings)]
    _add(tx, children, over, settled)
    add_pending_children(tx, [(child["parent"], child["locator"]) for child in lost])
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
    child["outcome"], child["problems"] = ended(child["name"], child["problems"], content)
    child["state"], child["detail"] = _DONE, content.detail
    child["seal"] = ingestion_seal(child)
    return True


def _add(tx: Connection, children: list[dict[str, Any]], over: list[dict[str, Any]], settled: Settled) -> None:
    [(newest,)] = _NEWEST.all(tx) if over else [(0,)]
    _ADD_CHILD.many(tx, children)
    if over:
        ends = _ENDED.of(tx, Ended, newest=newest, parents=as_list({child["parent"] for child in over}))
        add_pending(tx, [end.exhibit for end in ends])
        settled.outcomes += ends


def _content_of(m: _Member) -> tuple[int, str] | None:
    """What the work on it hangs on; nothing for one without bytes, and not yet for what may be a volume of a set."""
    return (m.document, context_of(m.name)) if m.document is not None and place_of(m.name) is None else None


def _child_of(parent: Waiting, m: _Member, work: int | None) -> dict[str, Any]:
    has_bytes = m.document is not None
    return {
        "uid": uuid7_bytes(),
        "batch": parent.batch,
        "parent": parent.id,
        "locator": m.locator,
        "whole": m.whole,
        "source": 0,
        "name": m.name,
        "path": f"{parent.path}//{m.name}",
        "root": parent.root or parent.id,
        "number": parent.number,
        "ordinal": m.ordinal,
        "control": f"{parent.control}.{m.ordinal + 1:04d}",
        "depth": parent.depth + 1,
        "role": m.role,
        "state": _WAITING if work else _GATHERED if has_bytes else _DONE,
        "document": m.document,
        "derivation": work,
        "listed": None,
        "outcome": None if has_bytes else m.outcome,
        "detail": "" if has_bytes else m.detail,
        "problems": "[]" if has_bytes else as_json([{"code": Code.MEMBER_FAILED, "detail": m.detail}]),
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
