"""Files that old mail programs wrote into the text, uuencoded. Called by the eml handler in a child."""

import binascii
import re

_BEGIN = re.compile(rb"^begin [0-7]{3,4} ([^\r\n]+)\r?\n", re.M)
_END = re.compile(rb"^end[ \t]*\r?$\n?", re.M)


def uu_bytes(data: bytes) -> tuple[bytes, bool]:
    """The first uuencoded file in these bytes, and whether it is whole; lines without a frame decode as well."""
    start = _BEGIN.search(data)
    return _decoded(data[start.end() :] if start else data)


def split(text: bytes) -> tuple[bytes, list[tuple[bytes, bytes]]]:
    """The text without its uuencoded files, and those files by name. What follows a broken one stays in the text."""
    kept: list[bytes] = []
    files: list[tuple[bytes, bytes]] = []
    at = 0
    while b"begin " in text and (begin := _BEGIN.search(text, at)):
        end = _END.search(text, begin.end())
        content, whole = _decoded(text[begin.end() : end.start()]) if end else (b"", False)
        if end is None or not whole or not content:
            break
        kept.append(text[at : begin.start()])
        files.append((begin[1].strip(), content))
        at = end.end()
    return b"".join((*kept, text[at:])), files


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
