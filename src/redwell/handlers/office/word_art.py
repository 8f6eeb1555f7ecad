"""Words that are drawings in old Office files: watermarks, WordArt. Called by the readers of these files in a child."""

import re
import struct

PROPERTIES = 0xF00B  # the record of a shape's properties
_HEAD = re.compile(rb"[\x03\x13\x23\x33\x43\x53\x63\x73\x83\x93\xa3\xb3\xc3\xd3\xe3\xf3].\x0b\xf0....", re.S)
_WORDS, _NUMBER, _IS_LONG = 0x00C0, 0x3FFF, 0x8000


def drawn_words(drawings: bytes) -> list[str]:
    """The words of all shapes, each once: a watermark stands in every kind of header."""
    found: list[str] = []
    at = 0
    while head := _HEAD.search(drawings, at):
        at = head.start() + 1
        first, _, length = struct.unpack("<HHI", head[0])
        if length <= len(drawings) - head.end():
            found.append(shape_words(first >> 4, drawings[head.end() : head.end() + length]))
    return [words for words in dict.fromkeys(found) if words]


def shape_words(count: int, body: bytes) -> str:
    """What a shape of so many properties draws as words; long values stand behind the list, in its order."""
    if len(body) < 6 * count:
        return ""
    at = 6 * count
    for number, value in struct.iter_unpack("<HI", body[: 6 * count]):
        if number & _IS_LONG and number & _NUMBER == _WORDS:
            return body[at : at + value].decode("utf-16-le", "ignore").rstrip("\0")
        at += value if number & _IS_LONG else 0
    return ""
