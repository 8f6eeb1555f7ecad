"""What sources bring lies in a folder of the home until an import has read it: bytes first, synced, then the row.

Killed anywhere, the same arrival is looked at again: bytes that are there are written over with the same, a key that
was noted is not noted twice.
"""

import hashlib
import os
import re
from pathlib import Path

from redwell.core.names import shortened
from redwell.core.trip import trip
from redwell.ports.sources import Arrival, Brought, Source, SourceStore, Watcher

_PIECE = 1 << 20
_UNSAFE = re.compile(r"[\x00-\x1f/\\]")


def folder_of(home: Path, case: int, source: int, key: str) -> Path:
    return home / "arrivals" / str(case) / str(source) / hashlib.sha256(key.encode()).hexdigest()[:32]


class Deliveries:
    def __init__(self, home: Path, case: int, store: SourceStore) -> None:
        self._home, self._case, self._store = home, case, store

    def gather(self, source: Source, watcher: Watcher) -> int:
        """All that is new, each noted by itself, so that a long list is not begun again; how many."""
        found = 0
        for brought in watcher.look(source.cursor):
            if self._store.known(source.id, [brought.key]):
                continue
            found += self._note(source, brought)
        return found

    def _note(self, source: Source, brought: Brought) -> int:
        folder = folder_of(self._home, self._case, source.id, brought.key)
        name = shortened(_UNSAFE.sub("_", brought.name)).strip(". ") or "unnamed"
        sha256 = _written(folder, name, brought)
        trip("arrive.after_bytes")
        is_again = bool(source.cursor) and not _follows(source.cursor, brought.cursor)
        if is_again and self._store.has_content(source.id, sha256):
            return 0  # the mailbox was made anew, and this mail came before
        arrival = Arrival(key=brought.key, name=name, sha256=sha256, said=brought.said)
        return len(self._store.arrive(source.id, [arrival], brought.cursor or None))

    def path_of(self, source: Source, arrival: Arrival) -> Path:
        return folder_of(self._home, self._case, source.id, arrival.key)


def _follows(before: str, after: str) -> bool:
    """Whether the cursor went on in the same mailbox."""
    return before.partition("/")[0] == after.partition("/")[0]


def _written(folder: Path, name: str, brought: Brought) -> bytes:
    folder.mkdir(parents=True, exist_ok=True)
    digest, part = hashlib.sha256(), folder.with_suffix(".part")
    with brought.open() as source, open(part, "wb") as target:
        while piece := source.read(_PIECE):
            digest.update(piece)
            target.write(piece)
        target.flush()
        os.fsync(target.fileno())
    part.replace(folder / name)
    for place in (folder, folder.parent):
        descriptor = os.open(place, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    return digest.digest()
