"""Handler for OneNote sections: the words of every page, their authors, and files put into pages. Runs in a child."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from redwell.core.errors import InvalidFile
from redwell.core.handler import HandlerSpec, Metadata, MetaValue, Options, Piece, Source, Text, Trouble
from redwell.core.outcomes import Code
from redwell.handlers.documents import onenote_package, onestore
from redwell.handlers.documents.onenote_properties import Properties
from redwell.handlers.documents.onestore import ObjectId, Section
from redwell.handlers.structures.dates import iso
from redwell.handlers.structures.embedded import Embedded, children

SPEC = HandlerSpec(name="onenote", media_types=frozenset({"application/onenote"}), version=2, kind="document")
_TABLE_OF_CONTENTS = bytes.fromhex("a12fff43d9ef764c9ee210ea5722765f")
_FORMAT_AT = 48
_LATEST = 1 << 37  # seconds; what is beyond is no date
# numbers of properties (MS-ONE 2.1.12)
_TEXT, _ASCII_TEXT, _TITLE, _AUTHOR, _FILE_NAME = 0x1C22, 0x3498, 0x1CF3, 0x1D75, 0x1D9C
_CREATED, _CHANGED, _CHANGED_EXACTLY = 0x1D09, 0x1D7A, 0x1D77
# moments are seconds in four bytes or ten-millionths of one in eight
_CLOCKS = {4: (datetime(1980, 1, 1, tzinfo=UTC), 1), 8: (datetime(1601, 1, 1, tzinfo=UTC), 10_000_000)}


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    """The pages' text as the section nests it, titles and authors, then attached files."""
    data = source.read()
    packaged = data[_FORMAT_AT : _FORMAT_AT + 16] == onenote_package.FORMAT
    section = onenote_package.read(data) if packaged else onestore.read(data)
    authors = _said(section, _AUTHOR)
    yield Text(text="".join(f"{line}\n" for line in _lines(section)))
    yield Text(text="".join(f"{author}\n" for author in authors))  # OneNote shows them beside their words
    yield Metadata(values=_fields(data, section, authors))
    if section.damages:
        detail = f"{len(section.damages)} parts of the section are damaged, first: {section.damages[0]}"
        yield Trouble(code=Code.TEXT_UNAVAILABLE, detail=detail)
    yield from children(_files(data, section), options)


def _fields(data: bytes, section: Section, authors: list[str]) -> dict[str, MetaValue]:
    titles = _said(section, _TITLE)
    values: dict[str, MetaValue] = {}
    if titles:
        values = {"title": titles[0], "page_titles": titles}
    if authors:
        values |= {"author": authors[0], "authors": authors}
    values |= _dates(section)
    return values | ({"table_of_contents": True} if data.startswith(_TABLE_OF_CONTENTS) else {})


def _dates(section: Section) -> dict[str, MetaValue]:
    """When the oldest object was made and the youngest changed."""
    created = _moments(section, _CREATED)
    changed = _moments(section, _CHANGED) + _moments(section, _CHANGED_EXACTLY)
    found: dict[str, MetaValue] = {"created": iso(min(created))} if created else {}
    return found | ({"modified": iso(max(changed))} if changed else {})


def _moments(section: Section, number: int) -> list[datetime]:
    found = []
    for value in (each.values[number] for each in section.objects.values() if number in each.values):
        start, parts = _CLOCKS.get(len(value), (None, 1))
        count = int.from_bytes(value, "little")
        if start and 0 < count < _LATEST * parts:
            found.append(start + timedelta(seconds=count // parts))
    return found


def _said(section: Section, number: int) -> list[str]:
    texts = (_text(found.values[number]) for found in section.objects.values() if number in found.values)
    return list(dict.fromkeys(text for text in texts if text))


def _text(value: bytes) -> str:
    return value.decode("utf-16-le", "replace").replace("\0", "").strip()


def _lines(section: Section) -> Iterator[str]:
    """Depth first from the objects that no other refers to; an object is read once, however often it is referred to."""
    referred = {child for found in section.objects.values() for child in found.children}
    waiting = [key for key in reversed(section.objects) if key not in referred]
    waiting = [*reversed(section.objects), *waiting]  # what only circles lead to comes last
    seen: set[ObjectId] = set()
    while waiting:
        key = waiting.pop()
        found = section.objects.get(key)
        if found is None or key in seen:
            continue
        seen.add(key)
        line = _words(found)
        if line:
            yield line
        waiting += reversed(found.children)


def _words(found: Properties) -> str:
    if _TEXT in found.values:
        return _text(found.values[_TEXT])
    return found.values.get(_ASCII_TEXT, b"").decode("cp1252", "replace").replace("\0", "").strip()


def _files(data: bytes, section: Section) -> list[Embedded]:
    """Files that a person attached: pictures on a page have no name of their own."""
    found = []
    for number, properties in enumerate(section.objects.values()):
        if _FILE_NAME in properties.values:
            name = _text(properties.values[_FILE_NAME])
            place = next((section.file_of[child][0] for child in properties.children if child in section.file_of), "")
            found.append(_embedded(data, f"file:{number}", name, section.files.get(place)))
    return found


def _embedded(data: bytes, locator: str, name: str, place: tuple[int, int] | None) -> Embedded:
    def take() -> tuple[str, bytes]:
        if place is None:
            raise InvalidFile("the section does not hold the attached file")
        return name, data[place[0] : place[0] + place[1]]

    return Embedded(locator, name, take)
