"""The life of a batch's uploader (SPEC E1): what each fact changes, and what is then told. Pure; the table is all.

It hands the PDFs of a batch to a viewing engine of its own. What it begins takes a while (compute that is made, or
taken down), so it tells itself of it, and looks again when that comes back. A fact that comes again, or too late,
changes nothing. The rows keep where a batch is (adapters.sql_jobs.uploaders).
"""

from collections.abc import Collection, Mapping
from enum import StrEnum

import msgspec

from redwell.core.events.event import EventType

MOST_TRIES = 3  # to make its compute
LOOK_S = 60  # until it looks again how far its compute is


class UploaderPhase(StrEnum):
    NONE = "none"
    PREPARED = "prepared"  # its queues are there and subscribed
    THROTTLED = "throttled"
    CREATING = "creating"
    STARTED = "started"
    DELETING = "deleting"
    CANCELLING = "cancelling"
    FINISHED = "finished"
    CANCELLED = "cancelled"
    FAILED = "failed"


class UploaderFact(StrEnum):
    PREPARED = "prepared"
    BUSY = "busy"  # too many connections are in use
    INITIATED = "initiated"  # compute is being made
    RUNNING = "running"
    DRAINED = "drained"  # the load is over, and nothing is left in its queues
    CANCELLED = "import cancelled"
    CLEARED = "cleared"  # subscription, queues and compute are gone
    GIVEN_UP = "given up"


_P, _F = UploaderPhase, UploaderFact
WAITING = frozenset({_P.PREPARED, _P.THROTTLED})
LIVE = frozenset({*WAITING, _P.CREATING, _P.STARTED})
ENDING = frozenset({_P.DELETING, _P.CANCELLING})
OVER = frozenset({_P.NONE, _P.FINISHED, _P.CANCELLED, _P.FAILED})


class UploaderLife(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    phase: UploaderPhase = UploaderPhase.NONE
    job: int = 0
    workers: int = 0  # that the job may have at most; 0: any number
    attempt: int = 0  # how often the batch had queues
    queue: str = ""
    tries: int = 0
    is_draining: bool = False  # the job is over: no PDF comes any more
    kept: int = 0  # dead letters that it left behind

    @property
    def is_over(self) -> bool:
        return self.phase in OVER


_MOVES: Mapping[tuple[UploaderPhase, UploaderFact], tuple[UploaderPhase, EventType | None]] = {
    **{(before, _F.PREPARED): (_P.PREPARED, None) for before in OVER},
    (_P.PREPARED, _F.BUSY): (_P.THROTTLED, EventType.UPLOADER_THROTTLED),
    **{(before, _F.INITIATED): (_P.CREATING, EventType.UPLOADER_CREATE_INITIATED) for before in WAITING},
    (_P.CREATING, _F.RUNNING): (_P.STARTED, EventType.UPLOADER_STARTED),
    **{(before, _F.DRAINED): (_P.DELETING, EventType.UPLOADER_DELETE_INITIATED) for before in LIVE},
    **{(p, _F.CANCELLED): (_P.CANCELLING, EventType.UPLOADER_CANCEL_INITIATED) for p in {*LIVE, _P.DELETING}},
    (_P.DELETING, _F.CLEARED): (_P.FINISHED, EventType.UPLOADER_FINISHED),
    (_P.CANCELLING, _F.CLEARED): (_P.CANCELLED, EventType.UPLOADER_CANCELLED),
    **{(before, _F.GIVEN_UP): (_P.FAILED, EventType.UPLOADER_FAILED) for before in {*LIVE, *ENDING}},
}
# what it tells itself, by where it is then
OWN = {
    _P.THROTTLED: EventType.UPLOADER_THROTTLED,
    _P.CREATING: EventType.UPLOADER_CREATE_INITIATED,
    _P.DELETING: EventType.UPLOADER_DELETE_INITIATED,
    _P.CANCELLING: EventType.UPLOADER_CANCEL_INITIATED,
}


def moved(life: UploaderLife, fact: UploaderFact) -> tuple[UploaderLife, EventType | None]:
    """Where the uploader is after the fact, and what is told of it; nothing of one that changes nothing."""
    found = _MOVES.get((life.phase, fact))
    if found is None:
        return life, None
    return msgspec.structs.replace(life, phase=found[0]), found[1]


def has_leftovers(lives: Mapping[int, UploaderLife], working: Collection[int]) -> bool:
    """Whether one is to be gone on with whose batch is not among those that somebody works on."""
    return any(not life.is_over for batch, life in lives.items() if batch not in working)
