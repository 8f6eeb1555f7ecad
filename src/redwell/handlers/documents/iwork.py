"""Handler for Pages, Numbers and Keynote documents, XML ones to 2009 and packed ones since 2013. Runs in a child."""

import io
import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from redwell.core.errors import InvalidFile, PasswordProtected
from redwell.core.handler import HandlerSpec, Metadata, MetaValue, Options, Pages, Piece, Source, Text, Trouble
from redwell.core.outcomes import Code
from redwell.handlers.documents.iwa import Message, byte_fields, fields, messages
from redwell.handlers.documents.iwork_cells import TABLE, table_rows
from redwell.handlers.structures.package_parts import flags, part_text
from redwell.handlers.structures.xml_text import Grammar, leaves
from redwell.handlers.structures.zip_package import ZIP_ERRORS, Package

SPEC = HandlerSpec(
    name="iwork",
    media_types=frozenset(f"application/vnd.apple.{kind}" for kind in ("keynote", "numbers", "pages", "iwork")),
    kind="document",
)
_XML_PARTS = ("index.xml", "index.apxl")
_XML = Grammar(
    text=frozenset({"p"}),
    after={"p": "\n", "br": "\n", "lnbr": "\n", "tab": "\t", "ct": "\n", "n": "\n"},
    said={"ct": "s", "n": "v"},
    skip=frozenset(
        {"stylesheet", "theme-list", "prototypes", "section-prototypes", "master-slides", "metadata", "menu-choices"}
    ),
    notice=frozenset({"slide", "notes", "comment", "annotation", "changed"}),
)
_PROPERTIES = {
    "title": "title",
    "authors": "author",
    "keywords": "keywords",
    "comment": "comments",
    "copyright": "copyright",
}
_ENCRYPTED_METHODS = {0x636B, 0x636C}  # Apple's own numbers for members that a password protects
_STORAGE = 2001  # the kind of object that holds running text
_SLIDE = 5


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    """Text, tables and what the document says of itself."""
    with source.open() as file:
        _refuse_encrypted(file)
        package = Package(file, options)
        part = next((name for name in _XML_PARTS if name in package), None)
        yield from _xml(package, part) if part else _packed(_inner(package, options), options)


def _refuse_encrypted(file: BinaryIO) -> None:
    try:
        infos = zipfile.ZipFile(file).infolist()
    except ZIP_ERRORS as error:
        raise InvalidFile(f"the package cannot be opened: {error}") from None
    if any(info.compress_type in _ENCRYPTED_METHODS or info.filename.endswith(".iwpv2") for info in infos):
        raise PasswordProtected("the document is encrypted")


def _xml(package: Package, part: str) -> Iterator[Piece]:
    try:
        yield Metadata(values=_properties(package, part))
    except InvalidFile as error:
        yield Trouble(code=Code.METADATA_UNAVAILABLE, detail=str(error), partial=False)
    noticed: Counter[str] = Counter()
    yield from part_text(package, part, _XML, noticed)
    if noticed["slide"]:
        yield Pages(count=noticed["slide"])
    yield Metadata(values=flags({"has_notes": bool(noticed["notes"]), "has_tracked_changes": bool(noticed["changed"])}))


def _properties(package: Package, part: str) -> dict[str, MetaValue]:
    """A property is an element whose strings are attributes of elements inside it."""
    values: dict[str, MetaValue] = {}
    said: list[str] = []
    for name, attributes, _ in leaves(package.open(part), until="metadata"):
        if name == "string":
            said.append(attributes.get("string", ""))
        elif name in _PROPERTIES:
            values |= {_PROPERTIES[name]: "; ".join(filter(None, said))} if any(said) else {}
        if name not in ("string", "array"):
            said = []
    return values


def _inner(package: Package, options: Options) -> Package:
    """Documents that were a folder keep their archives in a package of their own."""
    if "Index.zip" not in package:
        return package
    return Package(io.BytesIO(package.open("Index.zip").read()), options)


def _packed(package: Package, options: Options) -> Iterator[Piece]:
    archives = [name for name in package.names() if name.endswith(".iwa")]
    if not archives:
        raise InvalidFile("the document has neither an index nor archives")
    objects: dict[int, Message] = {}
    for name in archives:
        try:
            for message in messages(package.open(name).read(), options.max_member_bytes):
                objects[message.number] = message
        except InvalidFile as error:
            yield Trouble(code=Code.TEXT_UNAVAILABLE, detail=f"{name}: {error}")
    yield from _storages(objects)
    yield from _tables(objects)
    slides = sum(message.kind == _SLIDE for message in objects.values())
    if any(name.startswith("Index/Slide") for name in archives) and slides:
        yield Pages(count=slides)


def _storages(objects: dict[int, Message]) -> Iterator[Piece]:
    for message in objects.values():
        if message.kind == _STORAGE:
            try:
                said = b"".join(byte_fields(fields(message.payload), 3)).decode("utf-8", "replace")
            except (ValueError, IndexError):
                yield Trouble(code=Code.TEXT_UNAVAILABLE, detail="a text of the document is damaged")
                continue
            if said.strip("\ufffc\n "):
                yield Text(text=said.replace("\ufffc", "").rstrip("\n") + "\n")


def _tables(objects: dict[int, Message]) -> Iterator[Piece]:
    for message in objects.values():
        if message.kind != TABLE:
            continue
        try:
            for row in table_rows(message, objects):
                yield Text(text="\t".join(row) + "\n")
        except (ValueError, IndexError) as error:
            yield Trouble(code=Code.TEXT_UNAVAILABLE, detail=f"a table is damaged: {error}")
