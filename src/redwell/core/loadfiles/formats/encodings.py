"""Finds the encoding of a load file and says why; decodes without losing a byte. Pure: chunks of bytes in, text out.

A byte that the encoding has no letter for becomes a lone surrogate (PEP 383), so that its row and column can be told.
"""

import codecs
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
MARKS = {encoding: mark for mark, encoding in _MARKS}
_HEAD = 4096
_STRAY = re.compile("[\udc80-\udcff]")
# a letter beyond ASCII in UTF-8, read as cp1252
_MISREAD = re.compile("[\xc2-\xdf][\x80-\xbf\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013-\u2122]")


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundEncoding:
    encoding: str
    reason: str
    mark: int = 0  # bytes of the byte order mark


def given(encoding: str, head: bytes) -> FoundEncoding:
    """An encoding that a person names; a mark that fits it is left out of the text."""
    name = codecs.lookup(encoding).name
    mark = next((each for each, marked in _MARKS if marked == name and head.startswith(each)), b"")
    return FoundEncoding(encoding=name, reason="given", mark=len(mark))


def find_encoding(chunks: Iterable[bytes]) -> FoundEncoding:
    """By its mark, else by where zeros or þ lie, else UTF-8 if all of it is (so it is read to the end), else cp1252."""
    rest = iter(chunks)
    first = next(rest, b"")
    for mark, encoding in _MARKS:
        if first.startswith(mark):
            return FoundEncoding(encoding=encoding, reason="its byte order mark says so", mark=len(mark))
    return _by_zeros(first[:_HEAD]) or _by_bytes(first, rest)


def _by_zeros(head: bytes) -> FoundEncoding | None:
    zeros = head.count(0)
    if head[:2] in (b"\xfe\0", b"\0\xfe"):
        order = "utf-16-le" if head[0] else "utf-16-be"
        return FoundEncoding(encoding=order, reason="it begins with þ in two bytes, one of them zero; no mark")
    if zeros * 4 < len(head) or not head:
        return None
    order = "utf-16-le" if head[1::2].count(0) * 2 > zeros else "utf-16-be"
    return FoundEncoding(encoding=order, reason="every other byte is zero; no mark")


def _by_bytes(first: bytes, rest: Iterator[bytes]) -> FoundEncoding:
    decoder = codecs.getincrementaldecoder("utf-8")()
    ascii_only = True
    try:
        chunk: bytes | None = first
        while chunk is not None:
            decoder.decode(chunk)
            ascii_only = ascii_only and chunk.isascii()
            chunk = next(rest, None)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        if first.startswith("þ".encode()):
            why = "it begins with þ as UTF-8 has it, though not every byte is UTF-8; no mark"
            return FoundEncoding(encoding="utf-8", reason=why)
        return FoundEncoding(encoding="cp1252", reason="no mark, and it is not valid UTF-8")
    why = "no mark; all of it is ASCII" if ascii_only else "no mark; all of it is valid UTF-8"
    return FoundEncoding(encoding="utf-8", reason=why)


def decoded(chunks: Iterable[bytes], found: FoundEncoding) -> Iterator[str]:
    """The text in order, without the mark; bytes that are no letters stay as lone surrogates, or U+FFFD in UTF-16."""
    wide = found.encoding.startswith("utf-16")
    decoder = codecs.getincrementaldecoder(found.encoding)("replace" if wide else "surrogateescape")
    skip = found.mark
    for chunk in chunks:
        yield decoder.decode(chunk[skip:])
        skip = max(0, skip - len(chunk))
    yield decoder.decode(b"", final=True)


def has_strays(text: str) -> bool:
    """True where the text has bytes that its file's encoding has no letter for."""
    return not text.isascii() and (_STRAY.search(text) is not None or "\ufffd" in text)


def looks_misread(text: str) -> bool:
    """True where UTF-8 seems to have been read as cp1252: `Ã¼` for `ü`."""
    return not text.isascii() and _MISREAD.search(text) is not None


def repaired(text: str) -> str:
    """Stray bytes as cp1252 has them; those that it has not either as U+FFFD."""
    return _STRAY.sub(lambda found: bytes([ord(found[0]) - 0xDC00]).decode("cp1252", "replace"), text)
