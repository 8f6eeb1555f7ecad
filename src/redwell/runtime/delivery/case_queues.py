"""The queues of a case's batches, of tasks and of the loader: made when a job is queued, taken away in the end.

Used by whoever queues, cancels or tidies; who works on a case has them one by one (task_source).
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from redwell.core.jobs.job import Job
from redwell.core.jobs.loader_life import is_leftover
from redwell.ports.messaging.task_store import TaskStore
from redwell.runtime.bootstrap.open_case import Case
from redwell.runtime.bootstrap.services.open_services import Services, open_services
from redwell.runtime.delivery.loader_queues import LoaderQueues
from redwell.runtime.delivery.task_queues import TaskQueues


class CaseQueues:
    def __init__(self, case: Case, tasks: TaskStore, services: Services) -> None:
        self._case = case
        self._tasks = TaskQueues(case, tasks, services.queue)
        self._loaders = LoaderQueues(case, services)

    def look(self, jobs: Iterable[Job] = ()) -> int:
        """Make what these jobs lack, take down what nobody needs; how many are left to be taken down."""
        self._loaders.look(jobs)  # first: it listens before the first task is sent (SPEC A2)
        self._tasks.look(jobs)
        return leftovers_of(self._case)

    def close_down(self, batch: int) -> None:
        self._tasks.close_down(batch)
        self._loaders.close_down(batch)


@contextmanager
def queues_of(case: Case) -> Iterator[CaseQueues | None]:
    """None where documents do not travel."""
    if case.tasks is None:
        yield None
        return
    with open_services(case.home, case.settings) as services:
        yield CaseQueues(case, case.tasks, services)


def leftovers_of(case: Case) -> int:
    """Queues of batches that are over, as the rows know them."""
    if case.tasks is None:
        return 0
    return sum(queue.ended for queue in case.tasks.queues()) + sum(map(is_leftover, case.store.loaders().values()))
