"""Plain text, CSV, JSON, XML, source code, calendars and cards: right characters in any encoding. Runs in a child."""

import codecs
import re
from collections.abc import Iterator
from io import IncrementalNewlineDecoder
from pathlib import Path
from typing import BinaryIO

from redwell.core.errors import Empty
from redwell.core.handler import HandlerSpec, Metadata, Options, Piece, Source, Text, Trouble
from redwell.core.outcomes import Code
from redwell.handlers.detect.detect import EMPTY
from redwell.handlers.detect.plain_text import EBCDIC, byte_order_mark
from redwell.handlers.structures.charset import encoding_of, usable

SPEC = HandlerSpec(
    name="text",
    media_types=frozenset(
        (
            *(EMPTY, "text/plain", "text/csv", "text/tab-separated-values", "text/markdown", "application/json"),
            *("application/xml", "text/calendar", "text/vcard", "image/svg+xml", "application/mac-binhex40"),
            *("application/vnd.ms-wordml", "application/vnd.ms-spreadsheetml", "application/vnd.ms-presentationml"),
            *("application/x-fictionbook+xml", "application/pgp-signature", "application/x-x509-cert"),
            *("application/postscript", "application/warc"),
            *(f"application/vnd.oasis.opendocument.{kind}-flat-xml" for kind in ("text", "spreadsheet")),
            *(f"application/vnd.oasis.opendocument.{kind}-flat-xml" for kind in ("presentation", "graphics")),
        )
    ),
    score=20,
    version=5,
    kind="text",
)

_CHUNK = 1 << 20
_ESCAPES = re.compile(r"(?<!\\)((?:\\\\)*)((?:\\u[0-9a-fA-F]{4})+)")
# the end of a run that the next may go on with: the first of a pair of escapes, and an escape that is cut
_OPEN_END = re.compile(r"(?:\\+u[dD][89abAB][0-9a-fA-F]{2})?(?:\\+(?:u[0-9a-fA-F]{0,3})?)?$")
_DECLARED = re.compile(rb"<\?xml[^>]{0,100}?encoding\s*=\s*[\"']([\w.:-]+)")


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    if source.size == 0:
        raise Empty("the file has no bytes")
    with source.open() as file:
        encoding = _encoding(file, source.size)
        yield Metadata(values={"encoding": encoding})
        left = options.max_text_chars
        runs = _runs(file, encoding)
        for run in _unescaped(runs) if options.media_type == "application/json" else runs:
            yield Text(text=run[:left])
            left -= len(run)
            if left < 0:
                detail = f"text cut off at max_text_chars={options.max_text_chars}"
                yield Trouble(code=Code.LIMIT_REACHED, detail=detail)
                return


def _encoding(file: BinaryIO, size: int) -> str:
    """The encoding of the whole file: a long one is tried as UTF-8 to its end, a chunk at a time."""
    head = file.read(_CHUNK)
    found = _DECLARED.match(head.lstrip()[:200])
    declared = found[1].decode() if found else ""
    if size <= _CHUNK:
        return encoding_of(head, declared)
    cut = head.rfind(b"\n") + 1 or len(head)
    encoding = encoding_of(head[:cut], declared)
    if encoding != "utf-8" or byte_order_mark(head) or _is_utf8(file):
        return encoding
    return encoding_of(_first_odd_chunk(file), declared)


def _is_utf8(file: BinaryIO) -> bool:
    decoder = codecs.getincrementaldecoder("utf-8")()
    file.seek(0)
    try:
        while chunk := file.read(_CHUNK):
            decoder.decode(chunk)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def _first_odd_chunk(file: BinaryIO) -> bytes:
    """The part of the file that shows its encoding: the first chunk that is not plain ASCII."""
    file.seek(0)
    chunk = b""
    while chunk := file.read(_CHUNK):
        if not chunk.isascii():
            break
    return chunk[chunk.find(b"\n") + 1 : chunk.rfind(b"\n") + 1] or chunk  # whole lines have whole characters


def _runs(file: BinaryIO, encoding: str) -> Iterator[str]:
    """The text in order, lines ended by a single newline, a chunk at a time."""
    file.seek(0)
    mark = byte_order_mark(file.read(4))
    file.seek(mark[1] if mark else 0)
    decoder = IncrementalNewlineDecoder(codecs.getincrementaldecoder(encoding)("replace"), translate=True)
    while chunk := file.read(_CHUNK):
        run = usable(decoder.decode(chunk))
        if run:
            yield run.replace("\x85", "\n") if encoding in EBCDIC else run  # how mainframes end a line
    last = usable(decoder.decode(b"", final=True))
    if last:
        yield last


def _unescaped(runs: Iterator[str]) -> Iterator[str]:
    """JSON may write any character as \\uXXXX; who searches types the character."""
    kept = ""
    for run in runs:
        whole = kept + run
        end = _OPEN_END.search(whole)
        cut = end.start() if end else len(whole)
        kept = whole[cut:]
        yield _ESCAPES.sub(_characters, whole[:cut])
    if kept:
        yield _ESCAPES.sub(_characters, kept)


def _characters(escapes: re.Match[str]) -> str:
    units = bytes.fromhex(escapes[2].replace("\\u", ""))
    return escapes[1] + usable(units.decode("utf-16-be", "replace"))
