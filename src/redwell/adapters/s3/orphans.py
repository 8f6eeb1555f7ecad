"""What `redwell gc` may delete of a case's objects, and of the local copies that killed processes left.

As in adapters.files.orphans: objects are listed before the rows are read, and what a running writer may still
refer to stays. Which writers run is known for this machine; of other machines the caller says it.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from redwell.adapters.files.folders import Folder
from redwell.adapters.files.pack_writer import SUFFIX
from redwell.adapters.files.writer_locks import alone, running
from redwell.adapters.s3.objects import Objects
from redwell.core.blobs import Location


def orphans(
    blobs: Folder,
    objects: Objects,
    live: Iterable[tuple[bytes, Location]],
    elsewhere: Callable[[], Collection[str]],
) -> Iterator[tuple[str, int]]:
    """Objects that no live row points into, and abandoned copies; new writers wait while this is iterated."""
    with alone(blobs) as undisturbed, blobs.sub("writers") as writers:
        copies = abandoned(blobs.path / "cache", writers)
        busy, packs, loose = running(writers), dict(objects.names("packs/")), dict(objects.names("files/"))
        others = set(elsewhere())  # asked now: who comes later has stored nothing that is on the list
        packs = {key: size for key, size in packs.items() if _writer(key) not in busy | others}
        loose = loose if undisturbed and not others else {}
        for sha256, location in live:
            name = sha256.hex()
            packs.pop(f"packs/{location.pack}{SUFFIX}", None)
            if not location.pack:
                loose.pop(f"files/{name[:2]}/{name}", None)
        yield from sorted(packs.items())
        yield from sorted(loose.items())
        for path in copies:
            yield path.relative_to(blobs.path).as_posix(), path.stat().st_size


def abandoned(cache: Path, writers: Folder) -> list[Path]:
    """Local copies of processes that are gone."""
    copies = sorted(cache.glob("*/*"))  # first: who has copies after this may not have run before
    busy = running(writers)
    return [path for path in copies if path.parent.name not in busy]


def remove_copy(path: Path) -> None:
    path.unlink(missing_ok=True)
    with suppress(OSError):  # there are others in the folder
        path.parent.rmdir()


def _writer(key: str) -> str:
    return key.removeprefix("packs/").removesuffix(SUFFIX).rpartition("-")[0]
