"""Values in the cells of Numbers tables, 2013 and later. Called by the iWork handler in a child."""

import struct
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta

from redwell.handlers.documents.iwa import Fields, Message, byte_fields, fields, int_field, reference
from redwell.handlers.structures.dates import iso

TABLE = 6001
_EPOCH = datetime(2001, 1, 1, tzinfo=UTC)
_DECIMAL, _DOUBLE, _SECONDS, _STRING = 1, 2, 4, 8  # which values a cell has, in this order
_NO_CELL = 0xFFFF
_BIAS = 0x1820


def table_rows(table: Message, objects: Mapping[int, Message]) -> Iterator[list[str]]:
    """A table's cells row by row; raises `ValueError` or `IndexError` where it is damaged."""
    model = fields(table.payload)
    for packed in byte_fields(model, 4):
        store = fields(packed)
        strings = _strings(objects.get(reference(store, 4)))
        for tiles in byte_fields(store, 3):
            for tile in byte_fields(fields(tiles), 1):
                target = objects.get(reference(fields(tile), 2))
                yield from _tile_rows(fields(target.payload), strings) if target else ()


def _strings(listing: Message | None) -> dict[int, str]:
    entries = byte_fields(fields(listing.payload), 3) if listing else []
    found = {}
    for entry in map(fields, entries):
        found[int_field(entry, 1)] = b"".join(byte_fields(entry, 3)).decode("utf-8", "replace")
    return found


def _tile_rows(tile: Fields, strings: Mapping[int, str]) -> Iterator[list[str]]:
    for row in map(fields, byte_fields(tile, 5)):
        for cells, offsets in zip(byte_fields(row, 6), byte_fields(row, 7), strict=False):
            unit = 4 if int_field(row, 8) else 1
            starts = struct.unpack(f"<{len(offsets) // 2}H", offsets[: len(offsets) & ~1])
            yield [_cell(cells[at * unit :], strings) for at in starts if at != _NO_CELL]


def _cell(data: bytes, strings: Mapping[int, str]) -> str:
    if len(data) < 12 or data[0] != 5:
        return ""
    (has,) = struct.unpack_from("<I", data, 8)
    at = 12
    said = ""
    if has & _DECIMAL:
        said, at = _decimal(data[at : at + 16]), at + 16
    if has & _DOUBLE:
        said, at = f"{struct.unpack_from('<d', data, at)[0]:.15g}", at + 8
    if has & _SECONDS:
        said, at = _moment(struct.unpack_from("<d", data, at)[0]), at + 8
    if has & _STRING:
        said = strings.get(struct.unpack_from("<I", data, at)[0], "")
    return said


def _decimal(packed: bytes) -> str:
    if len(packed) < 16:
        return ""
    exponent = ((packed[15] & 0x7F) << 7 | packed[14] >> 1) - _BIAS
    mantissa = int.from_bytes(packed[:14], "little") | (packed[14] & 1) << 112
    return f"{(-mantissa if packed[15] & 0x80 else mantissa) * 10.0**exponent:.15g}"


def _moment(seconds: float) -> str:
    try:
        return iso(_EPOCH + timedelta(seconds=seconds)).removesuffix("Z")
    except (OverflowError, ValueError):
        return ""
