"""What a worker's slots hold, and what becomes of work whose last attempt failed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redwell.core.artifacts import ArtifactKind
from redwell.core.outcomes import Code
from redwell.core.work.capacity import Capacity
from redwell.core.work.kinds import BY_TURN, KINDS, Phase, TaskType, task_of_reading
from redwell.core.work.lanes import Lane
from redwell.core.work.renderers import RENDERERS

pytestmark = pytest.mark.requirement("A9", "A17")

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


def test_a9_a_spot_worker_takes_text_recognition_and_pdf_only() -> None:
    recognition = {task for task, kind in KINDS.items() if kind.phase is Phase.OCR}
    taken = {task for task in TaskType if Capacity(8, spot=True).takes(task)}
    assert taken == {TaskType.EXTRACT_TEXT, TaskType.RENDER_PDF, *recognition}
    assert all(Capacity(8).takes(task) for task in TaskType)


@pytest.mark.requirement("A6")
def test_a6_every_type_of_work_is_in_the_table_once() -> None:
    assert len(TaskType) == 16 and set(KINDS) == set(TaskType)


def test_a17_every_type_of_work_ends_with_a_named_problem() -> None:
    for task, kind in KINDS.items():
        if task is TaskType.EXTRACT_TEXT:
            assert kind.giving_up is Code.TEXT_UNAVAILABLE
        elif kind.phase is Phase.TEXT:
            assert kind.giving_up is Code.FILE_MISSING_OR_INCOMPLETE
        else:
            assert kind.giving_up in {Code.PDF_UNAVAILABLE, Code.OCR_FAILED}
    warned = {task for task, kind in KINDS.items() if kind.warns}
    assert warned == {TaskType.OCR_INLINE_IMAGES, TaskType.COMBINE_PAGE_IMAGES}


@pytest.mark.requirement("A4")
def test_a4_text_comes_before_renditions_and_these_before_recognition() -> None:
    phases = [KINDS[task].phase for task in BY_TURN]
    assert phases == sorted(phases) and {*phases} == {*Phase}


@pytest.mark.requirement("A1")
def test_a1_mailboxes_start_large_and_single_files_small() -> None:
    large = {task for task, kind in KINDS.items() if kind.lane is Lane.LARGE}
    assert large == {TaskType.INTAKE_MAILBOX, TaskType.UNPACK_MAILBOX}


def test_page_images_are_made_of_the_pdf() -> None:
    assert {row.needs for row in RENDERERS if row.task is TaskType.RENDER_PAGE_IMAGES} == {ArtifactKind.PDF}


@pytest.mark.parametrize(
    "kind, task", [("archive", "unpack-document"), ("mailbox", "unpack-mailbox"), ("mail", "extract-text")]
)
def test_the_handler_tells_which_kind_of_work_a_reading_is(kind: str, task: str) -> None:
    assert task_of_reading(kind) == task
