"""Files that old mail programs wrote into the text, uuencoded. Called by the eml handler in a child."""

import binascii
import re

_BLOCK = re.compile(rb"^begin [0-7]{3,4} ([^\r\n]+)\r?\n(.*?)^(?:`|[ ]*)\r?\nend[ \t]*\r?$\n?", re.M | re.S)
_BEGIN = re.compile(rb"^begin [0-7]{3,4} ([^\r\n]+)\r?\n", re.M)


def uu_bytes(data: bytes) -> tuple[bytes, bool]:
    """The first uuencoded file in these bytes, and whether it is whole; lines without a frame decode as well."""
    start = _BEGIN.search(data)
    return _decoded(data[start.end() :] if start else data)


def uu_name(data: bytes) -> bytes:
    """The name that a uuencoded file was given."""
    start = _BEGIN.search(data)
    return start[1].strip() if start else b""


def split(text: bytes) -> tuple[bytes, list[tuple[bytes, bytes]]]:
    """The text without its uuencoded files, and those files by name; broken ones stay in the text."""
    if b"begin " not in text:
        return text, []
    files: list[tuple[bytes, bytes]] = []

    def take(block: re.Match[bytes]) -> bytes:
        content, whole = _decoded(block[2])
        if not whole or not content:
            return block[0]
        files.append((block[1].strip(), content))
        return b""

    return _BLOCK.sub(take, text), files


def _decoded(lines: bytes) -> tuple[bytes, bool]:
    content, whole = bytearray(), True
    for line in lines.splitlines():
        if line in (b"", b"`", b" ", b"end"):
            if line == b"end":
                break
            continue
        try:
            content += binascii.a2b_uu(line)
        except binascii.Error:  # trailing padding that some encoders leave; the length byte says what counts
            length = ((line[0] - 32 & 63) * 4 + 5) // 3
            try:
                content += binascii.a2b_uu(line[:length])
            except binascii.Error:
                whole = False
    return bytes(content), whole
