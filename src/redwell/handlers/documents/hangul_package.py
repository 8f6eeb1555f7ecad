"""Handler for Hangul packages (HWPX): sections of XML. Runs in a child."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from redwell.core.errors import InvalidFile, PasswordProtected
from redwell.core.handler import HandlerSpec, Metadata, MetaValue, Options, Piece, Source
from redwell.handlers.office.pictures import of_package
from redwell.handlers.structures.dates import dated, from_xml
from redwell.handlers.structures.embedded import children
from redwell.handlers.structures.package_parts import part_text
from redwell.handlers.structures.xml_text import Grammar, leaves
from redwell.handlers.structures.zip_package import Package

_MEDIA_TYPE = "application/hwp+zip"
SPEC = HandlerSpec(name="hangul-package", media_types=frozenset({_MEDIA_TYPE}), kind="document")
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


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    """The words of every section, in order, and what the document says of itself."""
    with source.open() as file:
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
