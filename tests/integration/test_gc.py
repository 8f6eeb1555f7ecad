"""`redwell gc` removes what a kill left behind, and nothing that a row or a living worker needs."""

import hashlib
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.cases import opened, prepare

from redwell.adapters.files.locks import try_lock
from redwell.adapters.files.packs import FilePacks
from redwell.runtime.bootstrap.open_case import Case
from redwell.runtime.upkeep.gc import collect_garbage
from redwell.runtime.upkeep.verify import verify

SMALL, LARGE = b"small and never recorded", b"large and never recorded " * 100


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return prepare(tmp_path_factory.mktemp("prepared") / "home")


@pytest.fixture
def case(prepared: Path, tmp_path: Path) -> Iterator[Case]:
    with opened(Path(shutil.copytree(prepared, tmp_path / "home"))) as case:
        yield case


def _store_without_rows(folder: Path, writer: str) -> FilePacks:
    """What a worker has on the disk when it is killed between the bytes and their rows."""
    blobs = FilePacks(folder, writer, small_bytes=1024)
    blobs.append(hashlib.sha256(SMALL).digest(), SMALL)
    blobs.spill([LARGE])
    blobs.sync()
    return blobs


def _files(folder: Path) -> set[Path]:
    return {path for path in folder.rglob("*") if path.is_file() and "sqlite" not in path.name}


def test_bytes_that_no_row_points_to_are_removed(case: Case) -> None:
    before = _files(case.folder / "blobs")
    _store_without_rows(case.folder, "killed").close()
    left = _files(case.folder / "blobs") - before
    size = sum(path.stat().st_size for path in left)
    assert len(left) == 2
    assert collect_garbage(case, dry_run=True) == (2, size)
    assert left <= _files(case.folder / "blobs")
    assert collect_garbage(case, dry_run=False) == (2, size)
    assert not left & _files(case.folder / "blobs")
    assert collect_garbage(case, dry_run=False) == (0, 0)


def test_what_the_rows_point_to_stays(case: Case) -> None:
    _store_without_rows(case.folder, "killed").close()
    collect_garbage(case, dry_run=False)
    assert list(verify(case)) == []


def test_bytes_of_a_running_writer_stay(case: Case) -> None:
    running = _store_without_rows(case.folder, "running")
    try:
        assert collect_garbage(case, dry_run=False) == (0, 0)
    finally:
        running.close()


def test_scratch_and_lock_of_a_dead_worker_go_and_those_of_a_living_one_stay(case: Case) -> None:
    for worker in ("dead", "living"):
        (case.folder / "scratch" / worker / "out").mkdir(parents=True)
        (case.folder / "scratch" / worker / "out" / "piece").write_bytes(b"1234")
        (case.folder / "locks" / f"worker-{worker}").touch()
    alive = try_lock(case.folder / "locks" / "worker-living")
    assert alive is not None
    assert collect_garbage(case, dry_run=True) == (2, 4)
    assert (case.folder / "scratch" / "dead" / "out" / "piece").exists()
    assert collect_garbage(case, dry_run=False) == (2, 4)
    alive.release()
    assert {path.name for path in (case.folder / "scratch").iterdir()} == {"living"}
    assert {path.name for path in (case.folder / "locks").glob("worker-*")} == {
        "worker-living",
        f"worker-{case.worker}",
    }


def test_a_link_in_scratch_is_removed_and_its_target_left_alone(case: Case, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "evidence").touch()
    (case.folder / "scratch").mkdir(exist_ok=True)
    (case.folder / "scratch" / "dead").symlink_to(tmp_path / "elsewhere")
    files, _ = collect_garbage(case, dry_run=False)
    assert files == 1
    assert (tmp_path / "elsewhere" / "evidence").exists()
