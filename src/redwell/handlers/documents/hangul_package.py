"""Reads Hangul packages (HWPX): sections of XML. Called by the document handler in a child."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import BinaryIO

from redwell.core.errors import InvalidFile, PasswordProtected
from redwell.core.handler import Metadata, MetaValue, Options, Piece
from redwell.handlers.documents.dates import dated, from_xml
from redwell.handlers.documents.embedded import children
from redwell.handlers.documents.package import Package
from redwell.handlers.documents.parts import part_text
from redwell.handlers.documents.pictures import of_package
from redwell.handlers.documents.xml_text import Grammar, leaves

MEDIA_TYPE = "application/hwp+zip"
_SECTION = re.compile(r"Contents/section(\d+)\.xml", re.I)
_WORDS = Grammar(
    text=frozenset({"t"}), after={"p": "\n", "tr": "\n", "tab": "\t", "lineBreak": "\n"}, cells=frozenset({"tc"})
)
_FIELDS = {
    "title": "title",
    "creator": "author",
    "subject": "subject",
    "description": "comments",
    "lastsaveby": "last_modified_by",
    "keyword": "keywords",
}
_DATES = {"CreatedDate": "created", "ModifiedDate": "modified"}


def read(file: BinaryIO, options: Options) -> Iterator[Piece]:
    """The words of every section, in order, and what the document says of itself."""
    package = Package(file, options)
    sections = sorted((int(found[1]), name) for name in package.names() if (found := _SECTION.fullmatch(name)))
    if _is_encrypted(package):
        raise PasswordProtected("the document is encrypted")
    if not sections:
        raise InvalidFile("the document has no section")
    yield Metadata(values=_properties(package))
    for _, name in sections:
        yield from part_text(package, name, _WORDS, Counter())
    yield from children(of_package(package, options), options)


def _is_encrypted(package: Package) -> bool:
    manifest = "META-INF/manifest.xml"
    return manifest in package and any(name == "encryption-data" for name, _, _ in leaves(package.open(manifest)))


def _properties(package: Package) -> dict[str, MetaValue]:
    part = "Contents/content.hpf"
    values: dict[str, MetaValue] = {}
    for name, attributes, text in leaves(package.open(part), until="metadata") if part in package else ():
        told = attributes.get("name", "") if name == "meta" else name
        if told in _FIELDS and text:
            values[_FIELDS[told]] = text
        elif told in _DATES and text:
            values |= dated(_DATES[told], text, from_xml(text))
    return values
