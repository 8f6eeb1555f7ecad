"""How lists of Word's binary documents (97-2003) are numbered. Called by documents.word_binary_numbers in a child.

Names follow [MS-DOC]: a list (LST) has levels (LVL); paragraphs call it through an override (LFO), by number.
"""

import struct
from collections.abc import Iterator

from redwell.handlers.structures.list_numbers import LEVELS, Level
from redwell.handlers.word.word_lists import NumberedList, Place, inherited

_FIB_STYLES, _FIB_LISTS, _FIB_OVERRIDES = 0xA2, 0x02E2, 0x02EA
_LIST_SIZE, _LEVEL_SIZE, _OVERRIDE_SIZE = 28, 28, 16
_KINDS = dict(enumerate(("decimal", "upperRoman", "lowerRoman", "upperLetter", "lowerLetter", "ordinal")))
_KINDS |= {22: "decimalZero", 23: "bullet", 255: "none"}
_ENDS = {0: " ", 1: " ", 2: ""}  # what follows a number: a tab, a blank, nothing
_LEGAL, _NO_RESTART = 0x04, 0x08
_STARTS, _RESHAPES = 0x10, 0x20
_LIST, _LEVEL = 0x460B, 0x260A
_OPERANDS = (1, 1, 2, 4, 2, 2, 0, 3)  # bytes, by the highest three bits; 0: the first byte tells
_PARAGRAPH_STYLE = 1
_MOST = 10_000


def lists(body: bytes, table: bytes) -> dict[str, NumberedList]:
    """By the number that paragraphs call a list with."""
    known = _lists(table, *struct.unpack_from("<II", body, _FIB_LISTS))
    (start,) = struct.unpack_from("<I", body, _FIB_OVERRIDES)
    (count,) = struct.unpack_from("<I", table, start)
    at = start + 4 + _OVERRIDE_SIZE * min(count, _MOST)
    found = {}
    for number in range(min(count, _MOST)):
        key, changes = struct.unpack_from("<i8xB", table, start + 4 + _OVERRIDE_SIZE * number)
        starts: dict[int, int] = {}
        levels, by_style = known.get(key, ({}, {}))
        levels = dict(levels)
        at += 4
        for _ in range(changes):
            at = _changed(table, at, levels, starts)
        found[str(number + 1)] = NumberedList(family=str(key), levels=levels, starts=starts, by_style=by_style)
    return found


def _lists(table: bytes, start: int, size: int) -> dict[int, tuple[dict[int, Level], dict[str, int]]]:
    """Levels, and the styles that stand for one, by the list's key; levels lie behind all lists."""
    (count,) = struct.unpack_from("<H", table, start)
    at = start + size
    found = {}
    for number in range(count):
        place = start + 2 + _LIST_SIZE * number
        (key,) = struct.unpack_from("<i", table, place)
        styles = struct.unpack_from("<9H", table, place + 8)
        levels = {}
        for level in range(1 if table[place + 26] & 1 else 9):
            levels[level], at = _level(table, at)
        found[key] = (levels, {str(style): level for level, style in enumerate(styles) if style != 0x0FFF})
    return found


def _level(table: bytes, at: int) -> tuple[Level, int]:
    start, kind, flags = struct.unpack_from("<iBB", table, at)
    follows, characters, paragraphs, limit = table[at + 15], table[at + 24], table[at + 25], table[at + 26]
    at += _LEVEL_SIZE + paragraphs + characters
    (length,) = struct.unpack_from("<H", table, at)
    text = table[at + 2 : at + 2 + 2 * length].decode("utf-16-le", "replace")
    level = Level(
        kind=_KINDS.get(kind, "decimal"),
        text="".join(f"%{ord(char) + 1}" if char < "\t" else char for char in text),
        start=start,
        restarts_after=limit if flags & _NO_RESTART else LEVELS,
        legal=bool(flags & _LEGAL),
        end=_ENDS.get(follows, " "),
    )
    return level, at + 2 + 2 * length


def _changed(table: bytes, at: int, levels: dict[int, Level], starts: dict[int, int]) -> int:
    start, flags = struct.unpack_from("<iI", table, at)
    level = flags & 15
    if flags & _RESHAPES:
        levels[level], end = _level(table, at + 8)
        if flags & _STARTS:
            starts[level] = levels[level].start
        return end
    if flags & _STARTS:
        starts[level] = start
    return at + 8


def styles(body: bytes, table: bytes) -> dict[str, Place]:
    """The list that a style puts its paragraphs into, its own or that of the style it is based on."""
    (start,) = struct.unpack_from("<I", body, _FIB_STYLES)
    head, count, fixed = struct.unpack_from("<HHH", table, start)
    at = start + 2 + head
    found: dict[str, tuple[Place, str]] = {}
    for number in range(min(count, _MOST)):
        (size,) = struct.unpack_from("<H", table, at)
        found[str(number)] = _style(table[at + 2 : at + 2 + size], fixed)
        at += 2 + size
    return {style: inherited(style, found) for style in found}


def _style(described: bytes, fixed: int) -> tuple[Place, str]:
    if len(described) < fixed + 4:
        return Place(), ""
    (kind,) = struct.unpack_from("<H", described, 2)
    (length,) = struct.unpack_from("<H", described, fixed)
    at = fixed + 4 + 2 * length  # behind the name and its end
    if kind & 15 != _PARAGRAPH_STYLE or at + 4 > len(described):
        return Place(), str(kind >> 4)
    (size,) = struct.unpack_from("<H", described, at)
    return place(described[at + 4 : at + 2 + size]), str(kind >> 4)


def place(formatting: bytes) -> Place:
    """List and level that the formatting of a paragraph names."""
    told = dict(_settings(formatting))
    return Place(num=str(told[_LIST]) if _LIST in told else None, level=told.get(_LEVEL))


def _settings(formatting: bytes) -> Iterator[tuple[int, int]]:
    at = 0
    while at + 3 <= len(formatting):
        (code,) = struct.unpack_from("<H", formatting, at)
        if code in (_LIST, _LEVEL):
            yield code, int.from_bytes(formatting[at + 2 : at + 2 + _OPERANDS[code >> 13]], "little")
        at += 2 + (_OPERANDS[code >> 13] or 1 + formatting[at + 2])
