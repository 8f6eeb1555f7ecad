"""Internet mail and EMLX: text, fields, and every attachment with its exact bytes. Runs in a child."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from redwell.core.errors import BadInput, Empty
from redwell.core.handler import (
    Contents,
    HandlerSpec,
    Metadata,
    MetaValue,
    Options,
    Piece,
    Source,
    Text,
    Trouble,
    pending,
)
from redwell.core.outcomes import Code
from redwell.handlers.detect.plain_text import byte_order_mark, unmarked_unicode
from redwell.handlers.mail.mail_attachments import Attachment, child, listed_attachments
from redwell.handlers.mail.mail_emlx import emlx_fields
from redwell.handlers.mail.mail_fields import mail_fields
from redwell.handlers.mail.mail_headers import parameter_text
from redwell.handlers.mail.mail_journal import journal_fields
from redwell.handlers.mail.mail_sealed import unsealed
from redwell.handlers.mail.mail_text import MailText, is_body, read_text
from redwell.handlers.mail.mime import Part, read_parts
from redwell.handlers.structures.charset import decode

_EMLX = "message/x-emlx"
SPEC = HandlerSpec(
    name="eml",
    media_types=frozenset(("message/rfc822", _EMLX, "message/global")),
    version=5,
    kind="mail",
)

_PGP_MESSAGE = "-----BEGIN PGP MESSAGE-----"
_MOST_SEALS = 5  # signed, encrypted and signed again is the most that is usual
_ENVELOPE = re.compile(rb"\s*(?:>?From [^\n]*\n)?")
_LENGTH_LINE = re.compile(rb"\s*(\d{1,10})[ \t]*\r?\n")


@dataclass(frozen=True, slots=True)
class Opened:
    """A message out of its wrappings; `shut` says why the innermost one could not be opened."""

    data: bytes
    end: int
    parts: list[Part]
    fields: dict[str, MetaValue]
    was_sealed: bool = False
    shut: BadInput | None = None


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    opened = open_message(source.read(), options)
    if opened.shut:
        yield Metadata(values=mail_fields(opened.parts[0].headers) | opened.fields)
        raise opened.shut
    if opened.was_sealed:
        options = replace(options, synthetic=False)  # what was sealed is as its sender made it
    yield from _pieces(opened, options)


def open_message(raw: bytes, options: Options) -> Opened:
    """Its parts, with every seal opened that needs no key."""
    data = _as_bytes(raw)
    if not data or data.isspace():
        raise Empty("the message has no bytes")
    start, end = _frame(data, options.media_type)
    fields = emlx_fields(data[end:]) if options.media_type == _EMLX else {}
    parts = read_parts(data, start, end, options.max_members)
    was_sealed = False
    for _ in range(_MOST_SEALS):
        opened = unsealed(data, start, parts[0], options.max_member_bytes)
        if opened is None:
            break
        fields |= opened.fields
        if opened.shut:
            return Opened(data, end, parts, fields, was_sealed, opened.shut)
        data, start, end, was_sealed = opened.data, 0, len(opened.data), True
        parts = read_parts(data, start, end, options.max_members)
    return Opened(data, end, parts, fields, was_sealed)


def _pieces(opened: Opened, options: Options) -> Iterator[Piece]:
    data, parts, root = opened.data, opened.parts, opened.parts[0]
    bodies, attached = sorted_leaves(parts)
    found = read_text(data, bodies, options.max_text_chars)
    attachments = listed_attachments(data, attached, found)
    envelope = journal_fields(root.headers, found.text)
    yield Metadata(values=mail_fields(root.headers) | opened.fields | envelope | _counts(attachments))
    behind = opened.end if root.behind is None else root.behind
    yield from _text(found, decode(data[behind:])[0] if behind < len(data) else "", options)
    yield from _noted(root, found)
    if len(parts) >= options.max_members:
        detail = f"parts beyond max_members={options.max_members} were not cut out"
        yield Trouble(code=Code.LIMIT_REACHED, detail=detail)
    if attachments:
        yield Contents(declared=None)
        by_locator = {attachment.locator: attachment for attachment in attachments}
        for locator in pending(by_locator, options):
            yield from child(data, by_locator[locator], envelope, composed=options.synthetic)


def _as_bytes(data: bytes) -> bytes:
    """The message in a superset of ASCII, without a mark, and with line feeds."""
    mark = byte_order_mark(data)
    if (mark and mark[0] != "utf-8") or (b"\0" in data[:4] and unmarked_unicode(data[:4096])):
        return decode(data)[0].encode()
    data = data[mark[1] :] if mark else data
    return data if b"\n" in data else data.replace(b"\r", b"\n")


def _frame(data: bytes, media_type: str) -> tuple[int, int]:
    """Where the message begins and ends: behind an EMLX length or an mbox envelope, before EMLX's property list."""
    length = _LENGTH_LINE.match(data) if media_type == _EMLX else None
    if length:
        return length.end(), min(len(data), length.end() + int(length[1]))
    envelope = _ENVELOPE.match(data)
    return envelope.end() if envelope else 0, len(data)


def sorted_leaves(parts: list[Part]) -> tuple[list[Part], list[Part]]:
    """Bodies, and parts that are files of their own."""
    bodies: list[Part] = []
    files: list[Part] = []
    for part in parts:
        if not part.children:
            (bodies if is_body(part) else files).append(part)
    return bodies, files


def _counts(attachments: list[Attachment]) -> dict[str, MetaValue]:
    inline = sum(attachment.role == "inline" for attachment in attachments)
    counts: dict[str, MetaValue] = {"attachment_count": len(attachments) - inline}
    return counts | {"inline_count": inline} if inline else counts


def _noted(root: Part, found: MailText) -> Iterator[Piece]:
    """What a reader should know who wonders where the rest is."""
    if root.media_type == "message/partial":
        number, total = (root.parameters.get(name, b"?").decode("latin-1") for name in ("number", "total"))
        yield Metadata(values={"partial_number": number, "partial_total": total})
        detail = f"piece {number} of {total} of a message; the others are mails of their own"
        yield Trouble(code=Code.FILE_MISSING_OR_INCOMPLETE, detail=detail, partial=False)
    if root.media_type == "multipart/report":
        yield Metadata(values={"report_type": parameter_text(root.parameters, "report-type").lower()})
    if root.media_type == "multipart/signed":
        yield Metadata(values={"signed": True})
    if _PGP_MESSAGE in found.text:
        yield Metadata(values={"encrypted": True})
        detail = "PGP: text in the body is encrypted; only a private key opens it"
        yield Trouble(code=Code.TEXT_UNAVAILABLE, detail=detail)


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
