"""Attachments of a mail: names, bytes, and whether they are shown inline. Called by the eml handler in a child."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from redwell.core.handler import Child, HashKind, Lost, MetaValue, Opening, Piece, Role, Trouble
from redwell.core.names import shortened
from redwell.core.outcomes import Code, Outcome
from redwell.handlers.mail.mail_headers import decode_value, first, moment, parameters, read_headers
from redwell.handlers.mail.mail_text import MailText
from redwell.handlers.mail.mime import Part

MESSAGES = frozenset(("message/rfc822", "message/global", "message/news"))
_LONGEST_SUBJECT = 120  # as the name of a message
_FILE_DATES = {"creation-date": "file_created", "modification-date": "file_modified"}
_FILE_NAME = re.compile(r"[^\\:*<>|\x00-\x1f]{1,100}\.\w{1,8}")
# Fixed, so that a nameless part has the same name on every machine.
EXTENSIONS = {
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
class Attachment:
    locator: str
    name: str
    role: Role
    part: Part | None = None
    content: bytes = b""


def listed_attachments(data: bytes, parts: list[Part], found: MailText) -> list[Attachment]:
    listed = [Attachment(part.path, _name(data, part), _role(part, found.shown), part) for part in parts]
    for number, (path, name, content) in enumerate(found.embedded, 1):
        listed.append(Attachment(f"{path}/uu{number}", decode_value(name), "attachment", content=content))
    return listed


def _name(data: bytes, part: Part) -> str:
    if part.filename:
        return shortened(part.filename)
    if part.media_type in MESSAGES:
        subject = decode_value(first(read_headers(data, part.start, part.end)[0], "subject"))
        plain = " ".join(re.sub(r"[/\\\x00-\x1f]+", " ", subject).split())
        return f"{plain[:_LONGEST_SUBJECT] or f'message {part.path}'}.eml"
    located = decode_value(first(part.headers, "content-location")).partition("?")[0].rpartition("/")[2]
    if _FILE_NAME.fullmatch(located):
        return located
    return f"part {part.path}.{EXTENSIONS.get(part.media_type, 'bin')}"


def _role(part: Part, shown: set[str]) -> Role:
    """Inline when the HTML shows it, when it belongs to a saved page, or when it asks to be shown and has no name."""
    if first(part.headers, "content-id").strip(b"<> \t").decode("latin-1") in shown:
        return "inline"
    is_of_page = "content-location" in part.headers and part.parent and part.parent.media_type == "multipart/related"
    return "inline" if is_of_page or (part.disposition == "inline" and not part.filename) else "attachment"


def _dates(part: Part) -> dict[str, MetaValue]:
    """Those of the file that was attached, as its sender's program tells them."""
    told = parameters(first(part.headers, "content-disposition"))[1]
    found = {name: moment(told[key].decode("latin-1")) for key, name in _FILE_DATES.items() if key in told}
    return {name: when[0] for name, when in found.items() if when and when[1]}


def _hash_kind(part: Part | None, composed: bool) -> HashKind:
    """A message inside a composed one is composed, too; every file has bytes of its own, which are encoded there."""
    if part is None or not composed or "content-transfer-encoding" in part.headers:
        return "bytes"
    return "synthetic" if part.media_type == "message/rfc822" else "bytes"


def child(data: bytes, attachment: Attachment, envelope: Mapping[str, MetaValue], *, composed: bool) -> Iterator[Piece]:
    """The attachment with its bytes, or why it could not be had; a journaled message learns its envelope."""
    locator, name, part = attachment.locator, attachment.name, attachment.part
    yield Opening(locator=locator, name=name)
    if part and "x-apple-content-length" in part.headers and not data[part.start : part.end].strip():
        detail = "Apple Mail keeps it in a file of its own beside the message"
        yield Lost(locator=locator, name=name, outcome=Outcome.INVALID_FILE, detail=detail)
        return
    content, whole = part.content(data) if part else (attachment.content, True)
    if part and not content and data[part.start : part.end].strip():
        yield Lost(locator=locator, name=name, outcome=Outcome.INVALID_FILE, detail="nothing of it could be decoded")
        return
    told: dict[str, MetaValue] = {"content_type": part.media_type, **_dates(part)} if part else {}
    told |= envelope if part and part.media_type in MESSAGES else {}
    kind = _hash_kind(part, composed)
    yield Child(locator=locator, name=name, data=content, role=attachment.role, metadata=told, hash_kind=kind)
    if not whole:
        detail = f"{name} (part {locator}) is damaged; what could be decoded is kept"
        yield Trouble(code=Code.MEMBER_FAILED, detail=detail)
