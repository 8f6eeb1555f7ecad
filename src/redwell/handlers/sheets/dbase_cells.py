"""Cells of dBASE and FoxPro tables that are not plain text. Called by the reader of tables in a child."""

import struct
from collections.abc import Callable
from datetime import datetime, timedelta

from redwell.handlers.sheets.biff import number_text
from redwell.handlers.structures.dates import iso

_DAY_ONE, _DAY_ONE_JULIAN = datetime(1, 1, 1), 1_721_426
_FIRST_YEAR = 80  # no table is older
_MEMO_WIDTHS = range(11)


def cell_text(kind: str, raw: bytes, *, foxpro: bool) -> str | None:
    """What a cell of this kind shows; None where it is text in the table's encoding."""
    reader = _FOXPRO.get((kind, len(raw))) if foxpro else None
    if reader:
        return reader(raw)
    if kind in "BGMP0" and len(raw) in _MEMO_WIDTHS:
        return ""  # the number of a block in a file of memos; which cells have no value
    if kind == "I" and len(raw) == 4:
        return str(struct.unpack("<i", raw)[0])
    if kind == "D" and len(raw) == 8 and raw.isdigit():
        return f"{raw[:4].decode()}-{raw[4:6].decode()}-{raw[6:].decode()}"
    return None


def changed_on(head: bytes) -> str | None:
    """The day of the last change that the header tells, as ISO; some programs count years from 2000, not 1900."""
    try:
        return iso(datetime((2000 if head[1] < _FIRST_YEAR else 1900) + head[1], head[2], head[3]))
    except ValueError:
        return None


def _moment(raw: bytes) -> str:
    """A day as astronomers count them, and thousandths of a second."""
    day, thousandths = struct.unpack("<ii", raw)
    try:
        moment = _DAY_ONE + timedelta(days=day - _DAY_ONE_JULIAN, milliseconds=round(thousandths, -3))
    except OverflowError:
        return ""
    return iso(moment).replace("T", " ")


def _money(raw: bytes) -> str:
    (hundredths_of_cents,) = struct.unpack("<q", raw)
    return f"{hundredths_of_cents / 10_000:.4f}"


def _double(raw: bytes) -> str:
    return number_text(struct.unpack("<d", raw)[0])


_FOXPRO: dict[tuple[str, int], Callable[[bytes], str]] = {("B", 8): _double, ("T", 8): _moment, ("Y", 8): _money}
