"""Calendar files (iCalendar, vCalendar): appointments, tasks and journal entries. Runs in a child."""

import re
from collections.abc import Iterator
from pathlib import Path

from redwell.core.handler import HandlerSpec, Metadata, MetaValue, Options, Piece, Source, Text, Trouble
from redwell.core.outcomes import Code
from redwell.handlers.mail.content_lines import Line, files, read_lines

SPEC = HandlerSpec(name="calendar", media_types=frozenset(("text/calendar",)), kind="calendar")
_ITEMS = frozenset(("VEVENT", "VTODO", "VJOURNAL", "VFREEBUSY"))
_NAMES = {
    "SUMMARY": "title",
    "DTSTART": "start",
    "DTEND": "end",
    "DUE": "due",
    "COMPLETED": "completed",
    "LOCATION": "location",
    "STATUS": "status",
    "RRULE": "recurrence",
    "UID": "uid",
    "CREATED": "created",
    "LAST-MODIFIED": "modified",
    "PERCENT-COMPLETE": "percent_complete",
    "CLASS": "sensitivity",
    "URL": "url",
}
_DATES = frozenset(("DTSTART", "DTEND", "DUE", "COMPLETED", "CREATED", "LAST-MODIFIED", "DTSTAMP", "RECURRENCE-ID"))
_PEOPLE = {"ORGANIZER": "organizer", "ATTENDEE": "attendees"}
_LISTS = {"CATEGORIES": "categories"}
_NOT_SHOWN = frozenset(("BEGIN", "END", "VERSION", "PRODID", "DTSTAMP", "SEQUENCE", "TRANSP", "UID"))
_DATE = re.compile(r"(\d{4})-?(\d\d)-?(\d\d)(?:T(\d\d):?(\d\d):?(\d\d)?(?:\.\d+)?(Z)?)?")


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    """Fields of the first item, the lines of all of them as text, and files that are kept inside."""
    lines = list(read_lines(source.read()))
    own = list(_items(lines)) or [lines]
    yield Metadata(values=_fields(lines, own))
    text = "\n\n".join("\n".join(_shown(line) for line in item if line.name not in _NOT_SHOWN) for item in own)
    yield Text(text=text[: options.max_text_chars])
    if lines and lines[-1].name != "END":
        yield Trouble(code=Code.FILE_MISSING_OR_INCOMPLETE, detail="the calendar is cut off: it has no end")
    yield from files([line for item in own for line in item], options)


def _items(lines: list[Line]) -> Iterator[list[Line]]:
    """The properties of each item without those of its alarms; time zones are no items."""
    path: list[str] = []
    item: list[Line] = []
    for line in lines:
        if line.name == "BEGIN":
            path.append(line.raw.upper())
            item = [] if path[-1] in _ITEMS else item
        elif line.name == "END":
            if path and path.pop() in _ITEMS:
                yield item
                item = []
        elif path and path[-1] in _ITEMS:
            item.append(line)
    if item:
        yield item


def _fields(lines: list[Line], items: list[list[Line]]) -> dict[str, MetaValue]:
    first = items[0] if items else []
    found: dict[str, MetaValue] = {"items": len(items)}
    method = next((line.raw for line in lines if line.name == "METHOD"), "")
    people: dict[str, list[str]] = {}
    for line in first:
        if line.name in _PEOPLE:
            people.setdefault(_PEOPLE[line.name], []).append(_person(line))
        elif line.name in _LISTS:
            people.setdefault(_LISTS[line.name], []).extend(each.strip() for each in line.text.split(","))
        elif line.name in _NAMES and _NAMES[line.name] not in found:
            found[_NAMES[line.name]] = _moment(line.raw) if line.name in _DATES else line.text
    start = next((line for line in first if line.name == "DTSTART"), None)
    found |= people | {
        "method": method.lower(),
        "time_zone": start.parameters.get("TZID", "") if start else "",
        "all_day": bool(start and re.fullmatch(r"\d{4}-?\d\d-?\d\d", start.raw)),
    }
    return {name: value for name, value in found.items() if value}


def _shown(line: Line) -> str:
    value = line.text
    if line.name in _DATES:
        value = " ".join(filter(None, (_moment(line.raw), line.parameters.get("TZID", ""))))
    elif line.name in _PEOPLE:
        value = _person(line)
    return f"{line.name.replace('-', ' ').capitalize()}: {value}"


def _person(line: Line) -> str:
    """`Name <address>`, as mail has it."""
    address = re.sub(r"^mailto:", "", line.text.strip(), flags=re.I)
    name = line.parameters.get("CN", "")
    return f"{name} <{address}>" if name and name.lower() != address.lower() else address


def _moment(raw: str) -> str:
    """ISO 8601: in UTC where the calendar says so, without a zone otherwise; what is no date stays as it is."""
    found = _DATE.fullmatch(raw.strip())
    if not found:
        return raw
    year, month, day, hour, minute, second, zone = found.groups()
    date = f"{year}-{month}-{day}"
    return f"{date}T{hour}:{minute}:{second or '00'}{zone or ''}" if hour else date
