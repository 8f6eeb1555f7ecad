"""The life of a batch's loader (SPEC D7): what each fact changes, and what is then told. Pure; the table is all of it.

A fact that comes again, or too late, changes nothing and is told nothing of: so a message, or a process that goes on
after a kill, may say it as often as it likes. The rows keep where a batch is (adapters.sql_jobs.loaders).
"""

from collections.abc import Mapping
from enum import StrEnum

import msgspec

from redwell.core.events.event import EventType
from redwell.core.jobs.batch_end import BatchEnd


class Phase(StrEnum):
    NONE = "none"
    STARTED = "started"
    ENDING = "ending"  # every row of the job is terminal
    CHECKING = "checking"  # nothing waits for its load; families and pages are looked through, chunk by chunk
    ENDED = "ended"  # everything belongs together; queue and subscription are still there
    COMPLETE = "complete"
    CANCELLING = "cancelling"  # the import was cancelled; queue and subscription are still there
    CANCELLED = "cancelled"


class Fact(StrEnum):
    JOB_STARTED = "job started"
    JOB_FINISHED = "job finished"
    ALL_LOADED = "all loaded"
    CHECKED = "checked"  # every chunk was taken, or named and gone on without
    IMPORT_CANCELLED = "import cancelled"
    CLEARED = "cleared"  # subscription and queue are gone, or there never were any


class Uploader(StrEnum):
    """What the uploader of a batch last said (SPEC E1); empty: there is none."""

    NONE = ""
    STARTED = "started"
    FINISHED = "finished"
    CANCELLED = "cancelled"
    FAILED = "failed"


class Life(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    phase: Phase = Phase.NONE
    job: int = 0
    queue: str = ""  # of its messages; empty: it has none, and looks into the rows itself
    attempt: int = 0  # how often the batch had a queue
    redrives: int = 0
    kept: int = 0  # dead letters that it left behind
    uploader: Uploader = Uploader.NONE
    end: BatchEnd = BatchEnd()


_BEGIN = (Phase.STARTED, (EventType.LOADER_STARTED,))
_CANCEL = (Phase.CANCELLING, ())
_MOVES: Mapping[tuple[Phase, Fact], tuple[Phase, tuple[EventType, ...]]] = {
    (Phase.NONE, Fact.JOB_STARTED): _BEGIN,
    (Phase.COMPLETE, Fact.JOB_STARTED): _BEGIN,  # a retry
    (Phase.CANCELLED, Fact.JOB_STARTED): _BEGIN,
    (Phase.NONE, Fact.JOB_FINISHED): (Phase.ENDING, (EventType.LOADER_STARTED, EventType.BATCH_END_START)),
    (Phase.STARTED, Fact.JOB_FINISHED): (Phase.ENDING, (EventType.BATCH_END_START,)),
    (Phase.ENDING, Fact.ALL_LOADED): (Phase.CHECKING, ()),  # chunks are told one by one (core.jobs.batch_end)
    (Phase.CHECKING, Fact.CHECKED): (Phase.ENDED, (EventType.BATCH_END_FINISHED,)),
    (Phase.ENDED, Fact.CLEARED): (Phase.COMPLETE, (EventType.LOADER_FINISHED,)),
    (Phase.NONE, Fact.IMPORT_CANCELLED): _CANCEL,
    (Phase.STARTED, Fact.IMPORT_CANCELLED): _CANCEL,
    (Phase.ENDING, Fact.IMPORT_CANCELLED): _CANCEL,
    (Phase.CHECKING, Fact.IMPORT_CANCELLED): _CANCEL,
    (Phase.ENDED, Fact.IMPORT_CANCELLED): _CANCEL,
    (Phase.CANCELLING, Fact.CLEARED): (Phase.CANCELLED, (EventType.LOADER_CANCELLED,)),
}


def moved(life: Life, fact: Fact) -> tuple[Life, tuple[EventType, ...]]:
    """Where the loader is after the fact, and what is told of it; a new start forgets the redrives before."""
    phase, told = _MOVES.get((life.phase, fact), (life.phase, ()))
    if phase is Phase.STARTED and told:
        return msgspec.structs.replace(life, phase=phase, redrives=0, end=BatchEnd()), told
    return msgspec.structs.replace(life, phase=phase), told


def is_leftover(life: Life) -> bool:
    """Whether it has a queue, or an end to tell, that somebody has still to see to."""
    return life.phase in (Phase.CHECKING, Phase.ENDED, Phase.CANCELLING)


def again_after_s(received: int, first_s: int, longest_s: int) -> int:
    """How long a message that failed waits: longer each time (SPEC D5)."""
    return min(longest_s, first_s << min(max(0, received - 1), 30))
