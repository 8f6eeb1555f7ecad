"""Handler for Windows metafiles: the words that they draw, and their size. Runs in a child."""

import struct
from collections.abc import Iterator
from pathlib import Path

from redwell.core.errors import InvalidFile
from redwell.core.handler import HandlerSpec, Metadata, MetaValue, Options, Pages, Piece, Source, Text, Trouble
from redwell.core.outcomes import Code

_EMF = "image/emf"
SPEC = HandlerSpec(name="metafile", media_types=frozenset({_EMF, "image/wmf"}), kind="image")
_PLACEABLE = b"\xd7\xcd\xc6\x9a"
_PLACEABLE_BYTES, _WMF_HEAD = 22, 18
_WMF_END, _WMF_TEXT, _WMF_LONG_TEXT, _WMF_FONT, _WMF_EXTENT = 0x0000, 0x0521, 0x0A32, 0x02FB, 0x020C
_CLIPPED = 0x06  # a rectangle stands before the string
_EMF_END, _EMF_ANSI, _EMF_WIDE, _EMF_SMALL = 14, 83, 84, 108
_SMALL_ANSI, _SMALL_NO_RECT = 0x200, 0x100
_CHARSETS = {128: "cp932", 129: "cp949", 134: "cp936", 136: "cp950", 161: "cp1253", 162: "cp1254", 177: "cp1255",
             178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874", 238: "cp1250"}  # fmt: skip


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    """Every string that is drawn, a line each, in the order of drawing."""
    data = source.read()
    reader = _emf if options.media_type == _EMF else _wmf
    lines: list[str] = []
    trouble = None
    try:
        values = reader(data, lines)
    except struct.error:
        if not lines:
            raise InvalidFile("the metafile is cut off") from None
        values, trouble = {}, "the metafile is cut off"
    yield Pages(count=1)
    yield Metadata(values=values)
    yield Text(text="".join(f"{line}\n" for line in lines if line.strip()))
    if trouble:
        yield Trouble(code=Code.FILE_MISSING_OR_INCOMPLETE, detail=trouble)


def _wmf(data: bytes, lines: list[str]) -> dict[str, MetaValue]:
    values: dict[str, MetaValue] = {"format": "WMF"}
    at = 0
    if data.startswith(_PLACEABLE):
        left, top, right, bottom, per_inch = struct.unpack_from("<4hH", data, 6)
        values |= {"width": abs(right - left), "height": abs(bottom - top), "dpi_x": float(per_inch)}
        at = _PLACEABLE_BYTES
    (header,) = struct.unpack_from("<2xH", data, at)
    at += 2 * header or _WMF_HEAD
    codec = "cp1252"
    while True:
        size, function = struct.unpack_from("<IH", data, at)
        if function == _WMF_END or size < 3:
            return values
        body = data[at + 6 : at + 2 * size]
        if function == _WMF_FONT and len(body) > 13:
            codec = _CHARSETS.get(body[13], "cp1252")
        elif function == _WMF_EXTENT and "width" not in values and len(body) >= 4:
            height, width = struct.unpack_from("<2h", body)
            values |= {"width": abs(width), "height": abs(height)}
        elif function in (_WMF_TEXT, _WMF_LONG_TEXT):
            lines.append(_wmf_text(function, body).decode(codec, "replace"))
        at += 2 * size


def _wmf_text(function: int, body: bytes) -> bytes:
    if function == _WMF_TEXT:
        (length,) = struct.unpack_from("<H", body)
        return body[2 : 2 + length]
    _, _, length, options = struct.unpack_from("<2hHH", body)
    start = 16 if options & _CLIPPED else 8
    return body[start : start + length]


def _emf(data: bytes, lines: list[str]) -> dict[str, MetaValue]:
    left, top, right, bottom = struct.unpack_from("<4i", data, 8)
    values: dict[str, MetaValue] = {"format": "EMF", "width": abs(right - left), "height": abs(bottom - top)}
    chars, offset = struct.unpack_from("<II", data, 60)
    about = data[offset : offset + 2 * chars].decode("utf-16-le", "replace").split("\0")
    values |= {name: text for name, text in zip(("application", "title"), about, strict=False) if text}
    at = 0
    while True:
        kind, size = struct.unpack_from("<II", data, at)
        if kind == _EMF_END or size < 8:
            return values
        record = data[at : at + size]
        if kind in (_EMF_ANSI, _EMF_WIDE):
            lines.append(_emf_text(record, wide=kind == _EMF_WIDE))
        elif kind == _EMF_SMALL:
            lines.append(_small_text(record))
        at += size


def _emf_text(record: bytes, *, wide: bool) -> str:
    count, offset = struct.unpack_from("<II", record, 44)
    if wide:
        return record[offset : offset + 2 * count].decode("utf-16-le", "replace")
    return record[offset : offset + count].decode("cp1252", "replace")


def _small_text(record: bytes) -> str:
    count, options = struct.unpack_from("<II", record, 16)
    start = 36 if options & _SMALL_NO_RECT else 52
    if options & _SMALL_ANSI:
        return record[start : start + count].decode("cp1252", "replace")
    return record[start : start + 2 * count].decode("utf-16-le", "replace")
