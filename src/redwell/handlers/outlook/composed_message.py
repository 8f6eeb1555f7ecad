"""A message composed of what a store holds, the same bytes for the same item always: docs/synthetic-messages.md.

Called by the handlers of stores whose items have no bytes of their own, in a child. Any change of what comes out is
a new VERSION: hashes are made of it.
"""

import hashlib
import re
from base64 import b64encode, encodebytes
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from email.utils import format_datetime
from pathlib import Path
from urllib.parse import quote

VERSION = 1
_IN_MEMORY = 8 << 20
_TYPE = re.compile(r"(?!multipart/|message/(?!rfc822))[a-z0-9!#$&^_.+-]{1,60}/[a-z0-9!#$&^_.+-]{1,80}", re.I)
_QUOTABLE = re.compile(r"[ !#-\[\]-~]+")
_SPECIAL = re.compile(r"[^\w!#$%&'*+/=?^`{|}~ -]", re.ASCII)
_CONTROLS = re.compile(r"[\x00-\x1f\x7f]+")
_WORD_BYTES = 42
_LINES = 57 * 1024  # bytes that make whole lines of Base64


@dataclass(frozen=True, slots=True, kw_only=True)
class Attached:
    """A file of its own bytes, or a message inside."""

    name: str
    size: int = 0
    runs: Callable[[], Iterable[bytes]] = tuple
    media_type: str = ""
    content_id: str = ""
    message: "Message | None" = None


@dataclass(frozen=True, slots=True)
class Message:
    """`fields` in order, each value in ASCII with folded lines; `bodies` as (content type, bytes)."""

    fields: list[tuple[str, str]]
    bodies: list[tuple[str, bytes]]
    attached: list[Attached] = field(default_factory=list)

    @property
    def size(self) -> int:
        """About: what the bodies and attachments have together."""
        files = sum(each.message.size if each.message else each.size for each in self.attached)
        return files + sum(len(body) for _, body in self.bodies)


def compose(message: Message) -> Iterator[bytes]:
    """The message in pieces, with CRLF line ends and nothing outside of ASCII."""
    fields = [*message.fields, ("X-Redwell-Synthetic", str(VERSION)), ("MIME-Version", "1.0")]
    head = "".join(f"{name}: {value}\r\n" for name, value in fields if value).encode("ascii", "xmlcharrefreplace")
    yield head
    boundary = _boundary(head, message)
    if not message.attached:
        yield from _text(message.bodies, boundary)
        return
    yield f'Content-Type: multipart/mixed; boundary="{boundary}"\r\n\r\n--{boundary}\r\n'.encode()
    yield from _text(message.bodies, f"{boundary}-text")
    for attached in message.attached:
        yield f"--{boundary}\r\n".encode()
        yield from _file(attached)
    yield f"--{boundary}--\r\n".encode()


def composed(message: Message, scratch: Path) -> bytes | Path:
    """The whole message, a large one in a file in `scratch`."""
    if message.size < _IN_MEMORY:
        return b"".join(compose(message))
    target = scratch / "message"
    with target.open("wb") as out:
        out.writelines(compose(message))
    return target


def _boundary(head: bytes, message: Message) -> str:
    """Of what the message says: the same each time, and never that of a message inside it."""
    digest = hashlib.sha256(head)
    for kind, body in message.bodies:
        digest.update(kind.encode() + hashlib.sha256(body).digest())
    for each in message.attached:
        digest.update(f"\n{each.name}\n{each.size}".encode("utf-8", "surrogatepass"))
    return f"=_{digest.hexdigest()[:40]}"


def _text(bodies: list[tuple[str, bytes]], boundary: str) -> Iterator[bytes]:
    if len(bodies) == 1:
        yield from _part(bodies[0][0], (bodies[0][1],))
        return
    yield f'Content-Type: multipart/alternative; boundary="{boundary}"\r\n\r\n'.encode()
    for kind, body in bodies:
        yield f"--{boundary}\r\n".encode()
        yield from _part(kind, (body,))
    yield f"--{boundary}--\r\n".encode()


def _part(kind: str, runs: Iterable[bytes], *fields: str) -> Iterator[bytes]:
    head = (f"Content-Type: {kind}", "Content-Transfer-Encoding: base64", *fields)
    yield ("\r\n".join(head) + "\r\n\r\n").encode("ascii", "replace")
    left = b""
    for run in runs:
        left += run
        whole = len(left) // _LINES * _LINES
        yield encodebytes(left[:whole]).replace(b"\n", b"\r\n")
        left = left[whole:]
    yield encodebytes(left).replace(b"\n", b"\r\n")


def _file(attached: Attached) -> Iterator[bytes]:
    placed = f"Content-Disposition: attachment; {_file_name(attached.name)}"
    if attached.message is not None:
        yield f"Content-Type: message/rfc822\r\n{placed}\r\n\r\n".encode()
        yield from compose(attached.message)
        yield b"\r\n"
        return
    kind = attached.media_type if _TYPE.fullmatch(attached.media_type) else "application/octet-stream"
    shown = [f"Content-ID: <{encoded(attached.content_id)}>"] if attached.content_id else []
    yield from _part(kind, attached.runs(), placed, *shown)


def _file_name(name: str) -> str:
    name = one_line(name)
    if _QUOTABLE.fullmatch(name):
        return f'filename="{name}"'
    return f"filename*=utf-8''{quote(name, safe='', errors='replace')}"


def encoded(text: str) -> str:
    """A value as ASCII: as it is, or in encoded words that are cut between characters."""
    text = one_line(text)
    if text.isascii():
        return text
    words, word = [], b""
    for character in text:
        raw = character.encode("utf-8", "replace")
        if len(word) + len(raw) > _WORD_BYTES:
            words.append(word)
            word = b""
        word += raw
    return "\r\n ".join(f"=?utf-8?b?{b64encode(each).decode()}?=" for each in (*words, word))


def address(name: str, mailbox: str) -> str:
    """`name <mailbox>`, or the one that there is."""
    name, mailbox = one_line(name), one_line(mailbox)
    if not mailbox or name.strip("'\"") == mailbox:
        return f"<{mailbox}>" if mailbox else encoded(name)
    if not name.isascii():
        return f"{encoded(name)}\r\n <{mailbox}>"
    quoted = '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"' if _SPECIAL.search(name) else name
    return f"{quoted} <{mailbox}>".strip()


def listed(addresses: Iterable[str]) -> str:
    return ",\r\n ".join(filter(None, addresses))


def stamp(moment: datetime) -> str:
    return format_datetime(moment.replace(microsecond=0))


def one_line(text: str) -> str:
    return " ".join(_CONTROLS.sub(" ", text).split())
