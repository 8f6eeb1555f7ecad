"""What a process takes of a job (runtime.taking), on a real case."""

from pathlib import Path

from tests.support.cases import LETTER, Driver, opened

from redwell.core.capacity import Capacity
from redwell.core.jobs import Job, NewJob
from redwell.runtime.bootstrap import Case
from redwell.runtime.desk import Desk
from redwell.runtime.flights import Flights
from redwell.runtime.imports import begin
from redwell.runtime.taking import Taking
from redwell.runtime.task_source import Ledger


def job_with_letter(case: Case, custodian: str) -> Job:
    """Its one file is read and waits to be worked on."""
    batch = begin(case, [f"/evidence/{custodian}"], "files", custodian, NewJob())
    Driver(case).walk(batch, [LETTER])
    return next(job for job in case.store.open_jobs() if job.batch == batch)


def test_a_cancelled_content_is_not_taken_for_another_job_while_a_child_of_ours_is_at_it(tmp_path: Path) -> None:
    """Two claims of one content in one process would be told apart by nobody."""
    with opened(tmp_path, create=True) as case:
        desk = Desk(Capacity(2), ageing_s=0)
        flights = Flights(case.name, desk)
        taking = Taking(case, Ledger(case), desk, flights)
        first = job_with_letter(case, "Ann")
        [claim] = taking.some(first)
        flights.add(first, [claim])
        assert case.store.begin_cancelling(first.batch) and case.store.cancel_some(first.batch)
        second = job_with_letter(case, "Bob")
        assert taking.some(second) == [], "the child has not heard of the cancellation yet"
        assert case.store.still_held([(claim.id, claim.attempt)]) == set()
        flights.ended([claim.id])
        [again] = taking.some(second)
        assert (again.id, again.attempt) == (claim.id, claim.attempt + 2)
