"""What `redwell gc` may delete from a case's blob folder.

Files are listed before the live rows are read: rows of a writer that had ended by then are all in
them, and what came later is not on the list. While a writer runs, its packs stay, and so does
every loose file, because a writer takes over a file that already holds its bytes.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from redwell.adapters.files.folders import Folder
from redwell.adapters.files.pack_writer import SUFFIX
from redwell.adapters.files.writer_locks import alone, running
from redwell.core.blobs import Location

_SHELF = re.compile(r"[0-9a-f]{2}")
_SHA256 = re.compile(r"[0-9a-f]{64}")


def orphans(
    blobs: Folder, live: Iterable[tuple[bytes, Location]], elsewhere: Callable[[], Collection[str]]
) -> Iterator[tuple[Path, int]]:
    """Files that no live row points into; new writers wait while this is iterated."""
    with alone(blobs) as undisturbed:
        packs, loose, remains = _packs_of_ended_writers(blobs), _loose_names(blobs), _remains(blobs)
        others = set(elsewhere())
        packs = {pack for pack in packs if pack.rpartition("-")[0] not in others}
        if others or not undisturbed:
            loose, remains = set(), []
        for sha256, location in live:
            if location.pack:
                packs.discard(location.pack)
            else:
                loose.discard(sha256.hex())
        yield from _sized(blobs.path / "packs" / (name + SUFFIX) for name in sorted(packs))
        yield from _sized(blobs.path / "files" / name[:2] / name for name in sorted(loose))
        yield from _sized(remains)


def _packs_of_ended_writers(blobs: Folder) -> set[str]:
    with blobs.sub("packs") as folder:
        packs = {name.removesuffix(SUFFIX) for name in folder.names() if name.endswith(SUFFIX)}
    with blobs.sub("writers") as folder:
        busy = running(folder)
    return {pack for pack in packs if pack.rpartition("-")[0] not in busy}


def _loose_names(blobs: Folder) -> set[str]:
    names: set[str] = set()
    with blobs.sub("files") as files:
        for shelf in filter(_SHELF.fullmatch, files.names()):
            with files.sub(shelf) as folder:
                names.update(name for name in folder.names() if _SHA256.fullmatch(name) and name[:2] == shelf)
    return names


def _remains(blobs: Folder) -> list[Path]:
    """Half-written files and locks of writers that were killed."""
    paths: list[Path] = []
    for name in ("temporary", "writers"):
        with blobs.sub(name) as folder:
            paths += (folder.path / left for left in sorted(folder.names()))
    return paths


def _sized(paths: Iterable[Path]) -> Iterator[tuple[Path, int]]:
    for path in paths:
        with suppress(FileNotFoundError):
            yield path, path.lstat().st_size
