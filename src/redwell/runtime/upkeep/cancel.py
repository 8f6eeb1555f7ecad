"""`redwell cancel`: ends a batch at any moment, whoever works on it. Called by the command line and the page."""

import threading
import time
from contextlib import closing

from redwell.core.errors import UserError
from redwell.core.jobs.job import Job, JobState
from redwell.core.work.transitions import Standing
from redwell.runtime.bootstrap.open_case import Case
from redwell.runtime.cluster.service_assignment import let_go
from redwell.runtime.delivery.case_queues import queues_of
from redwell.runtime.monitor.listeners import tell_now
from redwell.runtime.upkeep.batches import last_job
from redwell.runtime.upkeep.completeness import check_batch
from redwell.runtime.viewing.uploading import uploading_of
from redwell.runtime.worker.indexer import Indexer
from redwell.runtime.worker.progress import Progress

PAUSE_S = 0.05


def cancel(case: Case, batch: int) -> Job:
    """The job, cancelled; to cancel once more changes nothing. A kill on the way leaves it to be gone on with."""
    check_batch(case, batch)
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
    with queues_of(case) as queues:
        if queues:
            queues.close_down(batch)
    tell_now(case)
    for uploading in uploading_of(case):
        with closing(uploading):
            uploading.close_down(batch, lambda: tell_now(case))
    let_go(case.home, case.settings)
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
