"""The header of a composed message: who, to whom, when, about what. Called when an item is composed, in a child."""

import re
from base64 import b64encode
from collections.abc import Iterator

from redwell.handlers.mail.mail_headers import Headers, read_headers
from redwell.handlers.outlook.composed_message import address, encoded, listed, one_line, stamp
from redwell.handlers.pst.items import Item
from redwell.handlers.pst.properties import Properties

# property ids: name, address, internet address
_SENDER = (0x0C1A, 0x0C1F, 0x5D01)
_AUTHOR = (0x0042, 0x0065, 0x5D02)
_RECIPIENT = (0x3001, 0x3003, 0x39FE)
_KIND, _SUBJECT, _SUBMITTED, _TRANSPORT = 0x0C15, 0x0037, 0x0039, 0x007D
_LISTS = (("To", 1, 0x0E04), ("Cc", 2, 0x0E03), ("Bcc", 3, 0x0E02))
_IDS = (("Message-ID", 0x1035), ("In-Reply-To", 0x1042), ("References", 0x1039))
_TOPIC, _THREAD, _CLASS = 0x0070, 0x0071, 0x001A
_Words = dict[object, str]
_IMPORTANCE: tuple[str, int, _Words] = ("Importance", 0x0017, {0: "low", 2: "high"})
_SENSITIVITY: tuple[str, int, _Words] = (
    "Sensitivity",
    0x0036,
    {1: "personal", 2: "private", 3: "company-confidential"},
)
_FIELD = re.compile(r"^([!-9;-~]+):([^\n]*(?:\n[ \t][^\n]*)*)", re.M)
_TITLE = re.compile(r"\A\s*Microsoft Mail Internet Headers Version [^\n]*\n")
_LEFT_OUT = re.compile(r"content-.*|mime-version|x-redwell-.*", re.I)


def header_of(item: Item) -> list[tuple[str, str]]:
    """Fields in a fixed order; those that came over the wire and say something else follow as they were."""
    told = item.properties
    wire = _TITLE.sub("", told.text(_TRANSPORT).replace("\r\n", "\n").replace("\r", "\n"))
    sent, _ = read_headers(wire.encode("utf-8", "replace"), 0, len(wire.encode("utf-8", "replace")))
    fields = [*_people(item, sent), ("Subject", encoded(subject_of(told)))]
    if submitted := told.moment(_SUBMITTED):
        fields.append(("Date", stamp(submitted)))
    fields += [(name, one_line(told.text(key))) for name, key in _IDS]
    fields += [
        (name, words.get(told.number(key) if told.kind(key) else None, ""))
        for name, key, words in (_IMPORTANCE, _SENSITIVITY)
    ]
    fields += [("Thread-Topic", encoded(told.text(_TOPIC))), ("Thread-Index", b64encode(told.data(_THREAD)).decode())]
    fields.append(("X-Message-Class", one_line(told.text(_CLASS))))
    fields = [(name, value) for name, value in fields if value]
    return fields + list(_carried(wire, {name.lower() for name, _ in fields}))


def subject_of(told: Properties) -> str:
    """Without the two characters that mark where its prefix ends."""
    raw = told.text(_SUBJECT)
    return one_line(raw[2:] if raw[:1] == "\x01" else raw)


def _people(item: Item, sent: Headers) -> Iterator[tuple[str, str]]:
    author, sender = _address(item.properties, _AUTHOR), _address(item.properties, _SENDER)
    if author and sender.startswith(f"{author} <"):
        author = sender
    if author or sender:
        known = "@" in (author or sender) or "from" not in sent
        yield "From", author or sender if known else sent["from"][0].decode("utf-8", "replace").replace("\n", "\r\n")
    if sender and author and sender != author:
        yield "Sender", sender
    for name, kind, shown in _LISTS:
        found = [_address(each, _RECIPIENT) for each in item.recipients if each.number(_KIND) & 0xF == kind]
        if found:
            yield name, listed(found)
        elif not item.recipients and name.lower() not in sent:
            yield name, "; ".join(encoded(each) for each in item.properties.text(shown).split(";"))


def _address(told: Properties, keys: tuple[int, int, int]) -> str:
    """The internet address before any other."""
    name, own, internet = (told.text(key) for key in keys)
    return address(name, internet or own)


def _carried(wire: str, said: set[str]) -> Iterator[tuple[str, str]]:
    for name, value in _FIELD.findall(wire.split("\n\n", 1)[0]):
        if name.lower() not in said and not _LEFT_OUT.fullmatch(name):
            yield name, value.strip().replace("\n", "\r\n")
