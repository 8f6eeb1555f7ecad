"""Internet mail, EMLX and MHTML: text, fields, and every attachment with its exact bytes. Runs in a child."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from redwell.core.errors import Empty
from redwell.core.handler import (
    Child,
    Contents,
    HandlerSpec,
    Lost,
    Metadata,
    MetaValue,
    Opening,
    Options,
    Piece,
    Role,
    Source,
    Text,
    Trouble,
    pending,
)
from redwell.core.outcomes import Code, Outcome
from redwell.core.plain_text import byte_order_mark, unmarked_unicode
from redwell.handlers.charset import decode
from redwell.handlers.mail_fields import mail_fields
from redwell.handlers.mail_headers import decode_value, first, read_headers
from redwell.handlers.mail_text import MailText, is_body, read_text
from redwell.handlers.mime import Part, read_parts

SPEC = HandlerSpec(
    name="eml",
    media_types=frozenset(("message/rfc822", "message/x-emlx", "multipart/related", "message/global")),
    kind="mail",
)

_MESSAGES = frozenset(("message/rfc822", "message/global", "message/news"))
_ENVELOPE = re.compile(rb"\s*(?:>?From [^\n]*\n)?")
_LENGTH_LINE = re.compile(rb"\s*(\d{1,10})[ \t]*\r?\n")
_LONGEST_NAME = 120
# Fixed, so that a nameless part has the same name on every machine.
_EXTENSIONS = {
    **{f"image/{kind}": kind for kind in ("png", "gif", "bmp", "tiff", "webp")},
    **{f"text/{kind}": kind for kind in ("html", "csv", "xml", "css", "rtf")},
    **{f"application/{kind}": kind for kind in ("pdf", "zip", "json", "rtf", "xml")},
    **dict.fromkeys(("image/jpeg", "image/jpg", "image/pjpeg"), "jpg"),
    "application/msword": "doc",
    "application/ms-tnef": "dat",
    "application/pgp-signature": "asc",
    "application/pkcs7-mime": "p7m",
    "application/pkcs7-signature": "p7s",
    "application/x-pkcs7-mime": "p7m",
    "application/x-pkcs7-signature": "p7s",
    "text/calendar": "ics",
    "text/plain": "txt",
    "text/vcard": "vcf",
    "text/x-vcard": "vcf",
}


@dataclass(frozen=True, slots=True)
class _Attachment:
    locator: str
    name: str
    role: Role
    part: Part | None = None
    content: bytes = b""


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    data = _as_bytes(source.read())
    if not data or data.isspace():
        raise Empty("the message has no bytes")
    start, end = _frame(data, options.media_type)
    parts = read_parts(data, start, end, options.max_members)
    bodies, files = _sorted_leaves(parts)
    found = read_text(data, bodies, options.max_text_chars)
    attachments = _attachments(data, files, found)
    yield Metadata(values=_metadata(parts[0], attachments))
    behind = end if parts[0].behind is None else parts[0].behind
    yield from _text(found, decode(data[behind:])[0] if behind < len(data) else "", options)
    if len(parts) >= options.max_members:
        yield Trouble(
            code=Code.LIMIT_REACHED, detail=f"parts beyond max_members={options.max_members} were not cut out"
        )
    if attachments:
        yield Contents(declared=None)
        by_locator = {attachment.locator: attachment for attachment in attachments}
        for locator in pending(by_locator, options):
            yield from _child(data, by_locator[locator])


def _as_bytes(data: bytes) -> bytes:
    """The message in a superset of ASCII, without a mark, and with line feeds."""
    mark = byte_order_mark(data)
    if (mark and mark[0] != "utf-8") or (b"\0" in data[:4] and unmarked_unicode(data[:4096])):
        return decode(data)[0].encode()
    data = data[mark[1] :] if mark else data
    return data if b"\n" in data else data.replace(b"\r", b"\n")


def _frame(data: bytes, media_type: str) -> tuple[int, int]:
    """Where the message begins and ends: behind an EMLX length or an mbox envelope, before EMLX's property list."""
    length = _LENGTH_LINE.match(data) if media_type == "message/x-emlx" else None
    if length:
        return length.end(), min(len(data), length.end() + int(length[1]))
    envelope = _ENVELOPE.match(data)
    return envelope.end() if envelope else 0, len(data)


def _sorted_leaves(parts: list[Part]) -> tuple[list[Part], list[Part]]:
    bodies: list[Part] = []
    files: list[Part] = []
    for part in parts:
        if not part.children:
            (bodies if is_body(part) else files).append(part)
    return bodies, files


def _metadata(root: Part, attachments: list[_Attachment]) -> dict[str, MetaValue]:
    inline = sum(attachment.role == "inline" for attachment in attachments)
    fields = mail_fields(root.headers)
    fields["attachment_count"] = len(attachments) - inline
    return fields | {"inline_count": inline} if inline else fields


def _text(found: MailText, trailer: str, options: Options) -> Iterator[Piece]:
    """The bodies, then what stands behind the last boundary: list footers, and EMLX's property list."""
    text = "\n\n".join(block for block in (found.text, trailer.strip()) if block)
    if text:
        yield Text(text=text[: options.max_text_chars])
    if len(text) > options.max_text_chars:
        yield Trouble(code=Code.LIMIT_REACHED, detail=f"text cut off at max_text_chars={options.max_text_chars}")
    for path in found.damaged:
        detail = f"the text in part {path} is damaged; what could be decoded is kept"
        yield Trouble(code=Code.TEXT_UNAVAILABLE, detail=detail)


def _attachments(data: bytes, parts: list[Part], found: MailText) -> list[_Attachment]:
    listed = [_Attachment(part.path, _name(data, part), _role(part, found.shown), part) for part in parts]
    for number, (path, name, content) in enumerate(found.embedded, 1):
        listed.append(_Attachment(f"{path}/uu{number}", decode_value(name), "attachment", content=content))
    return listed


def _name(data: bytes, part: Part) -> str:
    if part.filename:
        return part.filename[:_LONGEST_NAME]
    if part.media_type in _MESSAGES:
        subject = decode_value(first(read_headers(data, part.start, part.end)[0], "subject"))
        plain = " ".join(re.sub(r"[/\\\x00-\x1f]+", " ", subject).split())
        return f"{plain[:_LONGEST_NAME] or f'message {part.path}'}.eml"
    return f"part {part.path}.{_EXTENSIONS.get(part.media_type, 'bin')}"


def _role(part: Part, shown: set[str]) -> Role:
    """Inline when the HTML shows it, when it belongs to a saved page, or when it asks to be shown and has no name."""
    if first(part.headers, "content-id").strip(b"<> \t").decode("latin-1") in shown:
        return "inline"
    is_of_page = "content-location" in part.headers and part.parent and part.parent.media_type == "multipart/related"
    return "inline" if is_of_page or (part.disposition == "inline" and not part.filename) else "attachment"


def _child(data: bytes, attachment: _Attachment) -> Iterator[Piece]:
    locator, name, part = attachment.locator, attachment.name, attachment.part
    yield Opening(locator=locator, name=name)
    content, whole = part.content(data) if part else (attachment.content, True)
    if part and not content and data[part.start : part.end].strip():
        yield Lost(locator=locator, name=name, outcome=Outcome.INVALID_FILE, detail="nothing of it could be decoded")
        return
    told: dict[str, MetaValue] = {"content_type": part.media_type} if part else {}
    yield Child(locator=locator, name=name, data=content, role=attachment.role, metadata=told)
    if not whole:
        detail = f"{name} (part {locator}) is damaged; what could be decoded is kept"
        yield Trouble(code=Code.MEMBER_FAILED, detail=detail)
