"""Where the work on a case takes its documents from: out of the ledger itself, or through task queues.

Used by case_work. By default workers look into the ledger; with `queue=sql` or `sqs` messages tell them where to.
"""

from collections.abc import Iterable
from contextlib import ExitStack
from typing import Protocol

from redwell.adapters.sql.task_store import TaskStore
from redwell.core.jobs import Job
from redwell.core.records import Claim
from redwell.ports.case_store import Want
from redwell.runtime.bootstrap import Case
from redwell.runtime.deliveries import Deliveries
from redwell.runtime.neighbours import Heartbeat
from redwell.runtime.relay import Relay
from redwell.runtime.services import open_queue

MB = 1 << 20


class TaskSource(Protocol):
    @property
    def beside(self) -> tuple[Relay, ...]:
        """To be run in threads of their own."""
        ...

    def claim(self, job: Job, want: Want) -> list[Claim]:
        """A message for a child; nothing when there is none right now."""
        ...

    def look(self, jobs: Iterable[Job]) -> bool:
        """These jobs are open now; whether nothing of others is left to take away. Called twice a second or more."""
        ...

    def leave(self, batch: int | None) -> None:
        """All claims are recorded or given back. A batch that this process was for is over."""
        ...

    def close(self) -> None:
        """Also after a failure."""
        ...


class Ledger:
    """The rows are the queue: nothing to keep in order beside them."""

    beside = ()

    def __init__(self, case: Case) -> None:
        self._store = case.store
        self._room = case.settings.message_documents, case.settings.message_mb * MB

    def claim(self, job: Job, want: Want) -> list[Claim]:
        return self._store.claim_work(*self._room, want)

    def look(self, jobs: Iterable[Job]) -> bool:
        return True

    def leave(self, batch: int | None) -> None:
        pass

    def close(self) -> None:
        pass


class Queues:
    """Tasks travel: out of the ledger by outbox and relay, and back to it by the claims of whoever receives them."""

    def __init__(self, case: Case, tasks: TaskStore, heartbeat: Heartbeat) -> None:
        self._resources = ExitStack()
        queue = self._resources.enter_context(open_queue(case.home, case.settings))
        self._deliveries = Deliveries(case, tasks, queue)
        relay = Relay(tasks.outbox, queue, self._deliveries.wake)
        tasks.database.on_posted = relay.wake
        self.beside = (relay,)
        heartbeat.add(self._deliveries.extend)
        self._resources.callback(heartbeat.remove, self._deliveries.extend)

    def claim(self, job: Job, want: Want) -> list[Claim]:
        return self._deliveries.claim(job, want)

    def look(self, jobs: Iterable[Job]) -> bool:
        self._deliveries.acknowledge()
        self._deliveries.queues.look(jobs)
        return not self._deliveries.queues.leftovers

    def leave(self, batch: int | None) -> None:
        self._deliveries.acknowledge()
        if batch is not None:
            self._deliveries.queues.close_down(batch)

    def close(self) -> None:
        self._resources.close()


def task_source(case: Case, heartbeat: Heartbeat) -> TaskSource:
    return Queues(case, case.tasks, heartbeat) if case.tasks else Ledger(case)
