"""Finds tracked changes and hidden words in Word's binary documents (97-2003). Called by the office handler in a child.

Formatting lies apart from the text, in pages of 512 bytes: each lists runs of characters and what was done to them.
"""

import struct
from collections.abc import Iterator

_FIB_CHARACTERS = 0xFA  # where the table of these pages is told
_PAGE = 512
_DELETED, _INSERTED, _HIDDEN = 0x0800, 0x0801, 0x083C
_OPERANDS = (1, 1, 2, 4, 2, 2, 0, 3)  # bytes, by the highest three bits; 0: the first byte tells


def marks(body: bytes, table: bytes) -> tuple[bool, bool]:
    """Whether any run is a tracked change, and whether any is hidden; a damaged table says neither."""
    try:
        start, length = struct.unpack_from("<II", body, _FIB_CHARACTERS)
        count = max(0, (min(length, len(table) - start) - 4) // 8)
        pages = struct.unpack_from(f"<{count}I", table, start + 4 * (count + 1)) if count else ()
    except struct.error:
        return False, False
    seen = {code for page in pages for code in _codes(body[(page & 0x3FFFFF) * _PAGE :][:_PAGE])}
    return bool(seen & {_DELETED, _INSERTED}), _HIDDEN in seen


def _codes(page: bytes) -> Iterator[int]:
    """The codes that are switched on for any run of the page."""
    if len(page) < _PAGE:
        return
    runs = page[-1]
    for place in page[4 * (runs + 1) : 4 * (runs + 1) + runs]:
        if place:
            yield from _switched_on(page[2 * place + 1 : 2 * place + 1 + page[2 * place]])


def _switched_on(formatting: bytes) -> Iterator[int]:
    at = 0
    while at + 3 <= len(formatting):
        (code,) = struct.unpack_from("<H", formatting, at)
        if code in (_DELETED, _INSERTED, _HIDDEN) and formatting[at + 2]:
            yield code
        at += 2 + (_OPERANDS[code >> 13] or 1 + formatting[at + 2])
