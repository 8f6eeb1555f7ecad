"""Reads the storages of an Outlook message file (MS-OXMSG). Called by the MSG handler in a child.

A damaged list of properties costs the numbers and dates in it; texts and bytes lie in streams of their own
and are found without it.
"""

import contextlib
import re
import struct
import uuid
from functools import partial

from redwell.core.errors import Empty, InvalidFile
from redwell.handlers.outlook import mapi
from redwell.handlers.outlook.mapi import Properties
from redwell.handlers.outlook.mapi_message import CONTENT, METHOD, OLE_OBJECT, Attachment, Message
from redwell.handlers.structures.compound_writer import write
from redwell.handlers.structures.embedded import storage_file
from redwell.handlers.structures.ole import Compound

_MESSAGE_FILE = bytes.fromhex("0b0d020000000000c000000000000046")  # what Outlook calls itself in a file's root
_LIST = "__properties_version1.0"
_NAMES = "__nameid_version1.0"
_VALUE = re.compile(r"__substg1\.0_([0-9a-f]{4})([0-9a-f]{4})(?:-([0-9a-f]{8}))?")
_TOP_HEADER, _INNER_HEADER, _PART_HEADER = 32, 24, 8  # of a list of properties, by what it belongs to
_COUNTED = (mapi.STRING8, mapi.UNICODE, mapi.BINARY)
_OBJECT = f"__substg1.0_{CONTENT:04x}000d"
_BYTES = f"__substg1.0_{CONTENT:04x}0102"
_PUBLIC_SETS = {1: "00020328-0000-0000-c000-000000000046", 2: "00020329-0000-0000-c000-000000000046"}


def read_message(compound: Compound) -> Message:
    """The message at the file's root; raises `InvalidFile` where there is none."""
    damaged: list[str] = []
    properties = Properties()
    _read(compound, "", _TOP_HEADER, properties, damaged)
    _read_names(compound, properties, damaged)
    message = Message(properties, declared=_declared(compound), damaged=damaged)
    for folder in sorted(compound.folders(), key=str.lower):
        kind = folder.lower()
        inner = Properties(properties.encoding)
        if kind.startswith("__recip_version1.0_"):
            _read(compound, folder, _PART_HEADER, inner, damaged)
            message.recipients.append(inner)
        elif kind.startswith("__attach_version1.0_"):
            _read(compound, folder, _PART_HEADER, inner, damaged)
            locator = kind.removeprefix("__attach_version1.0_").lstrip("#")
            message.attachments.append(Attachment(locator, inner, partial(_content, compound, folder, inner)))
    return message


def _declared(compound: Compound) -> int | None:
    """The count of attachments in the list's header."""
    try:
        return int(struct.unpack_from("<I", compound.stream(_LIST), 20)[0])
    except (InvalidFile, struct.error):
        return None


def _read(compound: Compound, folder: str, header: int, found: Properties, damaged: list[str]) -> None:
    """Every property of a storage but an attachment's bytes."""
    streams = compound.below(folder)
    try:
        _read_list(compound.stream(streams.get(_LIST, f"{folder}/{_LIST}".lstrip("/"))), header, found)
    except InvalidFile as error:
        damaged.append(str(error))
    for name, path in sorted(streams.items()):
        value = _VALUE.fullmatch(name)
        if value and name != _BYTES and not value[3]:
            number, kind = int(value[1], 16), int(value[2], 16)
            try:
                found.put(number, kind & ~mapi.MANY, _stored(compound, streams, path, kind))
            except InvalidFile as error:
                damaged.append(str(error))


def _read_list(data: bytes, header: int, found: Properties) -> None:
    for at in range(header, len(data) - 15, 16):
        kind, number = struct.unpack_from("<HH", data, at)
        width = mapi.WIDTHS.get(kind)
        if width is not None and width <= 8:
            found.put(number, kind, [data[at + 8 : at + 8 + width]])


def _stored(compound: Compound, streams: dict[str, str], path: str, kind: int) -> list[bytes]:
    """The values in a stream: several texts lie in numbered streams beside it, several numbers in a row."""
    if not kind & mapi.MANY:
        return [compound.stream(path)]
    if kind & ~mapi.MANY in _COUNTED:
        prefix = path.rpartition("/")[2].lower() + "-"
        return [compound.stream(each) for name, each in sorted(streams.items()) if name.startswith(prefix)]
    data, width = compound.stream(path), mapi.WIDTHS.get(kind & ~mapi.MANY, 0)
    return [data[at : at + width] for at in range(0, len(data), width)] if width else []


def _read_names(compound: Compound, found: Properties, damaged: list[str]) -> None:
    """Which numbers from 0x8000 on stand for which named properties; kept once for the whole file."""
    paths = [f"{_NAMES}/__substg1.0_{number:04x}0102" for number in (2, 3, 4)]
    try:
        sets, entries, texts = (compound.stream(path) if path in compound else b"" for path in paths)
    except InvalidFile as error:
        damaged.append(str(error))
        return
    for at in range(0, len(entries) - 7, 8):
        key, where, index = struct.unpack_from("<IHH", entries, at)
        own_set = sets[((where >> 1) - 3) * 16 :][:16] if where >> 1 >= 3 else b""
        space = str(uuid.UUID(bytes_le=own_set)) if len(own_set) == 16 else _PUBLIC_SETS.get(where >> 1, "")
        found.name(space, _text_at(texts, key) if where & 1 else key, 0x8000 + index)


def _text_at(texts: bytes, at: int) -> str:
    length = int.from_bytes(texts[at : at + 4], "little")
    return texts[at + 4 : at + 4 + min(length, 1_000)].decode("utf-16-le", "replace")


def _content(compound: Compound, folder: str, told: Properties, name: str) -> tuple[str, bytes]:
    """The attachment's bytes; a message inside becomes a file of its own, an OLE object the file that it holds."""
    inner = next((path for path in compound.folders(folder) if path.lower().endswith(_OBJECT)), None)
    if inner is None and f"{folder}/{_BYTES}" not in compound:
        raise Empty("the message keeps no bytes for this attachment")
    if inner is None:
        return name, compound.stream(f"{folder}/{_BYTES}")
    if told.integer(METHOD) == OLE_OBJECT:
        return storage_file(compound, inner, name)
    return f"{name.removesuffix('.msg')}.msg", _standalone(compound, inner)


def _standalone(compound: Compound, folder: str) -> bytes:
    """An inner message as a message file: a longer header, and the names that the outer one kept for it."""
    storage = compound.storage(folder)
    storage.clsid = _MESSAGE_FILE
    for name, data in storage.streams.items():
        if name.lower() == _LIST:
            storage.streams[name] = data[:_INNER_HEADER] + bytes(_TOP_HEADER - _INNER_HEADER) + data[_INNER_HEADER:]
    with contextlib.suppress(InvalidFile):  # already named as a damage of the outer message
        storage.storages[_NAMES] = compound.storage(_NAMES)
    return write(storage)
