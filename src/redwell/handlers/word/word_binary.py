"""Reads Word's binary documents (97-2003, and 6.0/95): all stories, from the piece table. Runs in a child.

The stories lie behind one another: body, footnotes, headers and footers, comments, endnotes, text boxes.
"""

import re
import struct
from collections.abc import Iterator

from redwell.core.errors import InvalidFile
from redwell.handlers.office.word_art import drawn_words
from redwell.handlers.structures.ole import Compound
from redwell.handlers.word.word_binary_numbers import Stretch, numbered
from redwell.handlers.word.word_changes import marks
from redwell.handlers.word.word_comments import with_authors

_WORD_6_MAGIC = 0xA5DC
_ENCRYPTED, _SECOND_TABLE, _COMPLEX = 0x0100, 0x0200, 0x0004
_FIELD_MARKS = re.compile("([\x13\x14\x15])")
_READING = re.compile(r"\\[oO](?:\\\w+)*\s*\(\s*\\s\\up\s*\d*\s*\(([^()]*)\)\s*[,;]\s*([^()]*)\)")
_SWITCHES = re.compile(r'\\\*\s*(?:"[^"]*"|\w+)|\\\w+|\\(?=[(),;])')
_DRAWINGS = 0x022A
_CELL = "\x07"
_PLAIN: dict[int, str | None] = {
    **dict.fromkeys([*range(0x09), *range(0x0F, 0x1E), 0x1F]),
    **dict.fromkeys([0x0B, 0x0C, 0x0D, 0x0E], "\n"),
    0x07: "\t",
    0x1E: "-",
}
# the ANSI code page of text in old documents, by the primary language of their stamp
_CODE_PAGES = {0x11: "cp932", 0x12: "cp949", 0x04: "cp936", 0x19: "cp1251", 0x02: "cp1251", 0x22: "cp1251",
               0x05: "cp1250", 0x0E: "cp1250", 0x15: "cp1250", 0x18: "cp1250", 0x1A: "cp1250", 0x24: "cp1250",
               0x08: "cp1253", 0x1F: "cp1254", 0x0D: "cp1255", 0x01: "cp1256", 0x1E: "cp874"}  # fmt: skip


def is_encrypted(compound: Compound) -> bool:
    head = compound.stream("WordDocument")[:0x20]
    return len(head) >= 0x0C and bool(struct.unpack_from("<H", head, 0x0A)[0] & _ENCRYPTED)


def read(compound: Compound) -> tuple[str, dict[str, bool]]:
    """The document's whole text, and what it has beside plain words."""
    body = compound.stream("WordDocument")
    try:
        magic, _, _, language = struct.unpack_from("<HHHH", body)
        (flags,) = struct.unpack_from("<H", body, 0x0A)
        if magic == _WORD_6_MAGIC:
            has_comments = bool(struct.unpack_from("<I", body, 0x44)[0])
            return plain(_old_text(body, flags, language)), {"has_comments": has_comments}
        table = compound.stream("1Table" if flags & _SECOND_TABLE else "0Table")
        fc_clx, lcb_clx = struct.unpack_from("<II", body, 0x01A2)
        text = numbered(_pieces(body, table[fc_clx : fc_clx + lcb_clx], "cp1252"), body, table)
        text = with_authors(text, body, table)
        drawn = "".join(f"\n{words}\n" for words in _drawn(body, table))
        changed, hidden = marks(body, table)
        seen = {"has_tracked_changes": changed, "has_hidden": hidden, "has_hidden_text": hidden}
        return plain(text) + drawn, {"has_comments": bool(struct.unpack_from("<I", body, 0x5C)[0])} | seen
    except struct.error:
        raise InvalidFile("the document's header is cut off") from None


def _drawn(body: bytes, table: bytes) -> list[str]:
    """Watermarks and the like; a short header knows no drawings."""
    if len(body) < _DRAWINGS + 8:
        return []
    start, length = struct.unpack_from("<II", body, _DRAWINGS)
    return drawn_words(table[start : start + length])


def _old_text(body: bytes, flags: int, language: int) -> str:
    code_page = _CODE_PAGES.get(language & 0x3FF, "cp1252")
    if flags & _COMPLEX:
        fc_clx, lcb_clx = struct.unpack_from("<II", body, 0x0160)
        return "".join(text for text, _, _ in _pieces(body, body[fc_clx : fc_clx + lcb_clx], code_page, wide=False))
    start, end = struct.unpack_from("<II", body, 0x18)
    return body[start:end].decode(code_page, "replace")


def _pieces(body: bytes, clx: bytes, code_page: str, wide: bool = True) -> Iterator[Stretch]:
    """The text in the order of the piece table, not in that of the file."""
    plc = _piece_table(clx)
    count = (len(plc) - 4) // 12
    ends = struct.unpack_from(f"<{count + 1}I", plc)
    for index in range(count):
        (position,) = struct.unpack_from("<I", plc, 4 * (count + 1) + 8 * index + 2)
        length = ends[index + 1] - ends[index]
        if not wide or position & 0x40000000:
            start = (position & 0x3FFFFFFF) // 2 if wide else position
            yield body[start : start + length].decode(code_page, "replace"), start, 1
        else:
            yield body[position : position + 2 * length].decode("utf-16-le", "replace"), position, 2


def _piece_table(clx: bytes) -> bytes:
    offset = 0
    while offset < len(clx) and clx[offset] == 1:
        offset += 3 + struct.unpack_from("<H", clx, offset + 1)[0]
    if offset >= len(clx) or clx[offset] != 2:
        raise InvalidFile("the document has no piece table")
    (size,) = struct.unpack_from("<I", clx, offset + 1)
    return clx[offset + 5 : offset + 5 + size]


def _formula(code: str) -> str:
    """What a field shows that has no result: a formula, or characters with their pronunciation above them."""
    if not code.lstrip().upper().startswith("EQ "):
        return ""
    words = _SWITCHES.sub("", _READING.sub(r"\2 (\1)", code.lstrip()[3:]))
    return " ".join(words.split())


def plain(text: str) -> str:
    """Marks turned into white space; of a field only its result stays."""
    levels: list[list[str]] = [[]]
    for part in _FIELD_MARKS.split(text):
        if part == "\x13":
            levels.append([])
        elif part == "\x14" and len(levels) > 1:
            levels[-1] = ["\x14"]
        elif part == "\x15" and len(levels) > 1:
            result = levels.pop()
            levels[-1] += result[1:] if result[:1] == ["\x14"] else [_formula("".join(result))]
        else:
            levels[-1].append(part)
    # fields that never end are damage: their words are kept
    flat = "".join("".join(level) for level in levels)
    return flat.replace(_CELL + _CELL, _CELL + "\r").translate(_PLAIN)
