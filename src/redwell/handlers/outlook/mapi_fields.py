"""The fields of a MAPI message in the names that mail of every format has. Called by the readers of MSG, TNEF and PST.

What the message says of itself comes first; the header that it came with fills in what it does not say.
"""

import base64
import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from redwell.core.handler import MetaValue
from redwell.handlers.mail.mail_fields import mail_fields
from redwell.handlers.mail.mail_headers import Headers, read_headers
from redwell.handlers.outlook.mapi import Properties
from redwell.handlers.outlook.mapi_items import item_fields

MESSAGE_CLASS, SUBJECT, FLAGS = 0x001A, 0x0037, 0x0E07
_HEADER = 0x007D
_TITLE = re.compile(r"\A(?![!-9;-~]+:)[^\n]*\n")  # "Microsoft Mail Internet Headers Version 2.0"
_PUBLIC_STRINGS = "00020329-0000-0000-c000-000000000046"
_TEXTS = {
    "message_class": (MESSAGE_CLASS,),
    "message_id": (0x1035,),
    "in_reply_to": (0x1042,),
    "thread_topic": (0x0070,),
    "transport_headers": (_HEADER,),
}
_MOMENTS = {"date_received": 0x0E06, "created": 0x3007, "modified": 0x3008}
_SUBMITTED = 0x0039
_RECIPIENTS = {1: ("to", 0x0E04), 2: ("cc", 0x0E03), 3: ("bcc", 0x0E02)}
_IMPORTANCE: dict[int | None, str] = {0: "low", 2: "high"}  # 1 is normal
_SENSITIVITY = {1: "personal", 2: "private", 3: "company-confidential"}
# numbers of a person's name, SMTP address and address of any kind
_AUTHOR = (0x0042, (0x5D02, 0x0065))
_SENDER = (0x0C1A, (0x5D01, 0x0C1F))
_RECIPIENT = (0x3001, (0x39FE, 0x3003))
_MAKER, _MAKER_ADDRESS = 0x3FF8, 0x5D0A
_RECIPIENT_TYPE, _REPLY_NAMES, _THREAD_INDEX, _CONVERSATION = 0x0C15, 0x0050, 0x0071, 0x3013
_UNSENT, _READ = 8, 1


def message_fields(properties: Properties, recipients: Sequence[Properties]) -> dict[str, MetaValue]:
    """Everything a message says of itself; fields that are missing or empty are left out."""
    fields = mail_fields(transport_headers(properties))
    fields |= _filled({"subject": subject(properties)})
    fields |= _filled({name: properties.text(*numbers) for name, numbers in _TEXTS.items()})
    fields |= _filled({name: properties.moment(number) for name, number in _MOMENTS.items()})
    _date(properties.moment(_SUBMITTED), fields)
    fields |= _people(properties, recipients, fields)
    fields |= _thread(properties) | _marks(properties)
    return fields | item_fields(properties)


def _date(submitted: str, fields: dict[str, MetaValue]) -> None:
    """The header's date where it has one with a zone: it is the author's, even if a program stored the message anew."""
    if submitted and ("date" not in fields or fields.get("date_has_zone") is False):
        fields["date"] = submitted
        fields.pop("date_has_zone", None)
    elif submitted and submitted != fields["date"]:
        fields["date_submitted"] = submitted


def transport_headers(properties: Properties) -> Headers:
    """The header that the message came with, where it came from outside."""
    header = _TITLE.sub("", properties.text(_HEADER).replace("\r\n", "\n").lstrip()).encode()
    return read_headers(header, 0, len(header))[0]


def subject(properties: Properties) -> str:
    """The subject; a mark at its start tells programs how long its prefix is."""
    told = properties.text(SUBJECT)
    told = told[2:] if told[:1] == "\x01" else told
    return told or properties.text(0x003D) + properties.text(0x0E1D)


def reported(properties: Properties, recipients: Sequence[Properties]) -> str:
    """What a delivery report says about each recipient; nothing for other messages."""
    if not properties.text(MESSAGE_CLASS).lower().startswith("report."):
        return ""
    lines = ((address(each, _RECIPIENT), each.text(0x1001), each.text(0x0C1B)) for each in recipients)
    return "\n".join(" ".join(filter(None, line)) for line in lines)


def address(
    properties: Properties, numbers: tuple[int, tuple[int, ...]], known: Mapping[str, str] = MappingProxyType({})
) -> str:
    """A person as `Name <address>`; an SMTP address before one of Exchange's own, which `known` may translate."""
    name_number, address_numbers = numbers
    told = [properties.text(number) for number in address_numbers]
    found = next((each for each in told if "@" in each), next(filter(None, told), ""))
    found = known.get(found.lower(), found)
    name = properties.text(name_number).strip()
    if found and f"<{found}>".lower() in name.lower():
        return name
    if name.strip("'\"").lower() == found.lower():
        name = ""
    return f"{name} <{found}>" if name and found else found or name


def _people(
    properties: Properties, recipients: Sequence[Properties], header: dict[str, MetaValue]
) -> dict[str, MetaValue]:
    """Names and addresses; those of the header where the message has only Exchange's own addresses."""
    found = _senders(properties, recipients)
    for recipient in recipients:
        kind = recipient.integer(_RECIPIENT_TYPE)
        row = _RECIPIENTS.get(1 if kind is None else kind & 0xF)
        if row:
            found.setdefault(row[0], []).append(address(recipient, _RECIPIENT))
    for name, number in _RECIPIENTS.values():
        found.setdefault(name, properties.text(number).split(";"))
    found["reply_to"] = properties.text(_REPLY_NAMES).split(";")
    people: dict[str, MetaValue] = {}
    for name, written in found.items():
        told = [person.strip() for person in written if person.strip()]
        in_header = header.get(name)
        is_vague = not all("@" in person for person in told)
        if told and not (is_vague and isinstance(in_header, list) and len(in_header) >= len(told)):
            people[name] = told
    return people


def _senders(properties: Properties, recipients: Sequence[Properties]) -> dict[str, list[str]]:
    """The author, and who sent it in his name; a recipient's row may tell the mail address of an Exchange one."""
    known = {each.text(0x3003).lower(): each.text(0x39FE) for each in recipients if "@" in each.text(0x39FE)}
    # the sender may stand as the author under Exchange's address alone; who made the message mostly sent it, too
    is_maker = properties.text(_MAKER) in ("", properties.text(_SENDER[0]))
    told = (properties.text(number) for number in (0x5D01, *((_MAKER_ADDRESS,) if is_maker else ())))
    if found := next((each for each in told if "@" in each), ""):
        known.setdefault(properties.text(0x0C1F).lower(), found)
    author, sender = (address(properties, numbers, known) for numbers in (_AUTHOR, _SENDER))
    return {"from": [author or sender], "sender": [sender if author and author != sender else ""]}


def _thread(properties: Properties) -> dict[str, MetaValue]:
    index = properties.binary(_THREAD_INDEX)
    references = properties.text(0x1039).split()
    return _filled(
        {
            "references": references,
            "thread_index": base64.b64encode(index).decode() if index else "",
            "conversation_id": properties.binary(_CONVERSATION).hex(),
        }
    )


def _marks(properties: Properties) -> dict[str, MetaValue]:
    flags = properties.integer(FLAGS)
    marks = _filled(
        {
            "importance": _IMPORTANCE.get(properties.integer(0x0017), ""),
            "sensitivity": _SENSITIVITY.get(properties.integer(0x0036) or 0, ""),
            "categories": properties.texts(properties.named(_PUBLIC_STRINGS, "Keywords")),
            "is_draft": bool((flags or 0) & _UNSENT),
        }
    )
    return marks if flags is None else marks | {"is_read": bool(flags & _READ)}


def _filled(values: dict[str, MetaValue]) -> dict[str, MetaValue]:
    return {name: value for name, value in values.items() if value}
