"""An item as a message, the same bytes for the same item always: docs/synthetic-messages.md has the rules.

Called by the pst handler in a child. Any change of what comes out is a new VERSION: hashes are made of it.
"""

import hashlib
import re
from base64 import encodebytes
from collections.abc import Iterable, Iterator
from urllib.parse import quote

from redwell.handlers.documents import rtf
from redwell.handlers.outlook.code_pages import charset_of
from redwell.handlers.outlook.encapsulated import html_of
from redwell.handlers.outlook.fields import lines_of
from redwell.handlers.outlook.header import encoded, header_of, subject_of
from redwell.handlers.outlook.items import Attachment, Item
from redwell.handlers.outlook.properties import UNICODE
from redwell.handlers.outlook.tree import Damaged

VERSION = 1
_PLAIN, _HTML, _RTF, _HTML_CODE_PAGE = 0x1000, 0x1013, 0x1009, 0x3FDE
_CONTENT_ID, _MEDIA_TYPE = 0x3712, 0x370E
_TYPE = re.compile(r"(?!multipart/|message/(?!rfc822))[a-z0-9!#$&^_.+-]{1,60}/[a-z0-9!#$&^_.+-]{1,80}", re.I)
_QUOTABLE = re.compile(r"[ !#-\[\]-~]+")
_LINES = 57 * 1024  # bytes that make whole lines of Base64

_Body = tuple[str, bytes]


def compose(item: Item) -> Iterator[bytes]:
    """The message in pieces, with CRLF line ends and nothing outside of ASCII."""
    bodies = list(_bodies(item))
    fields = [*header_of(item), *_notes(item), ("X-Redwell-Synthetic", str(VERSION)), ("MIME-Version", "1.0")]
    head = "".join(f"{name}: {value}\r\n" for name, value in fields).encode("ascii", "xmlcharrefreplace")
    yield head
    boundary = _boundary(head, bodies, item.attachments)
    if not item.attachments:
        yield from _text(bodies, boundary)
        return
    yield f'Content-Type: multipart/mixed; boundary="{boundary}"\r\n\r\n--{boundary}\r\n'.encode()
    yield from _text(bodies, f"{boundary}-text")
    for number, attachment in enumerate(item.attachments, 1):
        yield f"--{boundary}\r\n".encode()
        yield from _attached(attachment, number)
    yield f"--{boundary}--\r\n".encode()


def _bodies(item: Item) -> Iterator[_Body]:
    """The plain body and the HTML, as far as there are any; RTF only where it holds what neither has."""
    told, lines = item.properties, lines_of(item)
    plain, html, charset = told.text(_PLAIN), _sound(item, _HTML), charset_of(told.number(_HTML_CODE_PAGE))
    if html and told.kind(_HTML) == UNICODE:
        html, charset = html.decode("utf-16-le", "replace").encode(), "utf-8"
    if not html and (packed := _sound(item, _RTF)):
        page, text = _from_rtf(packed, item)
        html, charset, plain = page.encode(), "utf-8", plain or ("" if page else text)
    text = "\n\n".join(filter(None, ("\n".join(lines), plain.replace("\r\n", "\n"))))
    if text or not html:
        yield "text/plain; charset=utf-8", text.encode("utf-8", "replace")
    if html:
        yield f"text/html; charset={charset}" if charset else "text/html", html


def _sound(item: Item, key: int) -> bytes:
    try:
        return item.properties.data(key)
    except Damaged as error:
        item.missing.append(f"a body: {error}")
        return b""


def _from_rtf(packed: bytes, item: Item) -> tuple[str, str]:
    from compressed_rtf import decompress

    try:
        plain = decompress(packed)
        page = html_of(plain)
        return page, "" if page else rtf.read(plain).text
    except Exception as error:  # the library raises no class of its own
        item.missing.append(f"the RTF body: {error}")
    return "", ""


def _notes(item: Item) -> Iterator[tuple[str, str]]:
    for each in item.references:
        yield "X-Redwell-Reference", encoded(each)
    for each in item.missing:
        yield "X-Redwell-Missing", encoded(each)


def _boundary(head: bytes, bodies: list[_Body], attachments: list[Attachment]) -> str:
    """Of what the message says: the same each time, and never that of a message inside it."""
    digest = hashlib.sha256(head)
    for kind, body in bodies:
        digest.update(kind.encode() + hashlib.sha256(body).digest())
    for each in attachments:
        digest.update(f"\n{each.name}\n{each.size}".encode("utf-8", "surrogatepass"))
    return f"=_{digest.hexdigest()[:40]}"


def _text(bodies: list[_Body], boundary: str) -> Iterator[bytes]:
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


def _attached(attachment: Attachment, number: int) -> Iterator[bytes]:
    told = attachment.properties
    if attachment.item is not None:
        subject = subject_of(attachment.item.properties)
        name = _file_name(f"{(attachment.name or subject or f'message {number}').removesuffix('.eml')}.eml")
        yield f"Content-Type: message/rfc822\r\nContent-Disposition: attachment; {name}\r\n\r\n".encode()
        yield from compose(attachment.item)
        yield b"\r\n"
        return
    kind = told.text(_MEDIA_TYPE).strip()
    shown = " ".join(told.text(_CONTENT_ID).strip("<> ").split())
    fields = [f"Content-Disposition: attachment; {_file_name(attachment.name or f'attachment {number}')}"]
    fields += [f"Content-ID: <{encoded(shown)}>"] if shown else []
    yield from _part(kind if _TYPE.fullmatch(kind) else "application/octet-stream", attachment.runs(), *fields)


def _file_name(name: str) -> str:
    name = " ".join(name.split())
    return (
        f'filename="{name}"'
        if _QUOTABLE.fullmatch(name)
        else f"filename*=utf-8''{quote(name, safe='', errors='replace')}"
    )
