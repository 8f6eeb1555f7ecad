"""What sources bring lies in a folder of the home until an import has read it: bytes first, synced, then the row.

Killed anywhere, the same arrival is looked at again: bytes that are there are written over with the same, a key that
was noted is not noted twice.
"""

import hashlib
import os
import re
import shutil
from pathlib import Path

from redwell.core.names import shortened
from redwell.core.trip import trip
from redwell.ports.sources import Arrival, Brought, Source, SourceStore

_PIECE = 1 << 20
_UNSAFE = re.compile(r"[\x00-\x1f/\\]")


def folder_of(home: Path, case: int, source: int, key: str) -> Path:
    return home / "arrivals" / str(case) / str(source) / hashlib.sha256(key.encode()).hexdigest()[:32]


class Deliveries:
    def __init__(self, home: Path, case: int, store: SourceStore) -> None:
        self._home, self._case, self._store = home, case, store

    def note(self, source: Source, brought: Brought) -> bool:
        """Of what was sent: whether it is new."""
        if self._store.known(source.id, [brought.key]):
            return False
        return bool(self._store.arrive(source.id, [self.written(source, brought)]))

    def written(self, source: Source, brought: Brought) -> Arrival:
        """Its bytes lie here, synced; no row says so yet."""
        folder = folder_of(self._home, self._case, source.id, brought.key)
        name = shortened(_UNSAFE.sub("_", brought.name)).strip(". ") or "unnamed"
        sha256 = _written(folder, name, brought)
        trip("arrive.after_bytes")
        return Arrival(key=brought.key, name=name, sha256=sha256, said=brought.said)

    def path_of(self, source: Source, arrival: Arrival) -> Path:
        return folder_of(self._home, self._case, source.id, arrival.key)

    def forget(self, source: Source, arrival: Arrival) -> None:
        """It came before: these bytes are not needed."""
        shutil.rmtree(self.path_of(source, arrival), ignore_errors=True)


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
