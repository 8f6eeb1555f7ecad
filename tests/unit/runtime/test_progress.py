"""What a run says of itself (runtime.worker.progress) and how it is shown (cli.display)."""

import pytest

from redwell.core.work.kinds import Phase
from redwell.core.work.transitions import OpenRows
from redwell.entrypoints.cli.output.display import headline, progress_lines
from redwell.runtime.worker.progress import PartProgress, Progress


def test_a_resumed_run_counts_what_an_earlier_one_left_open() -> None:
    progress = Progress()
    progress.go_on_from(OpenRows(walks=0, found=40, waiting=60, unindexed=5))
    progress.files_read += 10
    progress.bytes_read += 3 << 20
    progress.outcomes["SUCCESS"] += 25
    assert progress.remaining == 75
    assert progress.backlog == 45  # 60 were stored before, 10 since
    assert headline(progress).startswith("25 of 100+ documents")
    assert " 3 MB read" in headline(progress)
    assert "looking for files" not in headline(progress)


def test_a_new_run_looks_for_files_first() -> None:
    progress = Progress()
    progress.go_on_from(OpenRows(walks=1, found=0, waiting=0, unindexed=0))
    assert "looking for files" in headline(progress)


def test_what_a_narrow_terminal_cuts_off_is_not_the_estimate() -> None:
    progress = Progress(walking=False, items_found=2_345_678, bytes_found=99 << 40, indexed=1_000_000)
    progress.outcomes["SUCCESS"] += 1_234_567
    assert len(headline(progress).partition(" left")[0]) < 60


def test_once_all_documents_are_done_only_their_parts_have_an_estimate() -> None:
    progress = Progress(walking=False, items_found=5, indexed=5)
    progress.outcomes["SUCCESS"] += 5
    recognition = progress.parts[Phase.OCR]
    recognition.left = 4
    assert progress_lines(progress)[1] == "recognition: 0 of 4, 0.0/s, estimating"
    recognition.ended(4)
    said = progress_lines(progress)
    assert said == ["5 of 5 documents, 5 searchable, 0 of 0 MB read", "recognition: 4 of 4"]


def test_the_estimate_follows_the_last_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    monkeypatch.setattr("redwell.runtime.worker.progress.time.monotonic", lambda: clock[0])
    part = PartProgress(left=1_000)
    for second in range(200):
        clock[0] = float(second)
        part.ended(4 if second < 100 else 1)
    assert (part.done, part.left) == (500, 500)
    assert 0.9 < part.rate < 1.1 and part.remaining_s is not None and 450 < part.remaining_s < 550


def test_a_run_that_only_makes_pages_speaks_of_these_alone() -> None:
    progress = Progress()
    progress.go_on_from(OpenRows(walks=0, found=0, waiting=0, unindexed=0))
    assert progress_lines(progress) == [headline(progress)]
    progress.parts[Phase.RENDITION].left = 6
    [line] = progress_lines(progress)
    assert line.startswith("PDFs and pages: 0 of 6")
