"""Which files of an index differ from what tantivy wrote. Used by the index adapter.

Every file of a segment ends with a footer: JSON with the CRC-32 of all before it, the length of that
JSON and a magic number, 4 bytes each (little-endian).
"""

import json
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

_PARTS = ("fast", "fieldnorm", "idx", "pos", "store", "term")
_TAIL = struct.Struct("<II")
_MAGIC = 1337
_READ = 1 << 20


def damaged_files(folder: Path, fields: object) -> Iterator[Path]:
    """Files of committed segments below `folder` that are missing or not as they were written; `fields` is the schema.

    A killed writer leaves pieces of segments that nothing refers to; the next writer removes them.
    """
    for meta in sorted(folder.rglob("meta.json")):
        if json.loads(meta.read_bytes())["schema"] != fields:
            yield meta
        wrong = {path: name for name, paths in segments_of(meta).items() for path in paths if not _whole(path)}
        left = segments_of(meta) if wrong else {}  # a running indexer may have merged a segment away since
        yield from (path for path, name in wrong.items() if name in left)


def segments_of(meta: Path) -> dict[str, list[Path]]:
    """The files of each segment; deletions are a file of their own, named by when they were made."""
    segments = {}
    for segment in json.loads(meta.read_bytes())["segments"]:
        name = segment["segment_id"].replace("-", "")
        deletes = [f"{segment['deletes']['opstamp']}.del"] if segment["deletes"] else []
        segments[name] = [meta.with_name(f"{name}.{part}") for part in (*_PARTS, *deletes)]
    return segments


def _whole(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            size = file.seek(0, 2)
            file.seek(max(size - _TAIL.size, 0))
            length, magic = _TAIL.unpack(file.read())
            end = size - _TAIL.size - length
            file.seek(end)
            footer = json.loads(file.read(length))
            file.seek(0)
            return magic == _MAGIC and bool(_crc_of(file, end) == footer["crc"])
    except (OSError, struct.error, ValueError, LookupError, TypeError):
        return False


def _crc_of(file: BinaryIO, count: int) -> int:
    crc = 0
    while count and (part := file.read(min(_READ, count))):
        crc = zlib.crc32(part, crc)
        count -= len(part)
    return crc
