"""Handler for WordPerfect documents, 5 and later: text with notes, headers and boxes. Runs in a child.

Text and codes share one stream of bytes; codes are skipped by the lengths that they or the version give them.
"""

import struct
from collections.abc import Iterator
from pathlib import Path

from redwell.core.errors import InvalidFile, PasswordProtected, Unsupported
from redwell.core.handler import HandlerSpec, Metadata, Options, Piece, Source, Text
from redwell.handlers.structures.embedded import OLE_MAGIC
from redwell.handlers.structures.ole import Compound
from redwell.handlers.structures.package_parts import flags
from redwell.handlers.word.wordperfect_characters import DEFAULT, character

SPEC = HandlerSpec(
    name="wordperfect", media_types=frozenset({"application/vnd.wordperfect"}), version=2, kind="document"
)
_MAGIC = b"\xffWPC"
_DOCUMENT = 0x0A
_MAIN = "PerfectOffice_MAIN"
_TEXT_PACKET = 0x08
_FIXED_6 = (4, 5, 3, 3, 3, 3, 4, 4, 4, 5, 5, 6, 6, 8, 8, 1)  # lengths of the codes F0 to FF
_FIXED_5 = {0xC0: 4, 0xC1: 9, 0xC2: 11, 0xC3: 3, 0xC4: 3, 0xC5: 5, 0xC6: 6, 0xC7: 7}
_SINGLE_6 = {0x80: " ", 0x81: "\xa0", 0x84: "-", 0x87: "\n", 0x99: "\n", 0xC6: "\t", 0xCD: " ", 0xCE: " ", 0xCF: " ",
             **dict.fromkeys((*range(0xB4, 0xC6), *range(0xC7, 0xCD)), "\n")}  # fmt: skip
_SINGLE_5 = {0x0A: "\n", 0x0B: " ", 0x0C: "\n", 0x0D: " ", 0x8C: "\n", 0x8D: "\n", 0x99: "\n", 0xA0: "\xa0",
             **dict.fromkeys((0xA9, 0xAA, 0xAB), "-")}  # fmt: skip
_GONE = "[deleted: "  # what the program keeps so that it can be brought back
_EXTENDED_6, _UNDO, _LINE, _TAB_6 = 0xF0, 0xF1, 0xD0, 0xE0
_EXTENDED_5, _TAB_5, _INDENT_5 = 0xC0, 0xC1, 0xC2


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    """The body, then notes, headers, footers and boxes, which lie apart from it."""
    data = source.read()
    if data.startswith(OLE_MAGIC):
        with source.open() as file:
            data = Compound(file).stream(_MAIN)
    try:
        start, _, kind, major, minor, key = struct.unpack_from("<IBBBBH", data, 4)
    except struct.error:
        raise InvalidFile("the header is cut off") from None
    if not data.startswith(_MAGIC) or kind != _DOCUMENT:
        raise Unsupported("a WordPerfect file that is no document")
    if key:
        raise PasswordProtected("the document is encrypted")
    if not 16 <= start <= len(data):
        raise InvalidFile("the text lies outside the file")
    version = 6 if major else 5
    yield Metadata(values={"format_version": f"{version}.{minor}"})
    texts = [(_text_6 if major else _text_5)(data[start:])]
    texts += [text for packet in _packets(data) if (text := _text_6(packet).rstrip())] if major else []
    yield from (Text(text=text + "\n") for text in texts)
    hides = any(_GONE in text for text in texts)
    yield Metadata(values=flags({"has_hidden": hides, "has_hidden_text": hides}))


def _packets(data: bytes) -> Iterator[bytes]:
    """Stretches of text that the header's index lists; a damaged index ends the list."""
    try:
        (index,) = struct.unpack_from("<H", data, 14)
        (count,) = struct.unpack_from("<H", data, index + 2)
        for number in range(1, count):
            flags, kind, _, _, size, offset = struct.unpack_from("<BBHHII", data, index + 14 * number)
            if kind == _TEXT_PACKET:
                yield _packet_text(data[offset : offset + size], has_children=bool(flags & 1))
    except struct.error:
        return


def _packet_text(packet: bytes, *, has_children: bool) -> bytes:
    at = 2 + 2 * struct.unpack_from("<H", packet)[0] if has_children else 0
    blocks, _ = struct.unpack_from("<HI", packet, at)
    sizes = struct.unpack_from(f"<{blocks}I", packet, at + 6)
    start = at + 6 + 4 * blocks
    return packet[start : start + sum(sizes)]


def _text_6(data: bytes) -> str:
    out: list[str] = []
    at, undone = 0, 0
    while at < len(data):
        code = data[at]
        length = _length_6(data, at, code)
        if code == _UNDO and length > 1:
            before, undone = undone, max(0, undone + (1 if data[at + 1] == 0 else -1))
            out += [_GONE] if undone > before == 0 else ["]"] if before > undone == 0 else []
        else:
            out.append(_said_6(data, at, code))
        at += length
    return "".join(out).replace(f"{_GONE}]", "")


def _length_6(data: bytes, at: int, code: int) -> int:
    """A code whose end does not repeat its first byte is damage: that byte alone is passed over."""
    if code < 0xD0:
        return 1
    length = _FIXED_6[code - 0xF0] if code >= 0xF0 else int.from_bytes(data[at + 2 : at + 4], "little")
    return length if length > 1 and data[at + length - 1 : at + length] == bytes((code,)) else 1


def _said_6(data: bytes, at: int, code: int) -> str:
    if code <= 0x20:
        return DEFAULT[code - 1] if code else ""
    if code < 0x7F:
        return chr(code)
    if code == _EXTENDED_6:
        return character(data[at + 1 : at + 3])
    if code == _LINE:
        kind = data[at + 1] if at + 1 < len(data) else 0
        return " " if kind <= 3 else "\t" if kind == 0x0A else "\n"
    return "\t" if code == _TAB_6 else _SINGLE_6.get(code, "")


def _text_5(data: bytes) -> str:
    out: list[str] = []
    at = 0
    while at < len(data):
        code = data[at]
        out.append(_said_5(data, at, code))
        at += _length_5(data, at, code)
    return "".join(out)


def _length_5(data: bytes, at: int, code: int) -> int:
    if code < 0xC0:
        return 1
    if code >= 0xD0:
        return 4 + int.from_bytes(data[at + 2 : at + 4], "little")
    if code in _FIXED_5:
        return _FIXED_5[code]
    end = data.find(code, at + 1, at + 32)
    return end + 1 - at if end > 0 else 1


def _said_5(data: bytes, at: int, code: int) -> str:
    if 0x20 <= code < 0x7F:
        return chr(code)
    if code == _EXTENDED_5:
        return character(data[at + 1 : at + 3])
    return "\t" if code in (_TAB_5, _INDENT_5) else _SINGLE_5.get(code, "")
