"""Files on their way into the blob store: in which order, how far, and what is left when reading ends early."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from redwell.core.jobs.job import NewJob
from redwell.core.names import quoted
from redwell.intake import read
from redwell.intake.read import Reading, read_files
from redwell.processing.type_questions import TypeQuestions
from redwell.runtime.bootstrap.open_case import Case, open_case
from redwell.runtime.bootstrap.settings import load_settings
from redwell.runtime.upkeep.batches import begin
from redwell.runtime.worker.progress import Progress
from redwell.runtime.worker.reader import Reader

MB = 1 << 20
SIZES = {"a-huge.pst": 80 * MB, "b.txt": 10, "c-large.zip": 3 * MB, "d.txt": 5}


@pytest.fixture
def case(tmp_path: Path) -> Iterator[Case]:
    evidence = tmp_path / "evidence"
    evidence.mkdir()
    for name, size in SIZES.items():
        with (evidence / name).open("wb") as file:
            file.truncate(size)
    with open_case(tmp_path / "home", "case", load_settings([], environ={}), create=True) as made:
        begin(made, [quoted(bytes(evidence))], "files", None, NewJob())
        Reader(made, 1, TypeQuestions(made.blobs.place), Progress(), lambda: True)._walk(made.store.claim_walks(1)[0])
        yield made


def groups(case: Case, wanted: Callable[[], bool], told: Callable[[int], None]) -> list[list[str]]:
    reads = read_files(case.store.claim_reads(1, 10), case.store, Reading(case.blobs, wanted, told))
    return [[file.name for file in group] for group in reads]


def test_other_files_are_at_work_before_a_large_one_is_read(case: Case) -> None:
    assert groups(case, lambda: True, lambda size: None) == [["b.txt", "c-large.zip", "d.txt"], ["a-huge.pst"]]


def test_bytes_are_told_while_a_large_file_is_read(case: Case) -> None:
    told: list[int] = []
    groups(case, lambda: True, told.append)
    assert sum(told) == sum(SIZES.values()) and max(told) <= MB


def test_reading_stops_inside_a_large_file_and_leaves_nothing_of_it(case: Case, tmp_path: Path) -> None:
    told: list[int] = []
    assert groups(case, lambda: sum(told) < 20 * MB, told.append) == [["b.txt", "c-large.zip", "d.txt"]]
    kept = [file.stat().st_size for file in (tmp_path / "home").rglob("blobs/**/*") if file.is_file()]
    assert 20 * MB <= sum(told) < 22 * MB and max(kept) < 4 * MB


def test_a_file_that_changes_while_it_is_read_counts_once(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[int] = []
    monkeypatch.setattr(read, "_same", lambda before, after: False)
    groups(case, lambda: True, told.append)
    assert sum(told) == sum(SIZES.values())
