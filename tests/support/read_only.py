"""A folder that nobody can write to, root included: mounted read-only, in a namespace that only one command sees."""

import os
from collections.abc import Iterator
from pathlib import Path

_MOUNTED = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"'


def through_read_only(folder: Path) -> list[str]:
    """What a command is started through (tests.support.product)."""
    return ["unshare", "--map-root-user", "--mount", "sh", "-c", _MOUNTED, str(folder)]


def state_of(folder: Path) -> dict[str, tuple[int, int, int]]:
    """Every file and folder with its size, time and inode: what shows that somebody wrote."""
    return {str(path.relative_to(folder)): _stamp(path) for path in [folder, *_below(folder)]}


def _below(folder: Path) -> Iterator[Path]:
    for root, folders, files in os.walk(folder):
        yield from (Path(root, name) for name in (*folders, *files))


def _stamp(path: Path) -> tuple[int, int, int]:
    seen = path.lstat()
    return seen.st_size if not path.is_dir() else 0, seen.st_mtime_ns, seen.st_ino
