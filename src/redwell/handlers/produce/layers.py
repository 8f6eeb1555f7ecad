"""Every layer of a file as text: members of archives, parts of mails and packages, objects of a PDF. Called in a child.

Nothing is understood here. Bytes that are packed are unpacked, those that are text in any usual encoding are handed out
as that, and each is looked into again.
"""

import bz2
import email
import email.header
import io
import lzma
import re
import zipfile
import zlib
from collections.abc import Iterator
from email.message import Message
from typing import NamedTuple

from redwell.handlers.produce.marked_text import plain_of_markup, plain_of_rtf
from redwell.handlers.produce.pdf_layers import pdf_parts

_DEEPEST, _MOST_BYTES, _MOST_MEMBERS = 8, 1 << 30, 20_000
_PICTURES = {
    b"\xff\xd8\xff": "image/jpeg", b"\x89PNG\r\n\x1a\n": "image/png", b"II*\0": "image/tiff", b"MM\0*": "image/tiff",
}  # fmt: skip
_MAIL = re.compile(rb"\A(?:[!-9;-~]{1,60}:[^\r\n]*\r?\n(?:[ \t][^\r\n]*\r?\n)*){2,}", re.S)
_MAIL_SIGN = re.compile(rb"(?im)^(?:content-type|mime-version|message-id|received|from|subject):")
_PACKED = {b"\x1f\x8b": lambda data: _inflated(data, 31), b"BZh": bz2.decompress, b"\xfd7zXZ": lzma.decompress}
_SMALLEST_THUMBNAIL = 1_000


class Layer(NamedTuple):
    place: str
    text: str


class Picture(NamedTuple):
    place: str
    data: bytes
    media_type: str


class Closed(NamedTuple):
    """What nobody can look into."""

    place: str
    why: str


Found = Layer | Picture | Closed


class _Budget:
    def __init__(self) -> None:
        self.bytes, self.members = _MOST_BYTES, _MOST_MEMBERS

    def takes(self, size: int) -> bool:
        self.bytes -= size
        self.members -= 1
        return self.bytes >= 0 and self.members >= 0


def layers_of(data: bytes, place: str = "the file", depth: int = 0, budget: _Budget | None = None) -> Iterator[Found]:
    budget = budget or _Budget()
    if depth > _DEEPEST or not budget.takes(len(data)):
        yield Closed(place, "nested too deep, or too much to be looked through")
        return
    yield from _pictures(data, place)
    yield from (Layer(place, text) for text in texts_of(data))
    for name, inner in _inside(data):
        at = f"{place} / {name}"
        if isinstance(inner, str):
            yield Closed(at, inner)
        else:
            yield Layer(at, name)
            yield from layers_of(inner, at, depth + 1, budget)


def texts_of(data: bytes) -> Iterator[str]:
    """The bytes as text of any usual encoding, and without the marks of a markup around its words."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = data.decode("cp1252", "replace")
    yield text
    if data[:1024].lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"<") or b"</" in data[:65536]:
        yield from plain_of_markup(text)
    elif data.startswith(b"{\\rtf"):
        yield plain_of_rtf(text)
    if b"\0" in data:
        for start in (0, 1):  # little endian text stands at even or odd places; big endian is the other of them
            yield data[start:].decode("utf-16-le", "replace")


def _pictures(data: bytes, place: str) -> Iterator[Picture]:
    for sign, media_type in _PICTURES.items():
        if data.startswith(sign):
            yield Picture(place, data, media_type)
    if data.startswith(b"\xff\xd8\xff"):  # the small one that cameras and programs leave in the head of a JPEG
        at = data.find(b"\xff\xd8\xff", 3, 1 << 17)
        end = data.find(b"\xff\xd9", at)
        if 0 < at < end and end - at > _SMALLEST_THUMBNAIL and end < len(data) - 2:
            yield Picture(f"{place} / thumbnail", data[at : end + 2], "image/jpeg")


def _inside(data: bytes) -> Iterator[tuple[str, bytes | str]]:
    """Members, or why they can't be looked into."""
    if data.startswith((b"PK\x03\x04", b"PK\x05\x06")) or zipfile.is_zipfile(io.BytesIO(data[-(1 << 16) :])):
        yield from _zip_members(data)
    elif data[:1024].find(b"%PDF-") >= 0:
        yield from pdf_parts(data)
    elif data.startswith((b"7z\xbc\xaf\x27\x1c", b"Rar!\x1a\x07")) or data[257:262] == b"ustar":
        yield from _archive_members(data)
    elif _MAIL.match(data[: 1 << 16]) and _MAIL_SIGN.search(data[: 1 << 16]):
        yield from _mail_parts(email.message_from_bytes(data))
    else:
        for sign, unpack in _PACKED.items():
            if data.startswith(sign):
                try:
                    yield "unpacked", unpack(data)
                except (OSError, ValueError, EOFError, zlib.error, lzma.LZMAError) as error:
                    yield "unpacked", f"{type(error).__name__}: {error}"


def _inflated(data: bytes, bits: int) -> bytes:
    return zlib.decompressobj(bits).decompress(data, _MOST_BYTES)


def _zip_members(data: bytes) -> Iterator[tuple[str, bytes | str]]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as file:
            yield "comment", file.comment
            for entry in file.infolist()[:_MOST_MEMBERS]:
                try:
                    if entry.file_size > _MOST_BYTES:
                        raise ValueError("too large")
                    yield entry.filename, file.read(entry)
                except (
                    OSError,
                    ValueError,
                    RuntimeError,
                    NotImplementedError,
                    zipfile.BadZipFile,
                    zlib.error,
                ) as error:
                    yield entry.filename, f"{type(error).__name__}: {error}"
    except (zipfile.BadZipFile, OSError, ValueError) as error:
        yield "archive", f"{type(error).__name__}: {error}"


def _archive_members(data: bytes) -> Iterator[tuple[str, bytes | str]]:
    import libarchive
    from libarchive.exception import ArchiveError

    try:
        with libarchive.memory_reader(data) as entries:
            for entry in entries:
                yield entry.pathname or "", b"".join(entry.get_blocks())
    except (ArchiveError, ValueError, OSError) as error:
        yield "archive", f"{type(error).__name__}: {error}"


def _mail_parts(message: Message) -> Iterator[tuple[str, bytes | str]]:
    for number, part in enumerate(message.walk()):
        heads = "\n".join(f"{name}: {_decoded(value)}" for name, value in part.items())
        yield f"headers of part {number}", heads.encode("utf-8", "replace")
        if not part.is_multipart():
            payload = part.get_payload(decode=True)
            yield str(part.get_filename() or f"part {number}"), payload if isinstance(payload, bytes) else b""


def _decoded(value: object) -> str:
    try:
        return str(email.header.make_header(email.header.decode_header(str(value))))
    except (LookupError, ValueError, email.errors.HeaderParseError):
        return str(value)
