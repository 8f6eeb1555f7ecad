"""OLE property sets (MS-OLEPS): title, author, dates and custom fields of old Office files. Runs in a child.

Our own, because olefile believes the count that a damaged set claims and loops for hours.
"""

import struct
from collections.abc import Iterator

from redwell.core.handler import MetaValue
from redwell.handlers.structures import code_pages
from redwell.handlers.structures.dates import from_filetime

SUMMARY = "\x05SummaryInformation"
DOCUMENT_SUMMARY = "\x05DocumentSummaryInformation"
_SUMMARY_NAMES = {
    2: "title",
    3: "subject",
    4: "author",
    5: "keywords",
    6: "comments",
    7: "template",
    8: "last_modified_by",
    9: "revision",
    11: "last_printed",
    12: "created",
    13: "modified",
    14: "stated_pages",
    15: "stated_words",
    18: "application",
}
_DOCUMENT_NAMES = {
    2: "category",
    7: "stated_slides",
    14: "manager",
    15: "company",
    27: "content_status",
    28: "stated_language",
}
_CUSTOM_SET = bytes.fromhex("05d5cdd59c2e1b10939708002b2cf9ae")
_CODE_PAGE_ID, _DICTIONARY_ID = 1, 0
_I2, _I4, _LPSTR, _LPWSTR, _FILETIME, _BOOL, _R8 = 2, 3, 30, 31, 64, 11, 5


def named(stream: bytes, *, document: bool) -> dict[str, MetaValue]:
    """The fields of one property stream in Redwell's names; raises `struct.error` where it is cut off."""
    names = _DOCUMENT_NAMES if document else _SUMMARY_NAMES
    values: dict[str, MetaValue] = {}
    for index, (set_id, section) in enumerate(_sections(stream)):
        found, labels = _values(section)
        if set_id == _CUSTOM_SET:
            values |= {f"custom.{labels[key]}": value for key, value in found.items() if key in labels}
        elif index == 0:
            values |= {names[key]: value for key, value in found.items() if key in names}
    return {key: value for key, value in values.items() if value not in ("", 0) or key.startswith("custom.")}


def _sections(stream: bytes) -> Iterator[tuple[bytes, bytes]]:
    (count,) = struct.unpack_from("<I", stream, 24)
    for index in range(min(count, 8)):
        set_id, offset = struct.unpack_from("<16sI", stream, 28 + 20 * index)
        yield set_id, stream[offset:]


def _values(section: bytes) -> tuple[dict[int, MetaValue], dict[int, str]]:
    """Values by number, and the names that a custom set gives to its numbers."""
    _, count = struct.unpack_from("<II", section)
    count = min(count, len(section) // 8)
    table = [
        struct.unpack_from("<II", section, 8 + 8 * index) for index in range(count) if 16 + 8 * index <= len(section)
    ]
    offsets = dict(table)
    codec = _codec(section, offsets.get(_CODE_PAGE_ID))
    labels = _labels(section, offsets.get(_DICTIONARY_ID), codec)
    values: dict[int, MetaValue] = {}
    for key, offset in table:
        value = _value(section, offset, codec) if key not in (_CODE_PAGE_ID, _DICTIONARY_ID) else None
        if value is not None:
            values[key] = value
    return values, labels


def _codec(section: bytes, offset: int | None) -> str:
    number = struct.unpack_from("<H", section, offset + 4)[0] if offset and offset + 6 <= len(section) else 1252
    return code_pages.codec(number)


def _value(section: bytes, offset: int, codec: str) -> MetaValue | None:
    try:
        (kind,) = struct.unpack_from("<I", section, offset)
        start = offset + 4
        if kind == _LPSTR:
            (size,) = struct.unpack_from("<I", section, start)
            return _clean(section[start + 4 : start + 4 + size].decode(codec, "replace"))
        if kind == _LPWSTR:
            (size,) = struct.unpack_from("<I", section, start)
            return _clean(section[start + 4 : start + 4 + 2 * size].decode("utf-16-le", "replace"))
        if kind == _FILETIME:
            return from_filetime(struct.unpack_from("<Q", section, start)[0])
        if kind == _BOOL:
            return bool(struct.unpack_from("<H", section, start)[0])
        if kind == _R8:
            return float(struct.unpack_from("<d", section, start)[0])
        if kind in (_I2, _I4):
            return int(struct.unpack_from("<h" if kind == _I2 else "<i", section, start)[0])
    except struct.error:
        return None
    return None


def _clean(text: str) -> str:
    return text.partition("\0")[0].strip()


def _labels(section: bytes, offset: int | None, codec: str) -> dict[int, str]:
    labels: dict[int, str] = {}
    if not offset:
        return labels
    try:
        (count,) = struct.unpack_from("<I", section, offset)
        position = offset + 4
        for _ in range(min(count, len(section) // 8)):
            key, size = struct.unpack_from("<II", section, position)
            size *= 2 if codec == "utf-16-le" else 1
            labels[key] = _clean(section[position + 8 : position + 8 + size].decode(codec, "replace"))
            position += 8 + (size + 3 & ~3 if codec == "utf-16-le" else size)
    except struct.error:
        return labels  # the names before the damage stand
    return labels
