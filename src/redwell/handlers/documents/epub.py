"""Handler for EPUB books: text through kreuzberg, else chapter by chapter; the fields ourselves. Runs in a child."""

from collections.abc import Iterator
from pathlib import Path

from redwell.core.errors import InvalidFile, PasswordProtected, TooLarge
from redwell.core.handler import HandlerSpec, Metadata, MetaValue, Options, Piece, Source, Text, Trouble
from redwell.core.outcomes import Code
from redwell.handlers.office.pictures import of_package
from redwell.handlers.structures import kreuzberg_reader
from redwell.handlers.structures.charset import decode
from redwell.handlers.structures.dates import dated, from_xml
from redwell.handlers.structures.embedded import children
from redwell.handlers.structures.html import read_page
from redwell.handlers.structures.xml_text import leaves
from redwell.handlers.structures.zip_package import Package

_MEDIA_TYPE = "application/epub+zip"
SPEC = HandlerSpec(name="epub", media_types=frozenset({_MEDIA_TYPE}), kind="document")
_FIELDS = {
    "title": "title",
    "creator": "author",
    "subject": "keywords",
    "description": "comments",
    "publisher": "publisher",
    "language": "stated_language",
    "identifier": "identifier",
}
_CHAPTERS = (".xhtml", ".html", ".htm")
_LOCKS = "META-INF/encryption.xml"


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    """The whole book as text, and what its package document says of it."""
    with source.open() as file:
        package = Package(file, options)
        _refuse_encrypted(package)
        try:
            yield Metadata(values=_properties(package))
        except (InvalidFile, TooLarge) as error:
            yield Trouble(code=Code.METADATA_UNAVAILABLE, detail=str(error), partial=False)
        file.seek(0)
        yield from _text(package, file.read(), options)
        yield from children(of_package(package, options), options)


def _text(package: Package, data: bytes, options: Options) -> Iterator[Piece]:
    """kreuzberg's text; where it fails or finds no word, that of the chapters one by one."""
    reason = "it found no words"
    try:
        text = kreuzberg_reader.text(data, _MEDIA_TYPE)
        if text.strip():
            yield Text(text=text)
            return
    except InvalidFile as error:
        reason = str(error)
    chapters = [name for name in package.names() if name.lower().endswith(_CHAPTERS)]
    if not chapters:
        raise InvalidFile(reason)
    yield Trouble(code=Code.HANDLER_ERROR, detail=f"read chapter by chapter, because {reason}", partial=False)
    for name in chapters:
        try:
            markup, _ = decode(package.open(name).read())
            yield Text(text=read_page(markup, options.max_text_chars).text + "\n")
        except (InvalidFile, TooLarge) as error:
            yield Trouble(code=Code.TEXT_UNAVAILABLE, detail=f"{name}: {error}")


def _refuse_encrypted(package: Package) -> None:
    """Fonts may be obfuscated in a free book; chapters are encrypted only by a seller."""
    if _LOCKS not in package:
        return
    targets = [attributes.get("URI", "").lower() for _, attributes, _ in leaves(package.open(_LOCKS))]
    if any(target.endswith((".xhtml", ".html", ".htm", ".xml")) for target in targets):
        raise PasswordProtected("the book is encrypted by its seller")


def _properties(package: Package) -> dict[str, MetaValue]:
    found: dict[str, list[str]] = {}
    values: dict[str, MetaValue] = {}
    for part in (name for name in package.names() if name.lower().endswith(".opf")):
        for name, _, text in leaves(package.open(part), until="metadata"):
            if name in _FIELDS and text:
                found.setdefault(_FIELDS[name], []).append(text)
            elif name == "date" and text:
                values |= dated("created", text, from_xml(text))
    return values | {name: "; ".join(texts) for name, texts in found.items()}
