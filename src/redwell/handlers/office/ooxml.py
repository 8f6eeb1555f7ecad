"""What all OOXML packages share: properties, main part, embedded files, macros. Runs in a child."""

from collections.abc import Iterator

from redwell.core.errors import InvalidFile, TooLarge
from redwell.core.handler import Metadata, MetaValue, Options, Piece, Trouble
from redwell.core.outcomes import Code
from redwell.handlers.office.pictures import of_package
from redwell.handlers.structures.dates import dated, from_xml
from redwell.handlers.structures.embedded import Embedded, children, unwrap
from redwell.handlers.structures.package_parts import flags
from redwell.handlers.structures.signatures import xml_signatures
from redwell.handlers.structures.xml_text import leaves
from redwell.handlers.structures.zip_package import Package

_OOXML = "application/vnd.openxmlformats-officedocument."
_BY_MAIN_PART = {  # a sign in its content type, and what such a package is
    "word": _OOXML + "wordprocessingml.document",
    "presentation": _OOXML + "presentationml.presentation",
    "powerpoint": _OOXML + "presentationml.presentation",
    "spreadsheet": _OOXML + "spreadsheetml.sheet",
    "excel": _OOXML + "spreadsheetml.sheet",
    "visio": "application/vnd.ms-visio.drawing",
    "xps": "application/vnd.ms-xpsdocument",
}
_CORE = {
    "title": "title",
    "subject": "subject",
    "creator": "author",
    "keywords": "keywords",
    "description": "comments",
    "lastModifiedBy": "last_modified_by",
    "revision": "revision",
    "category": "category",
    "contentStatus": "content_status",
    "language": "stated_language",
}
_CORE_DATES = {"created": "created", "modified": "modified", "lastPrinted": "last_printed"}
_APP = {
    "Company": "company",
    "Manager": "manager",
    "Application": "application",
    "AppVersion": "application_version",
    "Template": "template",
}
_APP_COUNTS = {"Pages": "stated_pages", "Words": "stated_words", "TotalTime": "edit_minutes"}


def properties(package: Package) -> dict[str, MetaValue]:
    """Core, extended and custom properties; raises `InvalidFile` where their parts are damaged."""
    values: dict[str, MetaValue] = {}
    for part, content_type in package.content_types.items():
        if content_type.endswith("core-properties+xml"):
            values |= _core(package, part)
        elif content_type.endswith("extended-properties+xml"):
            values |= _extended(package, part)
        elif content_type.endswith("custom-properties+xml"):
            values |= _custom(package, part)
    return values


def _core(package: Package, part: str) -> dict[str, MetaValue]:
    values: dict[str, MetaValue] = {}
    for name, _, text in leaves(package.open(part)):
        if name in _CORE and text:
            values[_CORE[name]] = text
        elif name in _CORE_DATES and text:
            values |= dated(_CORE_DATES[name], text, from_xml(text))
    return values


def _extended(package: Package, part: str) -> dict[str, MetaValue]:
    values: dict[str, MetaValue] = {}
    for name, _, text in leaves(package.open(part)):
        if name in _APP and text:
            values[_APP[name]] = text
        elif name in _APP_COUNTS and text.isdecimal():
            values[_APP_COUNTS[name]] = int(text)
    return values


def _custom(package: Package, part: str) -> dict[str, MetaValue]:
    values: dict[str, MetaValue] = {}
    value = ""
    for name, attributes, text in leaves(package.open(part)):
        if name == "property" and attributes.get("name"):
            values["custom." + attributes["name"]] = value
            value = ""
        else:
            value = value or text
    return values


def main_part(package: Package) -> str:
    """The document's own part, by the package's relationships."""
    for kind, target in package.relationships("").values():
        if kind in ("officeDocument", "document", "fixedrepresentation") and target in package:
            return target
    raise InvalidFile("the package names no main part, or lacks it")


def main_content_type(package: Package) -> str:
    """The content type of the main part, which says what program wrote the package."""
    wanted = main_part(package).lower()
    return next((kind for name, kind in package.content_types.items() if name.lower() == wanted), "")


def media_type(main_type: str) -> str | None:
    """What a package is whose main part has this content type; None where nobody reads it."""
    return next((found for sign, found in _BY_MAIN_PART.items() if sign in main_type), None)


def has_macros(package: Package) -> bool:
    return any(name.lower().rpartition("/")[2] in ("vbaproject.bin", "vbadata.xml") for name in package.names())


def embedded_parts(package: Package) -> list[str]:
    """Parts that are files of their own, sound and film too; pictures are not."""
    kinds = package.content_types
    return [
        name
        for name in package.names()
        if "/embeddings/" in name.lower()
        or name.lower().rpartition("/")[2].startswith("afchunk")
        or kinds[name].startswith(("audio/", "video/"))
    ]


def around(package: Package, options: Options) -> Iterator[Piece]:
    """Properties, macros and embedded files; damaged properties are a trouble, not the document's end."""
    try:
        yield Metadata(values=properties(package))
    except (InvalidFile, TooLarge) as error:
        yield Trouble(code=Code.METADATA_UNAVAILABLE, detail=str(error), partial=False)
    yield Metadata(values=flags({"has_macros": has_macros(package)}) | xml_signatures.of_office(package))
    files = [_embedded(package, part) for part in embedded_parts(package)]
    yield from children([*files, *of_package(package, options)], options)


def _embedded(package: Package, part: str) -> Embedded:
    name = part.rpartition("/")[2]
    return Embedded(part, name, lambda: unwrap(name, package.open(part).read()))
