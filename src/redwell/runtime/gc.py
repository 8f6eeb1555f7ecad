"""`redwell gc`: removes the files that a kill left behind. Rows are never removed. Called by the command line."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from redwell.adapters.files.locks import is_held, try_lock
from redwell.runtime.blobs import open_blobs
from redwell.runtime.bootstrap import Case
from redwell.runtime.cases import is_elsewhere

_WORKER = "worker-"


def collect_garbage(case: Case, dry_run: bool) -> tuple[int, int]:
    """How many files no row and no living worker needs, and their bytes; they are gone unless `dry_run`."""
    stop_writing(case)
    files = size = 0
    for orphan, count in case.blobs.orphans(case.store.blobs(), lambda: _elsewhere(case)):
        files, size = files + 1, size + count
        if not dry_run:
            case.blobs.remove(orphan)
    for path in _left_by_the_dead(case.folder):
        inside = _files_of(path)
        files, size = files + len(inside), size + sum(each.lstat().st_size for each in inside)
        if not dry_run:
            _remove(path)
    return files, size


def _elsewhere(case: Case) -> set[str]:
    """Workers of other machines, as far as the ledger knows: one that died lately is still among them."""
    return {row.id for row in case.store.workers() if is_elsewhere(row, case.folder)}


def stop_writing(case: Case) -> None:
    """While this process counts as a writer, nobody can say that a loose file is an orphan."""
    case.blobs.close()
    case.blobs = open_blobs(case.folder, case.worker, case.settings, read_only=True)


def _left_by_the_dead(folder: Path) -> Iterator[Path]:
    """Scratch folders, then locks: only the lock tells whether its worker lives."""
    locks = folder / "locks"
    for path in sorted((folder / "scratch").glob("*")):
        if _is_dead(locks / f"{_WORKER}{path.name}"):
            yield path
    for path in sorted(locks.glob(f"{_WORKER}*")):
        if _is_dead(path):
            yield path


def _is_dead(lock: Path) -> bool:
    if not lock.exists():
        return True
    held = try_lock(lock)
    if held is not None:
        held.release()
    return held is not None


def _files_of(path: Path) -> list[Path]:
    if not _is_folder(path):
        return [path]
    return [Path(folder, name) for folder, _, names in os.walk(path) for name in names]


def _remove(path: Path) -> None:
    if _is_folder(path):
        shutil.rmtree(path)
    elif path.name.startswith(_WORKER):
        is_held(path)  # removes it while the lock is ours, and only then
    else:
        path.unlink(missing_ok=True)


def _is_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()
