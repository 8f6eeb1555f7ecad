"""Which files of an index differ from what tantivy wrote. Called by verify, which opens no damaged index.

Every file of a segment ends with a footer: JSON with the CRC-32 of all before it, the length of that
JSON and a magic number, 4 bytes each (little-endian).
"""

import json
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

_TAIL = struct.Struct("<II")
_MAGIC = 1337
_PART = 1 << 20


def damaged(folder: Path) -> Iterator[Path]:
    """Segment files below `folder` whose bytes are not the ones that were written."""
    for path in sorted(folder.rglob("*.*")):
        if path.is_file() and path.suffix not in {".json", ".lock"} and not _whole(path):
            yield path


def _whole(path: Path) -> bool:
    with path.open("rb") as file:
        size = file.seek(0, 2)
        if size < _TAIL.size:
            return False
        file.seek(size - _TAIL.size)
        length, magic = _TAIL.unpack(file.read())
        end = size - _TAIL.size - length
        if magic != _MAGIC or end < 0:
            return False
        file.seek(end)
        try:
            expected = json.loads(file.read(length))["crc"]
        except (ValueError, LookupError, TypeError):
            return False
        file.seek(0)
        return bool(_crc_of(file, end) == expected)


def _crc_of(file: BinaryIO, count: int) -> int:
    crc = 0
    while count and (part := file.read(min(_PART, count))):
        crc = zlib.crc32(part, crc)
        count -= len(part)
    return crc
