"""What a worker's slots hold (A9), and what becomes of work whose last attempt failed (A17)."""

from hypothesis import given
from hypothesis import strategies as st

from redwell.core.capacity import Capacity
from redwell.core.lanes import Lane
from redwell.core.outcomes import Code
from redwell.core.tasks import GIVEN_UP, TaskType, task_on

SMALL, LARGE = Lane.SMALL, Lane.LARGE


def test_a9_of_eight_slots_a_large_task_takes_five_and_on_a_spot_machine_all() -> None:
    assert Capacity(8).weight(LARGE) == 5
    assert Capacity(8, spot=True).weight(LARGE) == 8
    assert Capacity(8).fits([LARGE, SMALL, SMALL], SMALL)
    assert not Capacity(8).fits([LARGE, SMALL, SMALL, SMALL], SMALL)
    assert not Capacity(8).fits([LARGE], LARGE)
    assert not Capacity(8, spot=True).fits([SMALL], LARGE)


@given(st.integers(1, 64), st.booleans(), st.lists(st.sampled_from(Lane), max_size=99))
def test_a_worker_is_never_overfull_and_an_empty_one_takes_anything(slots: int, spot: bool, wanted: list[Lane]) -> None:
    capacity = Capacity(slots, spot)
    running: list[Lane] = []
    for lane in wanted:
        if capacity.fits(running, lane):
            running.append(lane)
    assert capacity.used(running) <= slots
    assert all(capacity.fits([], lane) for lane in Lane)


def test_a9_a_spot_worker_reads_no_files_and_unpacks_nothing() -> None:
    assert [task for task in TaskType if Capacity(8, spot=True).takes(task)] == [TaskType.EXTRACT_TEXT]
    assert all(Capacity(8).takes(task) for task in TaskType)


def test_a17_every_type_of_work_ends_with_a_named_problem() -> None:
    assert set(GIVEN_UP) == set(TaskType)
    assert GIVEN_UP[task_on(members=0)] is Code.TEXT_UNAVAILABLE
    assert GIVEN_UP[task_on(members=3)] is GIVEN_UP[TaskType.INTAKE_DOCUMENT] is Code.FILE_MISSING_OR_INCOMPLETE
