"""What is shown of a mail: fields, bodies, the pictures in them, and the names of its attachments. Called in a child.

Read by the readers of mail themselves, so that what is shown is what was found.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from redwell.core.handler import Child, Metadata, MetaValue, Options, Source, Text
from redwell.handlers.mail.eml import open_message, sorted_leaves
from redwell.handlers.mail.mail_attachments import listed_attachments
from redwell.handlers.mail.mail_fields import mail_fields
from redwell.handlers.mail.mail_headers import decode_value, first
from redwell.handlers.mail.mail_text import read_text
from redwell.handlers.mail.mime import Part
from redwell.handlers.outlook import msg_storage, tnef_stream
from redwell.handlers.outlook.mapi_body import read_bodies
from redwell.handlers.outlook.mapi_items import item_fields, shown_fields
from redwell.handlers.outlook.mapi_message import Message, pieces
from redwell.handlers.structures.charset import decode
from redwell.handlers.structures.html import declared_charset
from redwell.handlers.structures.ole import Compound

_HTML = ("text/html", "application/xhtml+xml")
_PEOPLE = (("From", "from"), ("Sender", "sender"), ("To", "to"), ("Cc", "cc"), ("Bcc", "bcc"))
_CONTENT_ID, _CONTENT_LOCATION = 0x3712, 0x3713


@dataclass(slots=True)
class Body:
    text: str
    is_html: bool = False


@dataclass(slots=True)
class Mail:
    values: Mapping[str, MetaValue] = field(default_factory=dict)
    text: str = ""  # all of its words, as they are found by search
    bodies: list[Body] = field(default_factory=list)
    files: dict[str, tuple[str, bytes]] = field(default_factory=dict)  # pictures by Content-ID and address
    attached: list[tuple[str, int]] = field(default_factory=list)
    shut: str = ""  # why its body is not to be had

    @property
    def has_html(self) -> bool:
        return any(body.is_html and body.text.strip() for body in self.bodies)


def read_mail(source: Source, options: Options) -> Mail:
    """A message of Outlook, also as it wraps those that leave it (TNEF), or of the Internet."""
    if options.media_type == "application/vnd.ms-outlook":
        with source.open() as file:
            return _of_outlook(msg_storage.read_message(Compound(file)), options)
    if options.media_type == "application/vnd.ms-tnef":
        return _of_outlook(tnef_stream.read_message(source.read()), options)
    opened = open_message(source.read(), options)
    if opened.shut:
        return Mail(mail_fields(opened.parts[0].headers) | opened.fields, shut=str(opened.shut))
    bodies, files = sorted_leaves(opened.parts)
    found = read_text(opened.data, bodies, options.max_text_chars)
    mail = Mail(mail_fields(opened.parts[0].headers) | opened.fields, found.text)
    mail.bodies = _best(opened.data, bodies)
    for each in listed_attachments(opened.data, files, found):
        content = each.part.content(opened.data)[0] if each.part else each.content
        if each.part and each.part.media_type.startswith("image/"):
            _know(mail, each.part, content)
        if each.role != "inline":
            mail.attached.append((each.name, len(content)))
    return mail


def _know(mail: Mail, part: Part, content: bytes) -> None:
    for name in ("content-id", "content-location"):
        if key := decode_value(first(part.headers, name)).strip("<> \t"):
            mail.files.setdefault(key, (part.media_type, content))


def _best(data: bytes, parts: list[Part]) -> list[Body]:
    """Of alternatives the HTML, of everything else all, in order."""
    groups: list[tuple[Part | None, list[Part]]] = []
    for part in parts:
        if part.alternative is None or not groups or groups[-1][0] is not part.alternative:
            groups.append((part.alternative, []))
        groups[-1][1].append(part)
    return [body_of(data, part) for _, group in groups for part in _of_alternatives(group)]


def _of_alternatives(group: list[Part]) -> list[Part]:
    return [part for part in group if part.media_type in _HTML] or group


def body_of(data: bytes, part: Part) -> Body:
    content, _ = part.content(data)
    declared = part.parameters.get("charset", b"").decode("latin-1")
    if part.media_type in _HTML:
        return Body(decode(content, declared or declared_charset(content[:4096]))[0], is_html=True)
    return Body(decode(content, declared)[0])


def _of_outlook(message: Message, options: Options) -> Mail:
    mail = Mail()
    markup = read_bodies(message.properties, options.max_text_chars).markup
    by_locator = {each.locator: each.properties for each in message.attachments}
    for piece in pieces(message, options):
        if isinstance(piece, Metadata):
            mail.values = {**mail.values, **piece.values}
        elif isinstance(piece, Text):
            mail.text += piece.text
        elif isinstance(piece, Child) and isinstance(piece.data, bytes):
            kind = str(piece.metadata.get("content_type") or "") or _kind_of(piece.data)
            for number in (_CONTENT_ID, _CONTENT_LOCATION):
                if key := by_locator[piece.locator].text(number).strip("<> "):
                    mail.files.setdefault(key, (kind.lower(), piece.data))
            if piece.role != "inline":
                mail.attached.append((piece.name, len(piece.data)))
    if markup:
        said = shown_fields(item_fields(message.properties))
        mail.bodies = [*([Body(said)] if said else []), Body(markup, is_html=True)]
    return mail


def _kind_of(data: bytes) -> str:
    heads = {b"\x89PNG": "image/png", b"\xff\xd8": "image/jpeg", b"GIF8": "image/gif", b"BM": "image/bmp"}
    return next((kind for head, kind in heads.items() if data.startswith(head)), "")


def shown_above(mail: Mail, timezone: str) -> list[tuple[str, str]]:
    """The fields in the order that people know, with the day in the case's zone."""
    rows = [(name, "; ".join(_listed(mail.values.get(key)))) for name, key in _PEOPLE]
    rows.append(("Date", _day(mail.values, timezone)))
    rows.append(("Subject", str(mail.values.get("subject") or "")))
    rows.append(("Attachments", "; ".join(f"{name} ({_size(size)})" for name, size in mail.attached)))
    return [(name, value) for name, value in rows if value]


def _listed(value: MetaValue | None) -> list[str]:
    return value if isinstance(value, list) else [str(value)] if value else []


def _day(values: Mapping[str, MetaValue], timezone: str) -> str:
    """As it was there and then; what gives no zone is shown as it is written."""
    told = str(values.get("date") or values.get("date_received") or "")
    try:
        when = datetime.fromisoformat(told)
    except ValueError:
        return str(values.get("date_raw") or "")
    if when.tzinfo is None:
        return f"{when:%a, %d %b %Y %H:%M:%S} (no time zone given)"
    here = when.astimezone(ZoneInfo(timezone) if timezone != "UTC" else UTC)
    return f"{here:%a, %d %b %Y %H:%M:%S %z} ({timezone})"


def _size(count: int) -> str:
    for unit in ("bytes", "KB", "MB"):
        if count < 1000:
            return f"{count:,.0f} {unit}" if unit == "bytes" else f"{count:,.1f} {unit}"
        count = count / 1024  # type: ignore[assignment]
    return f"{count:,.1f} GB"
