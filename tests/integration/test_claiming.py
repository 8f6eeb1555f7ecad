"""What a process takes of a job (runtime.worker.claiming), on a real case."""

from pathlib import Path

from tests.support.cases import LETTER, Driver, opened

from redwell.core.jobs.job import Job, NewJob
from redwell.core.work.capacity import Capacity
from redwell.core.work.kinds import Profile
from redwell.runtime.bootstrap.open_case import Case
from redwell.runtime.delivery.task_source import LedgerTasks
from redwell.runtime.upkeep.batches import begin
from redwell.runtime.worker.claiming import Claiming
from redwell.runtime.worker.claims_in_flight import ClaimsInFlight
from redwell.runtime.worker.slots import Slots
from redwell.runtime.worker.text_first import TextFirst

PARSERS = {Profile.PARSER}


def job_with_letter(case: Case, custodian: str) -> Job:
    """Its file is read and waits to be worked on."""
    batch = begin(case, [f"/evidence/{custodian}"], "files", custodian, NewJob())
    Driver(case).walk(batch, [LETTER])
    return next(job for job in case.store.open_jobs() if job.batch == batch)


def test_a_cancelled_content_is_not_taken_for_another_job_while_a_child_of_ours_is_at_it(tmp_path: Path) -> None:
    """Two claims of one content in one process would be told apart by nobody."""
    with opened(tmp_path, create=True) as case:
        slots = Slots(Capacity(2), ageing_s=0)
        in_flight = ClaimsInFlight(case.name, slots)
        claiming = Claiming(case, LedgerTasks(case), slots, in_flight, TextFirst())
        first = job_with_letter(case, "Ann")
        [claim] = claiming.some(first, PARSERS)
        in_flight.add(first, [claim])
        assert case.store.begin_cancelling(first.batch) and case.store.cancel_some(first.batch)
        second = job_with_letter(case, "Bob")
        assert claiming.some(second, PARSERS) == [], "the child has not heard of the cancellation yet"
        assert case.store.still_held([(claim.id, claim.attempt)]) == set()
        in_flight.ended([claim.id])
        in_flight.settled([claim.id])
        [again] = claiming.some(second, PARSERS)
        assert (again.id, again.attempt) == (claim.id, claim.attempt + 2)
