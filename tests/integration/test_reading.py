"""Files on their way into the blob store: in which order, how far, and what is left when reading ends early."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from redwell.core.errors import DiskFull
from redwell.core.jobs.job import NewJob
from redwell.core.names import quoted
from redwell.intake import read
from redwell.intake.read import Reading, read_files
from redwell.processing.type_questions import TypeQuestions
from redwell.runtime.bootstrap.open_case import Case, open_case
from redwell.runtime.bootstrap.settings import load_settings
from redwell.runtime.upkeep.batches import begin
from redwell.runtime.worker import reader
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


@pytest.mark.parametrize(("most", "early"), [(100 * MB, True), (MB, False)])
def test_little_is_read_while_the_walk_goes_on_and_much_is_not(
    most: int, early: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (evidence := tmp_path / "evidence").mkdir()
    for number in range(4):
        (evidence / f"{number}.bin").write_bytes(bytes([number]) * 2 * MB)
    monkeypatch.setattr(reader, "LITTLE", most)
    monkeypatch.setattr(reader, "WALK_CHUNKS", 1)
    with open_case(tmp_path / "home", "case", load_settings(["chunk=1"], environ={}), create=True) as made:
        begin(made, [quoted(bytes(evidence))], "files", None, NewJob())
        done = list[str]()
        for name in ("record_reads", "close_walk"):
            monkeypatch.setattr(made.store, name, partial(_told, done, name, getattr(made.store, name)))
        Reader(made, 1, TypeQuestions(made.blobs.place), Progress(), lambda: True).run()
    assert sorted(done) == ["close_walk", *4 * ["record_reads"]]
    assert (done.index("record_reads") < done.index("close_walk")) is early


def test_where_there_is_no_room_for_all_that_a_walk_found_all_of_it_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (evidence := tmp_path / "evidence").mkdir()
    for number in range(3):
        (evidence / f"{number}.bin").write_bytes(bytes([number]) * 4 * MB)
    too_much = f"reserve_mb={1 << 40}"
    monkeypatch.setattr(reader, "WALK_CHUNKS", 1)
    with open_case(tmp_path / "home", "case", load_settings(["chunk=1", too_much], environ={}), create=True) as made:
        begin(made, [quoted(bytes(evidence))], "files", None, NewJob())
        with pytest.raises(DiskFull, match="needs about 12 MB"):
            Reader(made, 1, TypeQuestions(made.blobs.place), Progress(), lambda: True).run()


def _told(done: list[str], name: str, call: Callable[..., None], *given: object) -> None:
    done.append(name)
    call(*given)


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
