"""Reads the attributes of a TNEF stream (MS-OXTNEF, winmail.dat). Called by the TNEF handler in a child."""

import struct
from collections.abc import Iterator
from functools import partial

from redwell.core.errors import Empty, InvalidFile
from redwell.handlers.outlook import mapi
from redwell.handlers.outlook.mapi import Properties
from redwell.handlers.outlook.mapi_message import CONTENT, METHOD, OLE_OBJECT, Attachment, Message
from redwell.handlers.outlook.tnef_values import Values, moment
from redwell.handlers.structures.embedded import OLE_MAGIC, unwrap

MAGIC = b"\x78\x9f\x3e\x22"
_HEAD, _ATTRIBUTE, _CHECKSUM = 6, struct.Struct("<BII"), 2
_LEVELS = (1, 2)
_OF_ATTACHMENT = 2
_PROPERTIES, _RECIPIENTS, _CODE_PAGE = (0x9003, 0x9005), 0x9004, 0x9007
_NEXT_ATTACHMENT, _DATA = 0x9002, 0x800F
# attributes from before MAPI, each a property of its own
_TEXTS = {0x8004: 0x0037, 0x8008: 0x001A, 0x800C: 0x1000, 0x8010: 0x3704, 0x9001: 0x3707}
_MOMENTS = {0x8005: 0x0039, 0x8006: 0x0E06, 0x8012: 0x3007, 0x8013: 0x3008, 0x8020: 0x3008, 0x8030: 0x60, 0x8031: 0x61}
_CLASS_PREFIX = b"IPM.Microsoft Mail."  # before the classes that programs of the nineties knew
_OLD_CLASSES = {
    b"Note": b"IPM.Note",
    b"Non-Delivery": b"REPORT.IPM.Note.NDR",
    b"Read Receipt": b"REPORT.IPM.Note.IPNRN",
}
_SENDER, _SENDER_HEAD = 0x8000, 8
_OLE_TYPE = b"\x02\0"
_INTERFACE = 16  # a GUID in front of an object's bytes


def read_message(data: bytes) -> Message:
    """The message and its attachments; what is damaged is named, and what stands before it is kept."""
    message = Message(Properties())
    attributes = _attributes(data, message)
    target = message.properties
    for level, name, content in attributes:
        if level == _OF_ATTACHMENT and (name == _NEXT_ATTACHMENT or not message.attachments):
            target = Properties(message.properties.encoding)
            locator = f"{len(message.attachments) + 1}"
            message.attachments.append(Attachment(locator, target, partial(_content, target)))
        try:
            _take(name, content, message, target if level == _OF_ATTACHMENT else message.properties)
        except InvalidFile as error:
            message.damaged.append(f"attribute {name:#06x}: {error}")
    return message


def _attributes(data: bytes, message: Message) -> Iterator[tuple[int, int, bytes]]:
    """Level, name and content of each attribute up to the end or to what is none."""
    at = _HEAD
    while at + _ATTRIBUTE.size <= len(data):
        level, name, size = _ATTRIBUTE.unpack_from(data, at)
        if level not in _LEVELS:
            message.noted.append(f"{len(data) - at} bytes behind the last attribute are none")
            return
        at += _ATTRIBUTE.size
        content = data[at : at + size]
        checksum = data[at + size : at + size + _CHECKSUM]
        if len(content) < size:
            message.damaged.append(f"attribute {name & 0xFFFF:#06x} is cut off: {len(content)} of {size} bytes")
        elif checksum != struct.pack("<H", sum(content) & 0xFFFF):
            message.noted.append(
                f"attribute {name & 0xFFFF:#06x} has a wrong checksum; its bytes are taken as they are"
            )
        yield level, name & 0xFFFF, content
        at += size + _CHECKSUM


def _take(name: int, content: bytes, message: Message, target: Properties) -> None:
    if name in _PROPERTIES:
        Values(content).read_into(target)
    elif name == _RECIPIENTS:
        rows = Values(content)
        for _ in range(min(rows.number(), len(content))):
            message.recipients.append(Properties(message.properties.encoding))
            rows.read_into(message.recipients[-1])
    elif name == _CODE_PAGE:
        target.put(0x3FFD, mapi.LONG, [content[:4]])
    elif name == _DATA:
        target.put(CONTENT, mapi.BINARY, [content])
    elif name == _NEXT_ATTACHMENT and content[:2] == _OLE_TYPE:
        target.put(METHOD, mapi.LONG, [struct.pack("<i", OLE_OBJECT)])
    elif name in _TEXTS and _TEXTS[name] not in target:
        text = content.rstrip(b"\0")
        old_class = text.removeprefix(_CLASS_PREFIX) if text.startswith(_CLASS_PREFIX) else b""
        target.put(_TEXTS[name], mapi.STRING8, [_OLD_CLASSES.get(old_class, text)])
    elif name == _SENDER and len(content) >= _SENDER_HEAD:
        name_size, address_size = struct.unpack_from("<HH", content, 4)
        text, address = content[_SENDER_HEAD:][:name_size], content[_SENDER_HEAD + name_size :][:address_size]
        target.put(0x0C1A, mapi.STRING8, [text.rstrip(b"\0")])
        target.put(0x0C1F, mapi.STRING8, [address.rstrip(b"\0").removeprefix(b"SMTP:")])
    elif name in _MOMENTS and _MOMENTS[name] not in target:
        target.put(_MOMENTS[name], mapi.TIME, [moment(content)])


def _content(told: Properties, name: str) -> tuple[str, bytes]:
    """The attachment's bytes; a message inside is a TNEF stream of its own, an OLE object the file that it holds."""
    if CONTENT not in told:
        raise Empty("the message keeps no bytes for this attachment")
    data = told.binary(CONTENT)
    if told.kind(CONTENT) == mapi.OBJECT:
        data = data[_INTERFACE:]
    if data.startswith(MAGIC) and told.kind(CONTENT) == mapi.OBJECT:
        return f"{name}.tnef", data
    if told.integer(METHOD) == OLE_OBJECT and data.startswith(OLE_MAGIC):
        return unwrap(name, data)
    return name, data
