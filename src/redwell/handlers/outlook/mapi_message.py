"""A MAPI message as pieces: text, fields, and every attachment. Called by the MSG and TNEF handlers in a child."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from redwell.core.errors import BadInput, InvalidFile
from redwell.core.handler import (
    Child,
    Contents,
    Lost,
    Metadata,
    MetaValue,
    Opening,
    Options,
    Piece,
    Role,
    Text,
    Trouble,
    pending,
)
from redwell.core.names import shortened
from redwell.core.outcomes import Code
from redwell.handlers.mail.mail_journal import journal_fields
from redwell.handlers.outlook.mapi import Properties
from redwell.handlers.outlook.mapi_body import MessageText, read_bodies, with_names
from redwell.handlers.outlook.mapi_fields import message_fields, reported, transport_headers
from redwell.handlers.outlook.mapi_items import item_fields, shown_fields

METHOD, CONTENT = 0x3705, 0x3701
EMBEDDED_MESSAGE, OLE_OBJECT = 5, 6
_LINKS = frozenset((2, 3, 4, 7))  # a path or an address; the bytes never came along
_LONG_NAME, _SHORT_NAME, _DISPLAY_NAME = 0x3707, 0x3704, 0x3001
_PATHS = (0x370D, 0x3708, 0x3707)
_CONTENT_ID, _CONTENT_LOCATION, _HIDDEN, _MIME_TYPE = 0x3712, 0x3713, 0x7FFE, 0x370E
_POSITION = 0x370B  # where an RTF body shows it
_FLAGS, _SHOWN_IN_HTML = 0x3714, 4
_UNFIT = re.compile(r"[/\\\x00-\x1f]+")


@dataclass(frozen=True, slots=True)
class Attachment:
    """Where it lies, what is said of it, and how to take it out as (name, bytes) once it has a name."""

    locator: str
    properties: Properties
    take: Callable[[str], tuple[str, bytes]]


@dataclass(slots=True)
class Message:
    properties: Properties
    recipients: list[Properties] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    declared: int | None = None  # attachments by the message's own count
    damaged: list[str] = field(default_factory=list)  # something is missing
    noted: list[str] = field(default_factory=list)  # odd, but all is there


def pieces(message: Message, options: Options) -> Iterator[Piece]:
    """Fields, text, then each attachment or why it could not be had."""
    body = read_bodies(message.properties, options.max_text_chars)
    envelope = journal_fields(transport_headers(message.properties), body.text)
    fields = message_fields(message.properties, message.recipients) | envelope
    roles = {each.locator: _role(each.properties, body) for each in message.attachments}
    inline = sum(role == "inline" for role in roles.values())
    fields |= {"bodies": body.bodies, "attachment_count": len(roles) - inline}
    yield Metadata(values=fields | ({"inline_count": inline} if inline else {}))
    yield from _text(message, body, options)
    for detail in (*message.damaged, *body.damaged):
        yield Trouble(code=Code.FILE_MISSING_OR_INCOMPLETE, detail=detail)
    for detail in message.noted:
        yield Trouble(code=Code.FILE_MISSING_OR_INCOMPLETE, detail=detail, partial=False)
    if roles or message.declared:
        yield Contents(declared=message.declared)
        by_locator = {each.locator: each for each in message.attachments}
        for locator in pending(by_locator, options):
            yield from _child(by_locator[locator], roles[locator], envelope)


def _text(message: Message, body: MessageText, options: Options) -> Iterator[Piece]:
    """The body, and above it the fields of an appointment, a contact or a task."""
    shown = sorted(message.attachments, key=lambda each: (each.properties.integer(_POSITION) or 0) & 0xFFFFFFFF)
    text = with_names(body.text, (_name(each.properties) for each in shown))
    blocks = (shown_fields(item_fields(message.properties)), text, reported(message.properties, message.recipients))
    text = "\n\n".join(block for block in blocks if block)
    if text:
        yield Text(text=text[: options.max_text_chars])
    if len(text) > options.max_text_chars:
        yield Trouble(code=Code.LIMIT_REACHED, detail=f"text cut off at max_text_chars={options.max_text_chars}")


def _role(attachment: Properties, body: MessageText) -> Role:
    """Inline when the HTML shows it or the message hides it from the list of attachments."""
    if attachment.integer(METHOD) == OLE_OBJECT:
        return "embedded"
    shown = {attachment.text(_CONTENT_ID).strip("<> "), attachment.text(_CONTENT_LOCATION)} & body.shown
    is_shown = shown or (attachment.integer(_FLAGS) or 0) & _SHOWN_IN_HTML or attachment.flag(_HIDDEN)
    return "inline" if is_shown else "attachment"


def _child(attachment: Attachment, role: Role, envelope: dict[str, MetaValue]) -> Iterator[Piece]:
    told, locator = attachment.properties, attachment.locator
    name = _name(told) or f"attachment {locator}"
    yield Opening(locator=locator, name=name)
    try:
        if told.integer(METHOD) in _LINKS:
            raise InvalidFile(f"the message has only a link to {told.text(*_PATHS) or 'it'}, not the file")
        name, data = attachment.take(name)
    except BadInput as error:
        yield Lost(locator=locator, name=name, outcome=error.outcome, detail=str(error))
        return
    is_message = told.integer(METHOD) == EMBEDDED_MESSAGE
    values: dict[str, MetaValue] = {
        **(envelope if is_message else {}),
        "content_type": told.text(_MIME_TYPE),
        "file_created": told.moment(0x3007),
        "file_modified": told.moment(0x3008),
    }
    yield Child(locator=locator, name=name, data=data, role=role, metadata={k: v for k, v in values.items() if v})


def _name(told: Properties) -> str:
    """The name it was given; the last step where that is a path."""
    subject = told.text(_DISPLAY_NAME) if told.integer(METHOD) == EMBEDDED_MESSAGE else ""
    names = (told.text(number) for number in (_LONG_NAME, _SHORT_NAME, _DISPLAY_NAME))
    steps = (name.replace("\\", "/").rpartition("/")[2] for name in names)
    name = subject or next(filter(str.strip, steps), "")
    return shortened(" ".join(_UNFIT.sub(" ", name).split()))
