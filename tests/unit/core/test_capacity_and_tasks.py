"""What a worker's slots hold (A9), and what becomes of work whose last attempt failed (A17)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redwell.core.capacity import Capacity
from redwell.core.lanes import Lane
from redwell.core.outcomes import Code
from redwell.core.tasks import Next, TaskType, recover

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


def test_a9_a_spot_worker_takes_text_ocr_and_pdf_only() -> None:
    taken = {task for task in TaskType if Capacity(8, spot=True).takes(task)}
    assert TaskType.EXTRACT_TEXT in taken and TaskType.RENDER_PDF in taken and TaskType.OCR_PAGE_IMAGES in taken
    assert not [task for task in taken if task.startswith(("intake", "unpack"))]
    assert all(Capacity(8).takes(task) for task in TaskType)


def test_a17_a_pdf_is_tried_once_more_without_ocr_and_is_then_unavailable() -> None:
    assert recover(TaskType.RENDER_PDF).next is Next.AGAIN_WITHOUT_OCR
    last = recover(TaskType.RENDER_PDF, without_ocr=True)
    assert (last.next, last.code) == (Next.END, Code.PDF_UNAVAILABLE)


@pytest.mark.parametrize("task", TaskType)
def test_a17_every_type_of_work_ends_with_a_name_or_is_tried_once_more(task: TaskType) -> None:
    first, last = recover(task), recover(task, without_ocr=True)
    assert first.code is not None or first.next is Next.AGAIN_WITHOUT_OCR
    assert last.next is Next.END and last.code is not None


def test_a17_text_and_unpacking_complete_their_documents_and_inline_pictures_only_warn() -> None:
    assert recover(TaskType.EXTRACT_TEXT).completes and recover(TaskType.EXTRACT_TEXT).code is Code.TEXT_UNAVAILABLE
    assert recover(TaskType.UNPACK_MAILBOX).code is Code.FILE_MISSING_OR_INCOMPLETE
    assert recover(TaskType.INTAKE_DOCUMENT).completes
    assert recover(TaskType.OCR_INLINE_IMAGES).warning
