"""Fields of appointments, contacts, tasks and journal entries, by the class of the message. Runs in a child.

Called by `mapi_fields`. The names are those that calendar files and address cards have too.
"""

from collections.abc import Callable
from dataclasses import dataclass

from redwell.core.handler import MetaValue
from redwell.handlers.outlook.mapi import Properties

_APPOINTMENT = "00062002-0000-0000-c000-000000000046"
_TASK = "00062003-0000-0000-c000-000000000046"
_ADDRESS = "00062004-0000-0000-c000-000000000046"
_COMMON = "00062008-0000-0000-c000-000000000046"
_LOG = "0006200a-0000-0000-c000-000000000046"
_ONE_OFF, _ONE_OFF_HEAD = bytes.fromhex("812b1fa4bea310199d6e00dd010f5402"), 24
_TASK_STATES = ("not started", "in progress", "completed", "waiting", "deferred")
_Reader = Callable[[Properties, int], MetaValue | None]


@dataclass(frozen=True, slots=True)
class _Field:
    name: str
    read: _Reader
    number: int
    space: str = ""  # of a named property, whose number here is the one in its set


def _day(properties: Properties, number: int) -> str:
    return properties.moment(number)[:10]


def _percent(properties: Properties, number: int) -> int | None:
    share = properties.number(number)
    return round(share * 100) if share and 0 < share <= 1 else None


def _task_state(properties: Properties, number: int) -> str:
    state = properties.integer(number)
    return _TASK_STATES[state] if state is not None and 0 <= state < len(_TASK_STATES) else ""


def _members(properties: Properties, number: int) -> list[str]:
    """The people of a distribution list, out of entries that hold name, kind of address and address."""
    found = []
    for entry in properties.binaries(number):
        if entry[4:20] == _ONE_OFF and len(entry) > _ONE_OFF_HEAD:
            raw, is_wide = entry[_ONE_OFF_HEAD:], entry[_ONE_OFF_HEAD - 1] & 0x80
            text = raw.decode("utf-16-le", "replace") if is_wide else raw.decode("latin-1")
            name, _, address = (*text.split("\0"), "", "")[:3]
            found.append(f"{name} <{address}>" if address and name != address else name)
    return found


_CALENDAR = (
    _Field("start", Properties.moment, 0x0060),
    _Field("start", Properties.moment, 0x820D, _APPOINTMENT),
    _Field("end", Properties.moment, 0x0061),
    _Field("end", Properties.moment, 0x820E, _APPOINTMENT),
    _Field("location", Properties.text, 0x8208, _APPOINTMENT),
    _Field("all_day", Properties.flag, 0x8215, _APPOINTMENT),
    _Field("attendees", Properties.text, 0x8238, _APPOINTMENT),
    _Field("recurrence", Properties.text, 0x8232, _APPOINTMENT),
    _Field("time_zone", Properties.text, 0x8234, _APPOINTMENT),
)
_TASKS = (
    _Field("start", Properties.moment, 0x8104, _TASK),
    _Field("due", Properties.moment, 0x8105, _TASK),
    _Field("completed", Properties.moment, 0x810F, _TASK),
    _Field("status", _task_state, 0x8101, _TASK),
    _Field("percent_complete", _percent, 0x8102, _TASK),
    _Field("owner", Properties.text, 0x811F, _TASK),
)
_CONTACTS = (
    _Field("full_name", Properties.text, 0x3001),
    _Field("given_name", Properties.text, 0x3A06),
    _Field("family_name", Properties.text, 0x3A11),
    _Field("nickname", Properties.text, 0x3A4F),
    _Field("organization", Properties.text, 0x3A16),
    _Field("department", Properties.text, 0x3A18),
    _Field("job_title", Properties.text, 0x3A17),
    _Field("email", Properties.text, 0x8083, _ADDRESS),
    _Field("email_2", Properties.text, 0x8093, _ADDRESS),
    _Field("email_3", Properties.text, 0x80A3, _ADDRESS),
    _Field("phone", Properties.text, 0x3A08),
    _Field("phone_home", Properties.text, 0x3A09),
    _Field("phone_mobile", Properties.text, 0x3A1C),
    _Field("fax", Properties.text, 0x3A24),
    _Field("address", Properties.text, 0x801B, _ADDRESS),
    _Field("address", Properties.text, 0x3A15),
    _Field("address_home", Properties.text, 0x801A, _ADDRESS),
    _Field("instant_messaging", Properties.text, 0x8062, _ADDRESS),
    _Field("url", Properties.text, 0x802B, _ADDRESS),
    _Field("birthday", _day, 0x3A42),
    _Field("file_as", Properties.text, 0x8005, _ADDRESS),
    _Field("members", _members, 0x8054, _ADDRESS),
)
_JOURNAL = (
    _Field("entry_type", Properties.text, 0x8700, _LOG),
    _Field("start", Properties.moment, 0x8706, _LOG),
    _Field("end", Properties.moment, 0x8708, _LOG),
    _Field("duration_minutes", Properties.integer, 0x8707, _LOG),
)
_ANY_ITEM = (
    _Field("companies", Properties.texts, 0x8539, _COMMON),
    _Field("contacts", Properties.texts, 0x853A, _COMMON),
)
_BY_CLASS = {
    "ipm.appointment": _CALENDAR,
    "ipm.schedule": _CALENDAR,
    "ipm.ole.class": _CALENDAR,  # a changed day of a series
    "ipm.task": _TASKS,
    "ipm.contact": _CONTACTS,
    "ipm.distlist": _CONTACTS,
    "ipm.activity": _JOURNAL,
}
_MESSAGE_CLASS = 0x001A


def item_fields(properties: Properties) -> dict[str, MetaValue]:
    """The fields that only items of this class have; none for plain mail."""
    told = properties.text(_MESSAGE_CLASS).lower()
    fields = next((rows for prefix, rows in _BY_CLASS.items() if told.startswith(prefix)), ())
    found: dict[str, MetaValue] = {}
    for field in (*fields, *_ANY_ITEM):
        number = properties.named(field.space, field.number) if field.space else field.number
        value = field.read(properties, number)
        if value:
            found[field.name] = value
    return found


def shown_fields(found: dict[str, MetaValue]) -> str:
    """The fields as lines of text, so that a search for a place or a telephone number finds the item."""
    shown = ((name, ", ".join(value) if isinstance(value, list) else value) for name, value in found.items())
    return "\n".join(f"{name.replace('_', ' ').capitalize()}: {value}" for name, value in shown)
