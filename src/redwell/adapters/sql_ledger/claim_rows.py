"""Claims on derivations: taken, given back, and the fence that later writes pass (core.work.transitions's rules)."""

from collections.abc import Collection, Sequence
from itertools import groupby
from typing import NamedTuple

import msgspec
from sqlalchemy import ColumnElement, Connection, bindparam, func, or_, select

from redwell.adapters.sql.list_parameters import among, as_list
from redwell.adapters.sql.long_locators import whole_locator
from redwell.adapters.sql.moves import movable, moved
from redwell.adapters.sql.prepared import Prepared, constant
from redwell.adapters.sql.tables import blob, derivation, document, ingestion, member, wanted
from redwell.adapters.sql_ledger.part_rows import volumes_for
from redwell.adapters.sql_ledger.text_first import most_beside_text
from redwell.core.blobs import Location
from redwell.core.work import transitions
from redwell.core.work.kinds import KINDS, Attempts, Phase, Profile, Purpose, Table, TaskType, by_table
from redwell.core.work.lanes import Lane
from redwell.core.work.records import Claim
from redwell.core.work.transitions import CLAIM, RELEASE, MemberState, Stage, Work
from redwell.ports.ledger import Want


class Claimable(msgspec.Struct, gc=False):
    """A derivation that waits for a worker, and where its content lies; the fields are `CLAIMABLE`, in their order."""

    id: int
    attempt: int
    task: str
    profile: str
    engine: str
    lane: str
    tries: int
    context: str
    members: int
    generation: int
    sha256: bytes
    hash_kind: str
    pack: str
    offset: int
    length: int


class Held(msgspec.Struct, gc=False):
    """A derivation whose claim stands, with what its seal is about besides its result."""

    id: int
    attempt: int
    document: int
    batch: int | None
    purpose: str
    task: str
    input: bytes | None
    engine: str
    settings: str
    context: str
    generation: int
    members: int  # raised by whoever adds some


_OPEN: tuple[ColumnElement[bool], ...] = (derivation.c.state != constant(Work.DONE),)
CLAIMABLE = (
    *(
        derivation.c[c]
        for c in ("id", "attempt", "task", "profile", "engine", "lane", "tries", "context", "members", "generation")
    ),
    *(blob.c.sha256, document.c.hash_kind, blob.c.pack, blob.c.offset, blob.c.length),
)
ABOUT = blob.c.sha256 == func.coalesce(derivation.c.input, document.c.sha256)  # its own bytes, or an artifact's
_queued = (
    select(*CLAIMABLE)
    .join_from(derivation, document, derivation.c.document == document.c.id)
    .join(blob, ABOUT)
    .where(
        *_OPEN,
        movable(derivation, CLAIM),
        derivation.c.batch == bindparam("batch"),
        derivation.c.task == bindparam("task"),
        derivation.c.profile == bindparam("profile"),
        derivation.c.lane == bindparam("lane"),
    )
    .order_by(derivation.c.id)
    .limit(bindparam("limit"))
)
WAITS = (
    ingestion.c.state != constant(Stage.DONE),
    ingestion.c.state == constant(Stage.WAITING),
    ingestion.c.source == constant(0),
    ingestion.c.batch == bindparam("batch"),
)
_borrowed = (  # what the batch waits for, though another one asked for it first
    select(*CLAIMABLE)
    .join_from(ingestion, derivation, ingestion.c.derivation == derivation.c.id)
    .join(document, derivation.c.document == document.c.id)
    .join(blob, ABOUT)
    .where(
        *WAITS,
        movable(derivation, CLAIM),
        derivation.c.task == bindparam("task"),
        derivation.c.profile == bindparam("profile"),
        derivation.c.lane == bindparam("lane"),
    )
    .order_by(ingestion.c.id)
    .limit(bindparam("limit"))
)
_lent = (  # the same of renditions
    select(*CLAIMABLE)
    .join_from(wanted, derivation, wanted.c.derivation == derivation.c.id)
    .join(document, derivation.c.document == document.c.id)
    .join(blob, ABOUT)
    .where(
        wanted.c.batch == bindparam("batch"),
        movable(derivation, CLAIM),
        derivation.c.task == bindparam("task"),
        derivation.c.profile == bindparam("profile"),
        derivation.c.lane == bindparam("lane"),
    )
    .limit(bindparam("limit"))
)
_QUEUED, _BORROWED, _LENT = Prepared(_queued), Prepared(_borrowed), Prepared(_lent)
_AHEAD = Prepared(  # occurrences of a batch that a dead worker, or one on another job, left behind their content
    select(ingestion.c.derivation)
    .join_from(ingestion, derivation, ingestion.c.derivation == derivation.c.id)
    .where(*WAITS, or_(derivation.c.state == constant(Work.DONE), derivation.c.members > ingestion.c.replayed))
    .limit(constant(500))
)
_OTHERS = Prepared(
    select(derivation.c.owner)
    .distinct()
    .where(*_OPEN, derivation.c.state == constant(Work.LEASED), derivation.c.batch == bindparam("batch"))
)
_LEASE = Prepared(derivation.update().where(among(derivation.c.id, "ids")).values(moved(derivation, CLAIM)))
_RELEASE = Prepared(derivation.update().where(among(derivation.c.id, "ids")).values(moved(derivation, RELEASE)))
_LEAVE = Prepared(
    derivation.update()
    .where(among(derivation.c.id, "ids"))
    .values(**moved(derivation, RELEASE), task=constant(TaskType.UNPACK_DOCUMENT))
)
_LIVE = Prepared(
    select(*(derivation.c[field] for field in Held.__struct_fields__)).where(
        among(derivation.c.id, "ids"), derivation.c.state == constant(Work.LEASED)
    )
)


class Taker(NamedTuple):
    """Who claims, and how often whose documents are tried."""

    worker: str
    attempts: Table = by_table


def claim_work(tx: Connection, limit: int, max_bytes: int, want: Want, taker: Taker) -> list[Claim]:
    """Up to `limit` small documents of together `max_bytes`, else one large one; all of one kind, the first first."""
    return [] if is_full(tx, want, taker.worker) else lease(tx, _first(tx, want, limit, max_bytes), taker)


def is_full(tx: Connection, want: Want, worker: str) -> bool:
    """As many others as may be are on the job."""
    others = {owner for (owner,) in _OTHERS.all(tx, batch=want.batch)} - {worker} if want.workers else ()
    return bool(want.workers) and len(others) >= want.workers


def lease(tx: Connection, taken: Sequence[Claimable], taker: Taker) -> list[Claim]:
    if taken:
        _LEASE.run(tx, ids=as_list(row.id for row in taken), worker=taker.worker)
    return [_claim(tx, row, taker.attempts(TaskType(row.task))) for row in taken]


def _first(tx: Connection, want: Want, limit: int, max_bytes: int) -> list[Claimable]:
    """Its own work first, then what it waits for in the queue of another batch; text before renditions before OCR."""
    for phase, turns in groupby(want.turns, key=lambda turn: KINDS[turn[0]].phase):
        mine = list(turns)
        if phase is not Phase.TEXT:
            limit = most_beside_text(tx, want, limit)
            if not limit:
                return []
        for queue in (_QUEUED, _BORROWED if phase is Phase.TEXT else _LENT):
            for task, profile in mine:
                part = {"batch": want.batch, "task": task, "profile": profile}
                if small := queue.of(tx, Claimable, **part, lane=Lane.SMALL, limit=limit):
                    return _together(small, max_bytes)
                if want.large and (large := queue.of(tx, Claimable, **part, lane=Lane.LARGE, limit=1)):
                    return large
    return []


def _together(rows: Sequence[Claimable], max_bytes: int) -> list[Claimable]:
    total, taken = 0, dict[int, Claimable]()
    for row in rows:
        total += row.length
        if taken and total > max_bytes:
            break
        taken[row.id] = row
    return list(taken.values())


def ahead(tx: Connection, key: int) -> set[int]:
    """Derivations with something for waiting occurrences of a batch."""
    return {work for (work,) in _AHEAD.all(tx, batch=key)}


def _claim(tx: Connection, row: Claimable, attempts: Attempts) -> Claim:
    after, skip = _resumed(tx, row) if row.members else (None, ())
    return Claim(
        id=row.id,
        attempt=row.attempt + 1,
        task=TaskType(row.task),
        profile=Profile(row.profile),
        engine="" if KINDS[TaskType(row.task)].purpose is Purpose.READ else row.engine.partition("/")[0],
        lane=Lane(row.lane),
        sha256=row.sha256,
        location=Location(row.pack, row.offset, row.length),
        context=row.context,
        after=after,
        skip=skip,
        volumes=volumes_for(tx, row.id, row.task, row.context),
        synthetic=row.hash_kind == "synthetic",
        plain=transitions.is_plain(transitions.Derivation(lane=Lane(row.lane), tries=row.tries), attempts),
    )


def _resumed(tx: Connection, row: Claimable) -> tuple[str | None, tuple[str, ...]]:
    """Where reading goes on: behind the last member of a first reading; a later one skips what it has lost."""
    read = (member.c.derivation == row.id, member.c.generation == row.generation)
    locators = select(whole_locator(member)).where(*read)
    if row.generation == 1:
        return tx.execute(locators.order_by(member.c.ordinal.desc()).limit(1)).scalar(), ()
    return None, tuple(tx.execute(locators.where(member.c.state == MemberState.FAILED)).scalars())


Live = dict[tuple[int, int], Held]


def live_claims(tx: Connection, claims: Collection[tuple[int, int]]) -> Live:
    """The rows of those (derivation, attempt) pairs whose claim still stands: the fence."""
    rows = _LIVE.of(tx, Held, ids=as_list({key for key, _ in claims})) if claims else []
    asked = set(claims)
    return {claim: row for row in rows if (claim := (row.id, row.attempt)) in asked}


def release(tx: Connection, claims: Sequence[tuple[int, int]]) -> None:
    _RELEASE.run(tx, ids=as_list(key for key, _ in live_claims(tx, claims)))


def leave_containers(tx: Connection, claims: Sequence[tuple[int, int]]) -> None:
    """A release that tells what was seen; whoever ends the work says for good whether it is a container."""
    _LEAVE.run(tx, ids=as_list(key for key, _ in live_claims(tx, claims)))
