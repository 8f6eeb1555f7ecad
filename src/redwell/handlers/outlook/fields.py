"""What contacts, appointments, tasks, journal entries and notes say in their properties, as lines of text.

Called when an item is composed, in a child. Mail needs none of it: what it says is in its header and body.
"""

import struct
from collections.abc import Iterator
from datetime import datetime

from redwell.handlers.outlook.items import Item
from redwell.handlers.outlook.properties import Value

_APPOINTMENT = "00062002-0000-0000-c000-000000000046"
_TASK = "00062003-0000-0000-c000-000000000046"
_ADDRESS = "00062004-0000-0000-c000-000000000046"
_LOG = "0006200a-0000-0000-c000-000000000046"

_CONTACT_FIELDS: tuple[tuple[str, int | tuple[str, int]], ...] = (
    ("Name", 0x3001),
    ("Given name", 0x3A06),
    ("Middle name", 0x3A44),
    ("Surname", 0x3A11),
    ("Nickname", 0x3A4F),
    ("File as", (_ADDRESS, 0x8005)),
    ("Company", 0x3A16),
    ("Department", 0x3A18),
    ("Title", 0x3A17),
    ("Profession", 0x3A46),
    ("Manager", 0x3A4E),
    ("Assistant", 0x3A30),
    ("Spouse", 0x3A48),
    ("E-mail", (_ADDRESS, 0x8083)),
    ("E-mail name", (_ADDRESS, 0x8080)),
    ("E-mail 2", (_ADDRESS, 0x8093)),
    ("E-mail 3", (_ADDRESS, 0x80A3)),
    ("Instant messaging", (_ADDRESS, 0x8062)),
    ("Web page", 0x3A51),
    ("Business phone", 0x3A08),
    ("Business phone 2", 0x3A1B),
    ("Home phone", 0x3A09),
    ("Mobile phone", 0x3A1C),
    ("Other phone", 0x3A1F),
    ("Fax", 0x3A24),
    ("Work address", (_ADDRESS, 0x801B)),
    ("Home address", (_ADDRESS, 0x801A)),
    ("Other address", (_ADDRESS, 0x801C)),
    ("Street", 0x3A29),
    ("City", 0x3A27),
    ("State", 0x3A28),
    ("Postal code", 0x3A2A),
    ("Country", 0x3A26),
    ("Birthday", 0x3A42),
    ("Anniversary", 0x3A41),
)
_CALENDAR_FIELDS = (
    ("Start", (_APPOINTMENT, 0x820D)),
    ("End", (_APPOINTMENT, 0x820E)),
    ("All day", (_APPOINTMENT, 0x8215)),
    ("Location", (_APPOINTMENT, 0x8208)),
    ("Recurring", (_APPOINTMENT, 0x8223)),
    ("Recurrence", (_APPOINTMENT, 0x8232)),
    ("Time zone", (_APPOINTMENT, 0x8234)),
    ("Attendees", (_APPOINTMENT, 0x8238)),
    ("Required", (_APPOINTMENT, 0x823B)),
    ("Optional", (_APPOINTMENT, 0x823C)),
)
_TASK_FIELDS = (
    ("Start", (_TASK, 0x8104)),
    ("Due", (_TASK, 0x8105)),
    ("Done on", (_TASK, 0x810F)),
    ("Share done", (_TASK, 0x8102)),
    ("Owner", (_TASK, 0x811F)),
)
_JOURNAL_FIELDS = (
    ("Entry type", (_LOG, 0x8700)),
    ("Start", (_LOG, 0x8706)),
    ("End", (_LOG, 0x8708)),
    ("Minutes", (_LOG, 0x8707)),
)
_BY_CLASS: tuple[tuple[str, tuple[tuple[str, int | tuple[str, int]], ...]], ...] = (
    ("ipm.contact", _CONTACT_FIELDS),
    ("ipm.distlist", (("Name", 0x3001), ("File as", (_ADDRESS, 0x8005)))),
    ("ipm.appointment", _CALENDAR_FIELDS),
    ("ipm.schedule.meeting", _CALENDAR_FIELDS),
    ("ipm.ole.class.", _CALENDAR_FIELDS),  # a changed occurrence of a series
    ("ipm.task", _TASK_FIELDS),
    ("ipm.activity", _JOURNAL_FIELDS),
)
_MEMBERS = (_ADDRESS, 0x8054)
_ONE_OFF_NAME = 24  # where the name begins in an address that stands for itself
_IS_UNICODE = 0x8000
_MESSAGE_CLASS = 0x001A


def lines_of(item: Item) -> list[str]:
    """`Field: value` lines; none for mail and for classes that nobody here knows."""
    told = item.properties.text(_MESSAGE_CLASS).lower()
    fields = next((fields for start, fields in _BY_CLASS if told.startswith(start)), ())
    lines = [f"{label}: {text}" for label, key in fields if (text := _text(item, key))]
    if told.startswith("ipm.distlist"):
        lines += [f"Member: {member}" for member in _members(item)]
    return lines


def _text(item: Item, key: int | tuple[str, int]) -> str:
    number = item.names.get(key, 0) if isinstance(key, tuple) else key
    return _shown(item.properties.sound(number)) if number else ""


def _shown(value: Value | None) -> str:
    """A false flag and a date that was never set say nothing."""
    if isinstance(value, datetime):
        return value.strftime("%Y-%m-%d %H:%M UTC") if value.year > 1601 and value.year < 4500 else ""
    if isinstance(value, bool):
        return "yes" if value else ""
    if isinstance(value, str | int | float):
        return " ".join(str(value).replace("\0", "").split()) if value else ""
    return ""


def _members(item: Item) -> Iterator[str]:
    listed = item.properties.sound(item.names.get(_MEMBERS, 0))
    for raw in listed if isinstance(listed, list) else ():
        if isinstance(raw, bytes) and len(raw) > _ONE_OFF_NAME:
            (flags,) = struct.unpack_from("<H", raw, _ONE_OFF_NAME - 2)
            told = raw[_ONE_OFF_NAME:].decode("utf-16-le" if flags & _IS_UNICODE else "cp1252", "replace")
            name, _, address = (*told.split("\0"), "", "")[:3]
            yield f"{name} <{address}>" if address else name
