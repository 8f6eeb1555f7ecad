"""Tells text from binary by the first bytes. Called by detect and handlers.structures.charset."""

import codecs
import re
from functools import partial

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16: its first two bytes are the same
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_MARKS_BEGIN = frozenset(mark[:1] for mark, _ in _BOMS)
# Allowed besides printable bytes: white space, backspace and escape (terminals, ISO-2022), DC4 (Concordance
# columns), SUB (end of a DOS file).
_TEXT_BYTES = bytes({8, 9, 10, 11, 12, 13, 0x14, 0x1A, 0x1B, *range(0x20, 0x7F), *range(0x80, 0x100)})
_ASCII = bytes({9, 10, 13, *range(0x20, 0x7F)})
_TERMINAL = _ASCII + b"\x08\x0c\x1b"
_MOST_CONTROLS = 0.02
_MOST_STRAYS = 0.05
_MOST_ODD = 0.005
EBCDIC = ("cp037", "cp500")
_EBCDIC_BLANK, _FEWEST_EBCDIC = b"\x40", 24
_EBCDIC_WORDS = bytes(
    {0x40, *range(0xF0, 0xFA), *(row | at for row in (0x80, 0x90, 0xC0, 0xD0) for at in range(1, 10))}
    | {row | at for row in (0xA0, 0xE0) for at in range(2, 10)}
)
# white space and what is printed besides words, without the letters of other languages
_EBCDIC_SIGNS = bytes({5, 0x0B, 0x0C, 0x0D, 0x15, 0x25, *range(0x4A, 0x51), *range(0x5A, 0x62), *range(0x6A, 0x80)})
_KOREAN_SHIFTS = b"\x1b$)C"  # ISO-2022-KR says once that SO and SI switch between its two sets
# what stands between words in any script; read in the wrong order hardly any of these comes out
_BETWEEN_WORDS = re.compile("[\t\n\r \u3000-\u3002\uff0c\uff1a]")
_WHITE = str.maketrans("", "", "\t\n\r\f\v\ufeff\x14\x1a\x1b")


def byte_order_mark(head: bytes) -> tuple[str, int] | None:
    """The encoding that a byte order mark names, and the mark's length."""
    if head[:1] not in _MARKS_BEGIN:
        return None
    for mark, encoding in _BOMS:
        if head.startswith(mark):
            return encoding, len(mark)
    return None


def ebcdic(head: bytes) -> str | None:
    """The code page of a mainframe's text, told by its blanks, letters and digits; None for any other bytes."""
    if b" " in head or head.count(_EBCDIC_BLANK) * 20 < len(head) or len(head) < _FEWEST_EBCDIC:
        return None
    others = head.translate(None, _EBCDIC_WORDS)
    if len(others) * 5 > len(head) or len(others.translate(None, _EBCDIC_SIGNS)) > len(head) * _MOST_CONTROLS:
        return None
    brackets = b"\x4a" in others and b"\x5a" in others
    return "cp500" if brackets or others.count(b"\x4f") > others.count(b"\x5a") else "cp037"  # they part over [ ] ! |


def is_text(head: bytes) -> bool:
    """True for text in any encoding that has few control characters."""
    if byte_order_mark(head):
        return True
    odd = head.translate(None, _TEXT_BYTES + b"\x0e\x0f" if _KOREAN_SHIFTS in head else _TEXT_BYTES)
    if b"\0" in odd and unmarked_unicode(head):
        return True
    return b"\0" not in odd and len(odd) <= len(head) * _MOST_CONTROLS


def is_ascii_with_strays(head: bytes) -> bool:
    """True for lines of ASCII among which few other bytes lie, zeros too, as logs of crashed programs have them."""
    others = head.translate(None, _TERMINAL)
    return b"\n" in head and len(others) <= len(head) * _MOST_STRAYS


def unmarked_unicode(head: bytes) -> str | None:
    """UTF-16 or UTF-32 without a mark, told by where its zero bytes lie; None where there are none."""
    zeros = head.count(0)
    if not zeros or len(head) < 8:
        return None
    for order, never, seldom in (
        ("utf-32-le", 3, 2),
        ("utf-32-be", 0, 1),
    ):  # the bytes used never, and only beyond U+FFFF
        if not any(head[never::4]) and head[seldom::4].count(0) * 8 > len(head):
            return order if _is_readable(head[: len(head) // 4 * 4], order) else None
    others = head.replace(b"\0", b"")
    if zeros * 4 < len(head) and len(others.translate(None, _ASCII)) * 5 < len(others):
        return None  # ASCII with a stray zero, not the letters of another script
    high_zeros = head[1::2].count(0)
    order = "utf-16-le" if high_zeros * 2 > zeros else "utf-16-be"
    strays = min(high_zeros, zeros - high_zeros)
    if strays * 20 > zeros:  # many letters of East Asia, and accents put behind letters, have a zero of their own
        order = max(("utf-16-le", "utf-16-be"), key=partial(_breaks, head))
        return order if _breaks(head, order) and _is_readable(head[: len(head) // 2 * 2], order, _MOST_ODD) else None
    return order if _is_readable(head[: len(head) // 2 * 2], order) else None


def _breaks(head: bytes, encoding: str) -> int:
    return len(_BETWEEN_WORDS.findall(codecs.getincrementaldecoder(encoding)("replace").decode(head)))


def _is_readable(head: bytes, encoding: str, most_odd: float = _MOST_CONTROLS) -> bool:
    text = codecs.getincrementaldecoder(encoding)("replace").decode(head).translate(_WHITE)
    odd = sum(not char.isprintable() or char == "\ufffd" for char in text)
    return odd <= len(text) * most_odd
