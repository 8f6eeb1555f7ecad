"""The one book of what a process holds: from the claim until the ledger knows what became of it (claims_in_flight)."""

from tests.unit.runtime.test_job_reach import JOB

from redwell.core.blobs import Location
from redwell.core.work.capacity import Capacity
from redwell.core.work.lanes import Lane
from redwell.core.work.records import Claim
from redwell.processing.results import Status
from redwell.runtime.worker.claims_in_flight import ClaimsInFlight
from redwell.runtime.worker.slots import Slots


def claim(number: int, attempt: int = 1) -> Claim:
    return Claim(
        id=number,
        attempt=attempt,
        lane=Lane.SMALL,
        sha256=b"",
        location=Location("pack", 0, 1),
        context="",
        after=None,
        skip=(),
    )


def test_a_claim_is_held_until_the_ledger_knows_of_it_and_costs_its_slot_only_while_a_child_has_it() -> None:
    slots = Slots(Capacity(1), ageing_s=0)
    held = ClaimsInFlight("case", slots)
    held.add(JOB, [claim(1), claim(2, attempt=4)])
    assert (held.total, held.of(JOB.batch), slots.usage, held.job_of(2)) == (2, 2, 0.5, JOB)
    held.ended([1, 2])
    assert (held.total, held.of(JOB.batch), slots.usage) == (0, 0, 0.0)
    assert (held.claims(), held.attempt_of(2)) == ([(1, 1), (2, 4)], 4)
    held.settled([1])
    assert (held.holds(1, 1), held.holds(2, 4), held.holds(2, 3)) == (False, True, False)


def test_a_message_gives_its_slot_back_with_its_last_document() -> None:
    slots = Slots(Capacity(1), ageing_s=0)
    held = ClaimsInFlight("case", slots)
    held.add(JOB, [claim(1), claim(2)])
    held.ended([2])
    assert slots.usage == 0.5
    held.ended([1])
    assert slots.usage == 0.0


def test_time_is_charged_for_what_a_child_is_at() -> None:
    slots = Slots(Capacity(1), ageing_s=0)
    held = ClaimsInFlight("case", slots)
    held.add(JOB, [claim(1)])
    idle, busy = (Status(1, None, task, "", 0.0) for task in (None, 1))
    held.sample([idle])
    assert slots.slot_s == 0.0
    held.sample([busy])
    assert slots.slot_s > 0.0


def test_nothing_is_held_after_all() -> None:
    slots = Slots(Capacity(1), ageing_s=0)
    held = ClaimsInFlight("case", slots)
    held.add(JOB, [claim(1), claim(2)])
    held.ended([1])
    held.clear()
    assert (held.total, held.claims(), slots.usage) == (0, [], 0.0)
