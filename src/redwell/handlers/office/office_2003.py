"""Reads what Word and Excel write as one XML stream (Office 2003). Called by their handlers in a child."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import BinaryIO

from redwell.core.errors import InvalidFile
from redwell.core.handler import Metadata, MetaValue, Piece
from redwell.handlers.structures.dates import dated, from_xml
from redwell.handlers.structures.package_parts import flags, streamed
from redwell.handlers.structures.xml_text import XmlText, leaves

_CHUNK = 1 << 20
_PROPERTIES = {
    "Title": "title",
    "Subject": "subject",
    "Author": "author",
    "LastAuthor": "last_modified_by",
    "Keywords": "keywords",
    "Company": "company",
}
_PROPERTY_DATES = {"Created": "created", "LastSaved": "modified"}


def read(file: BinaryIO, reader: XmlText, signs: Mapping[str, re.Pattern[bytes]]) -> Iterator[Piece]:
    """Text, properties and what is hidden; a sign is a field that is true where its pattern is met."""
    yield Metadata(values=_properties(file))
    file.seek(0)
    yield from streamed(file, reader, Counter())
    file.seek(0)
    found = _signs(file, signs)
    hides = any(name.startswith("has_hidden") for name in found)
    yield Metadata(values=flags(dict.fromkeys(found, True) | {"has_hidden": hides}))


def _signs(file: BinaryIO, signs: Mapping[str, re.Pattern[bytes]]) -> set[str]:
    found: set[str] = set()
    window = b""
    while chunk := file.read(_CHUNK):
        whole = window + chunk
        found |= {name for name, sign in signs.items() if sign.search(whole)}
        window = whole[-_CHUNK:][whole[-_CHUNK:].rfind(b"<") :]
    return found


def _properties(file: BinaryIO) -> dict[str, MetaValue]:
    values: dict[str, MetaValue] = {}
    try:
        found = leaves(file, until="DocumentProperties", most=200)
    except InvalidFile:
        return values  # the text is read next and says what is damaged
    for name, _, text in found:
        if name in _PROPERTIES and text:
            values[_PROPERTIES[name]] = text
        elif name in _PROPERTY_DATES and text:
            values |= dated(_PROPERTY_DATES[name], text, from_xml(text))
    return values
