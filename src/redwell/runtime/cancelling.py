"""`redwell cancel`: ends a batch at any moment, whoever works on it. Called by the command line."""

import threading
import time

from redwell.core.errors import NotFound, UserError
from redwell.core.jobs import Job, JobState
from redwell.core.ledger import Standing
from redwell.runtime.bootstrap import Case
from redwell.runtime.imports import last_job
from redwell.runtime.indexer import Indexer
from redwell.runtime.progress import Progress
from redwell.runtime.services import open_queue
from redwell.runtime.task_queues import TaskQueues

PAUSE_S = 0.05


def cancel(case: Case, batch: int) -> Job:
    """The job, cancelled; to cancel once more changes nothing. A kill on the way leaves it to be gone on with."""
    if batch not in {row["id"] for row in case.store.batches()}:
        raise NotFound(f"case {case.name!r} has no batch {batch}")
    if not case.store.begin_cancelling(batch):
        job = last_job(case, batch)
        if job.state is JobState.CANCELLED:
            return job
        raise UserError(f"batch {batch} is finished; there is nothing to cancel")
    indexer = Indexer(case, Progress())
    indexer.hurry.set()
    thread = threading.Thread(target=indexer.run, name="indexer", daemon=True)
    thread.start()
    try:
        _end(case, batch)
    finally:
        indexer.stop()
        thread.join()
    if case.tasks:
        with open_queue(case.home, case.settings) as queue:
            TaskQueues(case, case.tasks, queue).close_down(batch)
    return last_job(case, batch)


def _end(case: Case, batch: int) -> None:
    """Until no row is open and all of it is searchable as it is; another process may write the end."""
    while any(job.batch == batch for job in case.store.open_jobs()):
        while case.store.cancel_some(batch):
            pass
        if case.store.standing(batch) is Standing.OVER:
            case.store.finish_batch(batch)
        else:
            time.sleep(PAUSE_S)
