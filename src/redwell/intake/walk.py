"""Walks a source and names what lies in it. Runs in the importing process; reads no file's content."""

import os
import stat
from collections.abc import Iterator
from datetime import UTC, datetime

from redwell.core.names import display, quoted
from redwell.core.outcomes import Code, Outcome
from redwell.core.reading import Problem
from redwell.core.work.records import Found
from redwell.intake.untouched import open_untouched, refusal


def walk(source: bytes) -> Iterator[Found]:
    """Every file below `source` in a fixed order; links, pipes, sockets and devices as named exceptions.

    A source that is itself a file yields that file. Links are never followed, so loops can't happen.
    """
    if not stat.S_ISDIR(os.lstat(source).st_mode):
        yield _found(os.path.basename(source), source)
        return
    folders = [b""]
    while folders:
        folder = folders.pop()
        try:
            entries = _entries(os.path.join(source, folder))
        except OSError as error:
            yield _unreadable(folder or b".", error)
            continue
        inner = []
        for name, is_folder in entries:
            relative = os.path.join(folder, name)
            if is_folder:
                inner.append(relative)
            else:
                yield _found(relative, os.path.join(source, relative))
        folders += reversed(inner)


def _entries(folder: bytes) -> list[tuple[bytes, bool]]:
    """Names in order and whether each is a folder; the folder's access time stays where that is allowed."""
    fd = open_untouched(folder, os.O_DIRECTORY)
    try:
        with os.scandir(fd) as entries:
            return sorted((os.fsencode(entry.name), entry.is_dir(follow_symlinks=False)) for entry in entries)
    finally:
        os.close(fd)


def _found(relative: bytes, path: bytes) -> Found:
    try:
        info = os.lstat(path)
    except OSError as error:
        return _unreadable(relative, error)
    outcome, problem = _exception(info.st_mode, path)
    return Found(
        locator=quoted(relative),
        name=display(os.path.basename(relative)),
        path=display(relative),
        size=info.st_size if outcome is None else None,
        dates={"modified": datetime.fromtimestamp(info.st_mtime_ns / 1e9, UTC).isoformat()},
        outcome=outcome,
        problem=problem,
    )


def _exception(mode: int, path: bytes) -> tuple[Outcome | None, Problem | None]:
    if stat.S_ISREG(mode):
        return None, None
    if stat.S_ISLNK(mode):
        target = display(os.readlink(path))
        return Outcome.UNSUPPORTED, Problem(code=Code.SYMLINK_NOT_FOLLOWED, detail=f"a link to {target}")
    kinds = {
        stat.S_IFIFO: "a named pipe",
        stat.S_IFSOCK: "a socket",
        stat.S_IFCHR: "a device",
        stat.S_IFBLK: "a device",
    }
    kind = kinds.get(stat.S_IFMT(mode), "not a regular file")
    return Outcome.UNSUPPORTED, Problem(code=Code.SPECIAL_FILE, detail=f"{kind}, it has no content")


def _unreadable(relative: bytes, error: OSError) -> Found:
    return Found(
        locator=quoted(relative),
        name=display(os.path.basename(relative)),
        path=display(relative),
        size=None,
        outcome=Outcome.INVALID_FILE,
        problem=refusal(error),
    )
