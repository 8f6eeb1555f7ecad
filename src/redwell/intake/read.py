"""Reads found files into the blob store, hashing on the way. Runs in the importing process."""

import errno
import os
from collections.abc import Iterator, Sequence

from redwell.core.blobs import Digests, Stored
from redwell.core.names import unquoted
from redwell.core.outcomes import Code, Outcome
from redwell.core.records import Problem, Read, ToRead
from redwell.intake.untouched import open_untouched
from redwell.ports.blob_store import BlobStore
from redwell.ports.case_store import CaseStore
from redwell.ports.contents import keep

PART = 1 << 20
READINGS = 3  # a file that changes while it is read is read again, then taken as it is and named


def read_files(files: Sequence[ToRead], store: CaseStore, blobs: BlobStore) -> list[Read]:
    """Store the bytes of each file, or name why not. The blobs are durable when this returns."""
    loaded = [_load(file, blobs) for file in files]
    digests = [Digests.of(data) if isinstance(data, bytes) else None for data, _ in loaded]
    small = {d: data for d, (data, _) in zip(digests, loaded, strict=True) if d and isinstance(data, bytes)}
    kept = keep(small, store, blobs)
    blobs.sync()
    reads = []
    for file, digest, (data, problems) in zip(files, digests, loaded, strict=True):
        stored = kept[digest] if digest else data
        assert not isinstance(stored, bytes)
        outcome = Outcome.INVALID_FILE if stored is None else None
        reads.append(
            Read(id=file.id, attempt=file.attempt, name=file.name, stored=stored, outcome=outcome, problems=problems)
        )
    return reads


def _load(file: ToRead, blobs: BlobStore) -> tuple[bytes | Stored | None, tuple[Problem, ...]]:
    """Small files as bytes, large ones stored; None with the problem when it can't be read."""
    path = _path_of(file)
    for _ in range(READINGS):
        try:
            fd = open_untouched(path)
        except OSError as error:
            return None, (_unreadable(error),)
        try:
            before = os.fstat(fd)
            data = _take(fd, before.st_size, blobs)
            if _same(before, os.fstat(fd)):
                return data, ()
        except OSError as error:
            if error.errno == errno.ENOSPC:
                raise
            return None, (_unreadable(error),)
        finally:
            os.close(fd)
    return data, (Problem(code=Code.SOURCE_CHANGED, detail=f"it changed during each of {READINGS} readings"),)


def _path_of(file: ToRead) -> bytes:
    source, relative = unquoted(file.source), unquoted(file.locator)
    return os.path.join(source, relative) if os.path.isdir(source) else source


def _take(fd: int, size: int, blobs: BlobStore) -> bytes | Stored:
    if size <= blobs.small_bytes:
        data = b"".join(_parts(fd, blobs.small_bytes + 1))
        if len(data) <= blobs.small_bytes:
            return data
        os.lseek(fd, 0, os.SEEK_SET)
    return blobs.spill(_parts(fd))


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


def _unreadable(error: OSError) -> Problem:
    missing = error.errno in {errno.ENOENT, errno.ESTALE}
    code = Code.FILE_MISSING_OR_INCOMPLETE if missing else Code.SOURCE_UNREADABLE
    return Problem(code=code, detail=error.strerror or str(error))
