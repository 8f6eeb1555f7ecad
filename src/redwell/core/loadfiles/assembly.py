"""Documents that are put together of files: a volume, one of its records, the pages of a record. Pure.

Each is a text whose first line says which contents belong to it. That line is all that a parent reads of it: a child
that works on such a document is given the named contents, one behind the other (core.wire.Task.volumes).
"""

from collections.abc import Iterable

import msgspec

from redwell.core.errors import InvalidFile

VOLUME, ROWS, RECORD, PAGES = "volume/1", "rows/1", "record/1", "pages/1"
MEDIA_TYPES = {
    VOLUME: "application/vnd.redwell.volume",
    ROWS: "application/vnd.redwell.volume-rows",
    RECORD: "application/vnd.redwell.record",
    PAGES: "application/vnd.redwell.pages",
}
MAX_HEADER = 4 << 20
MOST_PARTS = 20_000
NATIVE, TEXT, PAGE, LOAD_FILE = "native", "text", "page", "loadfile"


class Part(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A content of the case, and what it is here. `name` is its path in the volume."""

    role: str
    name: str
    sha256: str
    size: int
    number: int = 0  # of a text: its page; of a page: which one of its file, 0 where the file is the page
    key: str = ""  # of a page: its number
    turn: int = 0  # of a page: quarter turns to the right


class Header(msgspec.Struct, frozen=True, gc=False):
    redwell: str
    parts: tuple[Part, ...] = ()

    @property
    def media_type(self) -> str:
        return MEDIA_TYPES.get(self.redwell, "")


_header = msgspec.json.Decoder(Header)


def assembled(kind: str, parts: Iterable[Part], body: bytes = b"") -> bytes:
    """The document; the same parts and body give the same bytes."""
    return msgspec.json.encode(Header(kind, tuple(parts))) + b"\n" + body


def read_header(head: bytes) -> Header:
    """Of a document's first bytes, up to `MAX_HEADER` of them."""
    line, end, _ = head.partition(b"\n")
    try:
        found = _header.decode(line)
        if not end or found.redwell not in MEDIA_TYPES or len(found.parts) > MOST_PARTS:
            raise InvalidFile("it is no document that was put together here")
        for part in found.parts:
            if len(bytes.fromhex(part.sha256)) != 32 or part.size < 0:
                raise InvalidFile("it names a content by no hash")
        return found
    except (msgspec.MsgspecError, ValueError, UnicodeDecodeError):
        raise InvalidFile("it is no document that was put together here") from None


def body_of(document: bytes) -> bytes:
    return document.partition(b"\n")[2]
