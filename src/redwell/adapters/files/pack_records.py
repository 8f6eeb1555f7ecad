"""A record of a pack as verify reads it: with what stands before its bytes. Used by the blob stores."""

from collections.abc import Callable, Iterator
from typing import BinaryIO

from redwell.core.blobs import Location

_LENGTH_BYTES = 8
_PART = 1 << 20


def checked_record(read: Callable[[bytes, Location], bytes], sha256: bytes, at: Location, end: int) -> bytes:
    """The bytes at this place of a pack of `end` bytes; a record is the hash, the length, the bytes (pack_writer)."""
    head = sha256 + at.length.to_bytes(_LENGTH_BYTES, "big")
    if at.offset < len(head) or at.offset + at.length > end:
        raise ValueError(f"the pack has {end} bytes")
    record = read(sha256, Location(at.pack, at.offset - len(head), len(head) + at.length))
    if not record.startswith(head):
        raise ValueError("another record is there")
    return record[len(head) :]


def loose_parts(opened: Callable[[bytes, Location], BinaryIO], sha256: bytes, at: Location) -> Iterator[bytes]:
    if at.offset:
        raise ValueError("a file of its own begins at 0")
    with opened(sha256, at) as file:
        while part := file.read(_PART):
            yield part
