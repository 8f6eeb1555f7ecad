"""Pictures in Word's, Excel's and PowerPoint's binary files (MS-ODRAW): found by their records' heads. Runs in a child.

Each program keeps its pictures elsewhere and lists them in its own way; the records around them are the same in all.
"""

import re
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from redwell.core.errors import InvalidFile, TooLarge
from redwell.core.handler import Options
from redwell.handlers.office.biff_records import records
from redwell.handlers.structures.embedded import Embedded
from redwell.handlers.structures.ole import Compound
from redwell.handlers.structures.pictures.picture_files import as_file, hash_kind

_STREAMS = ("Pictures", "Data", "WordDocument", "1Table", "0Table")
_BOOKS = ("Workbook", "Book")
_DRAWING_GROUP, _CONTINUE = 0xEB, 0x3C
# a record's instance says what the picture is; one more than here, it has two ids in front
_KINDS: dict[int, tuple[int, str]] = {
    0x3D4: (0xF01A, "emf"),
    0x216: (0xF01B, "wmf"),
    0x542: (0xF01C, "pict"),
    0x46A: (0xF01D, "jpg"),
    0x6E2: (0xF01D, "jpg"),
    0x6E0: (0xF01E, "png"),
    0x7A8: (0xF01F, "bmp"),
    0x6E4: (0xF029, "tif"),
}
_HEAD = re.compile(rb"(?s)..[\x1a-\x1f\x29\x2a]\xf0....")
_ID, _METAFILE_HEAD, _DEFLATED = 16, 34, 0
_PACKED = {"emf", "wmf", "pict"}


@dataclass(frozen=True, slots=True)
class _Picture:
    at: int
    extension: str
    identity: bytes
    body: bytes


def pictures(compound: Compound, options: Options) -> list[Embedded]:
    """Each picture once, in stored order, where the setting asks for them."""
    if not options.embedded_images:
        return []
    found: list[Embedded] = []
    seen: set[bytes] = set()
    for name in (*_STREAMS, *_BOOKS):
        if name not in compound:
            continue
        data = _drawing_group(compound.stream(name)) if name in _BOOKS else compound.stream(name)
        for picture in _pictures(data):
            if picture.identity in seen:
                continue
            seen.add(picture.identity)
            title = f"picture {len(found) + 1}.{picture.extension}"
            kind = hash_kind(picture.extension)
            take = partial(_taken, title, picture, options.max_member_bytes)
            found.append(Embedded(f"art:{name}:{picture.at}", title, take, role="inline", hash_kind=kind))
    return found


def _drawing_group(stream: bytes) -> bytes:
    """What a workbook's records say of its pictures, joined: a record ends after 8 KB."""
    parts: list[bytes] = []
    inside = False
    for kind, start, end in records(stream):
        inside = kind == _DRAWING_GROUP or (inside and kind == _CONTINUE)
        if inside:
            parts.append(stream[start:end])
    return b"".join(parts)


def _pictures(data: bytes) -> Iterator[_Picture]:
    at = 0
    while head := _HEAD.search(data, at):
        at = head.start() + 1
        first, kind, length = struct.unpack_from("<HHI", data, head.start())
        wanted, extension = _KINDS.get(first >> 4 & ~1, (0, ""))
        start = head.end()
        if wanted in (kind, kind - 0x0D) and not first & 0xF and _ID < length <= len(data) - start:
            body = start + _ID * (1 + (first >> 4 & 1))
            yield _Picture(head.start(), extension, data[start : start + _ID], data[body : start + length])
            at = start + length


def _taken(title: str, picture: _Picture, most: int) -> tuple[str, bytes]:
    try:
        data = _metafile(picture, most) if picture.extension in _PACKED else picture.body[1:]
        return title, as_file(picture.extension, data)
    except (struct.error, zlib.error) as error:
        raise InvalidFile(f"the picture is damaged: {error}") from None


def _metafile(picture: _Picture, most: int) -> bytes:
    size, packing = struct.unpack_from("<I28xB", picture.body)
    data = picture.body[_METAFILE_HEAD:]
    if packing == _DEFLATED:
        if size > most:
            raise TooLarge(f"the picture unpacks to {size} bytes, max_member_mb is {most >> 20}")
        data = zlib.decompressobj().decompress(data, size) if size else b""
        if len(data) < size:
            raise InvalidFile("the picture is cut off")
    return data
