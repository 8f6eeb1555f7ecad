"""What a process takes of a job (runtime.taking), on a real case."""

from pathlib import Path

from tests.support.cases import LETTER, Driver, Item, opened

from redwell.core.capacity import Capacity
from redwell.core.jobs import Job, NewJob
from redwell.runtime.bootstrap import Case
from redwell.runtime.desk import Desk
from redwell.runtime.flights import Flights
from redwell.runtime.imports import begin
from redwell.runtime.taking import Taking
from redwell.runtime.task_source import Ledger

ENVELOPED = Item("saved.eml", b"From ann@x Mon Jan  1 00:00:00 2024\nSubject: valves\n\nDear Ann\n", text="Dear Ann")
MAILBOX = Item("saved.mbox", ENVELOPED.data + b"\n", text="")


def job_with_letter(case: Case, custodian: str) -> Job:
    return job_with(case, custodian, LETTER)


def job_with(case: Case, custodian: str, *files: Item) -> Job:
    """Its files are read and wait to be worked on."""
    batch = begin(case, [f"/evidence/{custodian}"], "files", custodian, NewJob())
    Driver(case).walk(batch, list(files))
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


def test_a_spot_worker_tells_a_mail_from_a_mailbox_as_a_child_would(tmp_path: Path) -> None:
    """SPEC A9: what a file is called decides where its bytes could be either."""
    with opened(tmp_path, create=True) as case:
        desk = Desk(Capacity(2, spot=True), ageing_s=0)
        taking = Taking(case, Ledger(case), desk, Flights(case.name, desk))
        claims = taking.some(job_with(case, "Ann", ENVELOPED, MAILBOX))
        assert [claim.context for claim in claims] == ["eml"]
