"""Where the work on a case takes its documents from: out of the ledger itself, or through task queues.

Used by case_worker. By default workers look into the ledger; with `queue=sql` or `sqs` messages tell them where to.
"""

from collections.abc import Iterable
from contextlib import ExitStack, suppress
from typing import Protocol

from redwell.core.errors import ServiceUnavailable
from redwell.core.jobs.job import Job
from redwell.core.work.records import Claim
from redwell.ports.ledger import Want
from redwell.ports.messaging.task_store import TaskStore
from redwell.runtime.bootstrap.open_case import Case
from redwell.runtime.bootstrap.services.open_services import open_queue, open_services
from redwell.runtime.delivery.loader_queues import LoaderQueues
from redwell.runtime.delivery.outbox_relay import OutboxRelay
from redwell.runtime.delivery.received_tasks import ReceivedTasks
from redwell.runtime.monitor.outages import Outages, Patient
from redwell.runtime.worker.claims_in_flight import ClaimsInFlight
from redwell.runtime.worker.other_workers import Heartbeat

MB = 1 << 20


class TaskSource(Protocol):
    @property
    def background(self) -> tuple[OutboxRelay, ...]:
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


class LedgerTasks:
    """The rows are the queue: nothing to keep in order beside them."""

    background = ()

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


class QueuedTasks:
    """Tasks travel: out of the ledger by outbox and relay, and back to it by the claims of whoever receives them."""

    def __init__(
        self, case: Case, tasks: TaskStore, heartbeat: Heartbeat, in_flight: ClaimsInFlight, patience_s: float
    ) -> None:
        self._resources = ExitStack()
        queue = self._resources.enter_context(open_queue(case.home, case.settings))
        self._case = case
        self._loaders: LoaderQueues | None = None
        self._received = ReceivedTasks(case, tasks, queue, in_flight)
        relay = OutboxRelay(tasks.outbox, queue, self._received.wake)
        tasks.call_when_posted(relay.wake)
        self.background = (relay,)
        self._patiently = Patient("the task queues", Outages(), patience_s)
        heartbeat.add(self._received.extend)
        self._resources.callback(heartbeat.remove, self._received.extend)

    def claim(self, job: Job, want: Want) -> list[Claim]:
        return self._patiently("claim", lambda: self._received.claim(job, want), [])

    def look(self, jobs: Iterable[Job]) -> bool:
        self._patiently("look", lambda: self._look(jobs), None)
        return not (self._received.queues.leftovers or (self._loaders and self._loaders.has_leftovers))

    def _look(self, jobs: Iterable[Job]) -> None:
        self._received.acknowledge()
        self._opened_loaders().look(jobs)  # first: it listens before the first task is sent (SPEC A2)
        self._received.queues.look(jobs)

    def _opened_loaders(self) -> LoaderQueues:
        """With the first look, which waits for a bus that is away."""
        if self._loaders is None:
            services = self._resources.enter_context(open_services(self._case.home, self._case.settings))
            self._loaders = LoaderQueues(self._case, services)
        return self._loaders

    def leave(self, batch: int | None) -> None:
        """Without the queues too: what is left in them names nothing that is still to be done."""
        with suppress(ServiceUnavailable):
            self._received.acknowledge()
        if batch is not None:
            self._received.queues.close_down(batch)
            if self._loaders:
                self._loaders.close_down(batch)

    def close(self) -> None:
        self._resources.close()


def task_source(case: Case, heartbeat: Heartbeat, in_flight: ClaimsInFlight, patience_s: float) -> TaskSource:
    """Queues that are away are waited for, `patience_s` at most; then it is ServiceUnavailable."""
    return QueuedTasks(case, case.tasks, heartbeat, in_flight, patience_s) if case.tasks else LedgerTasks(case)
