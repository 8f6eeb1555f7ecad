"""A file of sorted MD5 hashes, mapped into memory: NSRL's list of known files in 16 bytes each.

Layout: a magic word, the number of hashes and the length of a JSON note; the note; for each two-byte beginning where
its hashes start, and the end; the hashes. Made by `redwell nist build`, read by imports.
"""

import json
import mmap
import struct
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO

from redwell.core.errors import UserError

_MAGIC = b"RWKNOWN1"
_HEAD = struct.Struct("<8sQI")
_BEGINNINGS = 1 << 16
WIDTH = 16


class HashFile:
    """Whether an MD5 is in the file: a search in the few hundred that begin with the same two bytes."""

    def __init__(self, path: Path) -> None:
        try:
            with path.open("rb") as file:
                self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            magic, self.count, length = _HEAD.unpack_from(self._map)
            self.note: dict[str, Any] = json.loads(self._map[_HEAD.size : _HEAD.size + length])
            self._starts = _HEAD.size + length
            self._hashes = self._starts + 8 * (_BEGINNINGS + 1)
            whole = magic == _MAGIC and len(self._map) == self._hashes + WIDTH * self.count
        except (OSError, ValueError, struct.error) as error:
            raise UserError(f"{path} is no file of known hashes ({error}); `redwell nist build` makes one") from None
        if not whole:
            raise UserError(f"{path} is no file of known hashes, or is cut off; `redwell nist build` makes one")
        self.name = path.name

    def __contains__(self, md5: bytes) -> bool:
        beginning = md5[0] << 8 | md5[1]
        first, last = struct.unpack_from("<QQ", self._map, self._starts + 8 * beginning)
        start, end = self._hashes + WIDTH * first, self._hashes + WIDTH * last
        at = self._map.find(md5, start, end)
        while at >= 0 and (at - start) % WIDTH:  # inside two neighbours, not one of them
            at = self._map.find(md5, at + 1, end)
        return at >= 0

    def close(self) -> None:
        self._map.close()


def write(file: BinaryIO, hashes: Iterable[list[bytes]], note: dict[str, Any]) -> int:
    """Write sorted hashes that come in sorted portions; `file` can seek. The number of hashes."""
    told = json.dumps({**note, "sha256": "0" * 64}, sort_keys=True).encode()
    file.write(_HEAD.pack(_MAGIC, 0, len(told)) + told + bytes(8 * (_BEGINNINGS + 1)))
    starts = [0] * (_BEGINNINGS + 1)
    digest, count = sha256(), 0
    for portion in hashes:
        body = b"".join(portion)
        file.write(body)
        digest.update(body)
        count += len(portion)
        for md5 in portion:
            starts[(md5[0] << 8 | md5[1]) + 1] += 1
    for beginning in range(_BEGINNINGS):
        starts[beginning + 1] += starts[beginning]
    told = json.dumps({**note, "sha256": digest.hexdigest()}, sort_keys=True).encode()
    file.seek(0)
    file.write(_HEAD.pack(_MAGIC, count, len(told)) + told + struct.pack(f"<{_BEGINNINGS + 1}Q", *starts))
    return count


def sorted_portions(spools: Iterable[BinaryIO]) -> Iterator[list[bytes]]:
    """Each spool holds the hashes with one first byte, in any order and often repeated."""
    for spool in spools:
        spool.seek(0)
        data = spool.read()
        yield sorted({data[at : at + WIDTH] for at in range(0, len(data), WIDTH)})
