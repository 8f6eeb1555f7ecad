"""What a run says of itself (runtime.worker.progress) and how it is shown (cli.display)."""

from redwell.core.work.kinds import Phase
from redwell.core.work.transitions import OpenRows
from redwell.entrypoints.cli.display import headline, progress_lines
from redwell.runtime.worker.progress import Progress


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


def test_a_run_that_only_makes_pages_speaks_of_these_alone() -> None:
    progress = Progress()
    progress.go_on_from(OpenRows(walks=0, found=0, waiting=0, unindexed=0))
    assert progress_lines(progress) == [headline(progress)]
    progress.parts[Phase.RENDITION].left = 6
    [line] = progress_lines(progress)
    assert line.startswith("PDFs and pages: 0 of 6")
