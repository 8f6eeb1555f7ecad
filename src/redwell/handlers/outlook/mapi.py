"""Values of MAPI properties, as MSG, TNEF and PST all keep them: numbers, dates in UTC, text in its code page.

Called by the readers of these formats in a child. They `put` raw values in; nothing here knows where they lay.
"""

import struct
from datetime import UTC, datetime, timedelta

from redwell.handlers.structures import code_pages
from redwell.handlers.structures.charset import decode
from redwell.handlers.structures.dates import iso

SHORT, LONG, FLOAT, DOUBLE, BOOLEAN, OBJECT, LONGLONG = 0x02, 0x03, 0x04, 0x05, 0x0B, 0x0D, 0x14
STRING8, UNICODE, TIME, GUID, BINARY = 0x1E, 0x1F, 0x40, 0x48, 0x102
MANY = 0x1000  # set in the type of a property with several values
WIDTHS = {SHORT: 2, LONG: 4, FLOAT: 4, DOUBLE: 8, 0x06: 8, 0x07: 8, 0x0A: 4, BOOLEAN: 2, LONGLONG: 8, TIME: 8, GUID: 16}

_MESSAGE_CODE_PAGE, _INTERNET_CODE_PAGE, _LOCALE = 0x3FFD, 0x3FDE, 0x3FF1
_NUMBERS = {SHORT: "<h", LONG: "<i", LONGLONG: "<q", FLOAT: "<f", DOUBLE: "<d"}
_EPOCH = datetime(1601, 1, 1, tzinfo=UTC)
_NEVER = 4500  # Outlook writes the year 4501 where there is no date
# The Windows code page by a locale's primary language; Western European where it is not here.
_LANGUAGES = {
    **dict.fromkeys((0x02, 0x19, 0x22, 0x23, 0x2F), 1251),
    **dict.fromkeys((0x05, 0x0E, 0x15, 0x18, 0x1A, 0x1B, 0x1C, 0x24), 1250),
    **dict.fromkeys((0x01, 0x20, 0x29), 1256),
    **dict.fromkeys((0x25, 0x26, 0x27), 1257),
    0x04: 936, 0x08: 1253, 0x0D: 1255, 0x11: 932, 0x12: 949, 0x1E: 874, 0x1F: 1254, 0x2A: 1258,
}  # fmt: skip
_TRADITIONAL_CHINESE = frozenset((0x0404, 0x0C04, 0x1404))


class Properties:
    """The properties of one message, recipient or attachment by their 16-bit number."""

    def __init__(self, encoding: str = "") -> None:
        self._values: dict[int, tuple[int, list[bytes]]] = {}
        self._names: dict[tuple[str, int | str], int] = {}
        self._encoding = encoding  # of the message that this belongs to

    def put(self, number: int, kind: int, values: list[bytes]) -> None:
        """Keep raw values of a kind (without `MANY`). Unicode stays where the same text comes in a code page too."""
        held = self._values.get(number)
        if values and not (held and held[0] == UNICODE and kind == STRING8):
            self._values[number] = (kind, values)

    def name(self, space: str, key: int | str, number: int) -> None:
        """A named property: its set as the text of a GUID, and its number or name there."""
        self._names[(space.lower(), key)] = number

    def named(self, space: str, key: int | str) -> int:
        """The number that a named property has in this message; 0 where it has none."""
        return self._names.get((space, key), 0)

    def __contains__(self, number: int) -> bool:
        return number in self._values

    @property
    def encoding(self) -> str:
        """What text in a code page is in, as a label for `charset.decode`."""
        for number in (_MESSAGE_CODE_PAGE, _INTERNET_CODE_PAGE):
            label = code_pages.label(self.integer(number) or 0)
            if label:
                return label
        locale = self.integer(_LOCALE) or 0
        if locale & 0x3FF:
            return code_pages.label(950 if locale in _TRADITIONAL_CHINESE else _LANGUAGES.get(locale & 0x3FF, 1252))
        return self._encoding

    @property
    def html_encoding(self) -> str:
        """What an HTML body kept as bytes is in."""
        return code_pages.label(self.integer(_INTERNET_CODE_PAGE) or 0) or self.encoding

    def text(self, *numbers: int) -> str:
        """The first of these that is a text and says something."""
        return next((texts[0] for texts in map(self.texts, numbers) if texts), "")

    def texts(self, number: int) -> list[str]:
        """Every value that says something."""
        kind, values = self._values.get(number, (0, []))
        if kind == UNICODE:
            found = [raw[: len(raw) // 2 * 2].decode("utf-16-le", "replace") for raw in values]
        elif kind == STRING8:
            encoding = self.encoding
            found = [decode(raw.rstrip(b"\0"), encoding)[0] for raw in values]
        else:
            found = []
        return [text for text in (each.rstrip("\0") for each in found) if text.strip()]

    def number(self, *numbers: int) -> float | int | None:
        for each in numbers:
            kind, values = self._values.get(each, (0, [b""]))
            layout = _NUMBERS.get(kind)
            if layout and len(values[0]) >= struct.calcsize(layout):
                found: float | int = struct.unpack_from(layout, values[0])[0]
                return found
        return None

    def integer(self, *numbers: int) -> int | None:
        found = self.number(*numbers)
        return found if isinstance(found, int) else None

    def flag(self, number: int) -> bool:
        kind, values = self._values.get(number, (0, [b""]))
        return kind == BOOLEAN and any(values[0][:2])

    def moment(self, *numbers: int) -> str:
        """The first of these dates as ISO 8601 in UTC; empty where none is set."""
        for number in numbers:
            kind, values = self._values.get(number, (0, [b""]))
            if kind == TIME and len(values[0]) >= 8 and (found := _moment(values[0])):
                return found
        return ""

    def binary(self, number: int) -> bytes:
        """The bytes as they are, whatever their kind; empty where there are none."""
        return self._values.get(number, (0, [b""]))[1][0]

    def binaries(self, number: int) -> list[bytes]:
        """Every value as it is."""
        return self._values.get(number, (0, []))[1]

    def kind(self, number: int) -> int:
        return self._values.get(number, (0, []))[0]


def _moment(raw: bytes) -> str:
    """Tenths of microseconds since 1601; zero, the year that stands for never, and what no calendar holds: unset."""
    try:
        when = _EPOCH + timedelta(microseconds=int.from_bytes(raw[:8], "little") // 10)
    except OverflowError:
        return ""
    return iso(when) if 1601 < when.year < _NEVER else ""
