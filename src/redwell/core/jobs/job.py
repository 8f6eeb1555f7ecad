"""A job: one processing run of a batch (SPEC A1). A batch has one at a time; a retry after its end is another."""

from dataclasses import dataclass
from enum import StrEnum

from redwell.core.jobs.priority import DEFAULT, effective, order
from redwell.core.jobs.schedule import Waiting

GC = "gc"  # a process that works on no job and deletes files that nobody needs


class JobKind(StrEnum):
    IMPORT = "import"
    RETRY = "retry"
    RENDER = "render"  # of renditions that somebody asked for
    IDLE = "idle"  # of lazy ones that nobody has asked for yet (runtime.serving.idle_renditions)


class JobState(StrEnum):
    QUEUED = "queued"  # no worker has begun
    RUNNING = "running"
    CANCELLING = "cancelling"  # what is open is being ended; nothing new is begun
    FINISHED = "finished"
    CANCELLED = "cancelled"


STOPPED = "stopped"  # what people are told of a job that was begun and that nobody works on; no state of the row


def shown_state(state: JobState, documents: int, at_work: bool) -> str:
    """A job that was begun, by its row or by the documents that were found, runs only while somebody is at work."""
    begun = state is JobState.RUNNING or (state is JobState.QUEUED and documents > 0)
    return STOPPED if begun and not at_work else state.value


@dataclass(frozen=True, slots=True, kw_only=True)
class NewJob:
    kind: JobKind = JobKind.IMPORT
    priority: int = DEFAULT
    workers: int = 0  # at once, at most; 0: any number
    host: str = ""
    passwords: str = ""  # the file they are in; they themselves are nowhere in the ledger
    terms: str = ""  # the settings that its documents are worked on with, as JSON; empty: anybody's


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    id: int
    batch: int
    kind: JobKind
    state: JobState
    priority: int
    workers: int
    host: str
    passwords: str
    terms: str
    created_ms: int
    started_ms: int | None
    served_ms: int
    finished_ms: int | None

    def turn(self, now_ms: int, step_ms: int) -> tuple[int, int]:
        """Lower comes first (SPEC A4): the priority that its waiting has earned it, then the one it was given."""
        return effective(self.priority, now_ms - self.served_ms, step_ms), order(self.priority, self.created_ms)

    def waiting(self, case: str) -> Waiting:
        return Waiting(
            case=case, job=self.id, priority=self.priority, created_ms=self.created_ms, served_ms=self.served_ms
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerRow:
    """A process that works on a case."""

    id: str
    host: str
    pid: int
    kind: str  # import, resume, retry, worker, GC
    slots: int
    started_ms: int
    beat: int = 0
