"""Reads found files into the blob store, hashing on the way. Runs in the importing process."""

import errno
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from redwell.core.blobs import Digests, Stored
from redwell.core.names import unquoted
from redwell.core.outcomes import Code, Outcome
from redwell.core.reading import Problem
from redwell.core.work.records import Read, ToRead
from redwell.intake.untouched import open_untouched, refusal
from redwell.ports.blob_store import BlobStore
from redwell.ports.case_store import CaseStore
from redwell.ports.contents import keep

PART = 1 << 20
GROUP_BYTES = 64 << 20
READINGS = 3  # a file that changes while it is read is read again, then taken as it is and named


def read_files(files: Iterable[ToRead], store: CaseStore, reading: "Reading") -> Iterator[list[Read]]:
    """Store the bytes of each file, or name why not; in groups, so that large files are at work meanwhile.

    The blobs of a group are durable when it is yielded. Large files come last: children work on the others while
    they are read. When nobody wants more, it stops, inside a large file too.
    """
    blobs = reading.blobs
    group: list[Loaded] = []
    held = 0
    for file in sorted(files, key=lambda file: file.size > GROUP_BYTES):
        if group and held + file.size > GROUP_BYTES:
            yield _stored(group, store, blobs)
            group, held = [], 0
        if not reading.wanted():
            break
        try:
            loaded = reading.load(file)
        except Unwanted:
            break
        group.append(loaded)
        held += loaded.size
    if group:
        yield _stored(group, store, blobs)


class Unwanted(Exception):
    pass


@dataclass(frozen=True, slots=True)
class Loaded:
    """A small file's bytes, or a large one's place in the store, or neither and why."""

    file: ToRead
    content: bytes | Stored | None
    problems: tuple[Problem, ...] = ()

    @property
    def size(self) -> int:
        return len(self.content) if isinstance(self.content, bytes) else self.content.size if self.content else 0


def _stored(group: list[Loaded], store: CaseStore, blobs: BlobStore) -> list[Read]:
    small = {file.file.id: Digests.of(file.content) for file in group if isinstance(file.content, bytes)}
    contents = {small[f.file.id]: f.content for f in group if isinstance(f.content, bytes)}
    kept = keep(contents, store, blobs)
    blobs.sync()
    return [_read(f, kept[small[f.file.id]] if isinstance(f.content, bytes) else f.content) for f in group]


def _read(loaded: Loaded, stored: Stored | None) -> Read:
    file, outcome = loaded.file, None if stored else Outcome.INVALID_FILE
    return Read(
        id=file.id, attempt=file.attempt, name=file.name, stored=stored, outcome=outcome, problems=loaded.problems
    )


@dataclass(frozen=True, slots=True)
class Reading:
    """Bytes are `told` as they come in, and taken back where they have to be read again."""

    blobs: BlobStore
    wanted: Callable[[], bool]
    told: Callable[[int], None]

    def load(self, file: ToRead) -> Loaded:
        path, loaded = _path_of(file), Loaded(file, None)
        for _ in range(READINGS):
            self.told(-loaded.size)  # of the reading before
            try:
                fd = open_untouched(path)
            except OSError as error:
                return Loaded(file, None, (refusal(error),))
            try:
                before = os.fstat(fd)
                loaded = Loaded(file, self._take(fd, before.st_size))
                if _same(before, os.fstat(fd)):
                    return loaded
            except OSError as error:
                if error.errno == errno.ENOSPC:
                    raise
                return Loaded(file, None, (refusal(error),))
            finally:
                os.close(fd)
        changed = Problem(code=Code.SOURCE_CHANGED, detail=f"it changed during each of {READINGS} readings")
        return replace(loaded, problems=(changed,))

    def _take(self, fd: int, size: int) -> bytes | Stored:
        small = self.blobs.small_bytes
        if size <= small:
            data = os.read(fd, size + 1)
            if len(data) != size:  # otherwise the byte behind the last is not there: no need to ask again
                data += b"".join(_parts(fd, small + 1 - len(data)))
            if len(data) <= small:
                self.told(len(data))
                return data
            os.lseek(fd, 0, os.SEEK_SET)
        return self.blobs.spill(self._watched(_parts(fd)))

    def taken(self, parts: Iterator[bytes], size: int) -> bytes | Stored:
        """Bytes that come in parts."""
        if size > self.blobs.small_bytes:
            return self.blobs.spill(self._watched(parts))
        data = b"".join(self._watched(parts))
        return data if len(data) <= self.blobs.small_bytes else self.blobs.spill([data])

    def _watched(self, parts: Iterator[bytes]) -> Iterator[bytes]:
        for part in parts:
            if not self.wanted():
                raise Unwanted
            self.told(len(part))
            yield part


def _path_of(file: ToRead) -> bytes:
    source, relative = unquoted(file.source), unquoted(file.locator)
    return os.path.join(source, relative) if os.path.isdir(source) else source


def _parts(fd: int, limit: int | None = None) -> Iterator[bytes]:
    left = limit
    while left is None or left > 0:
        part = os.read(fd, PART if left is None else min(PART, left))
        if not part:
            return
        left = None if left is None else left - len(part)
        yield part


def _same(a: os.stat_result, b: os.stat_result) -> bool:
    return (a.st_size, a.st_mtime_ns, a.st_ino) == (b.st_size, b.st_mtime_ns, b.st_ino)
