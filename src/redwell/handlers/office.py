"""Handler for text documents: Word, OpenDocument text and drawings, RTF, books, XPS, Visio, HWPX. Runs in a child.

Own readers, because kreuzberg loses words in every one of these but EPUB; it is asked where they fail.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

from redwell.core.errors import InvalidFile, Unsupported
from redwell.core.handler import HandlerSpec, Metadata, Options, Piece, Source, Text, Trouble
from redwell.core.outcomes import Code
from redwell.core.owner_file import MEDIA_TYPE as OWNER_FILE
from redwell.core.owner_file import owner
from redwell.handlers import slides, spreadsheet
from redwell.handlers.documents import (
    drawn_pages,
    epub,
    fiction_book,
    hangul_package,
    markup,
    odf,
    old_office,
    ooxml,
    rtf,
    rtf_objects,
    rtf_pictures,
    second_reader,
    word_binary,
    wordml,
)
from redwell.handlers.documents.decryption import decrypted
from redwell.handlers.documents.embedded import OLE_MAGIC, children
from redwell.handlers.documents.ole import Compound
from redwell.handlers.documents.package import Package
from redwell.handlers.documents.parts import flags

_OASIS = "application/vnd.oasis.opendocument."


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    """The document's words, what it says of itself, and the files inside it."""
    with source.open() as file:
        pieces = _READERS[options.media_type](file, options)
        yield from second_reader.where_silent(pieces, source, options.media_type)


def word_package(file: BinaryIO, options: Options) -> Iterator[Piece]:
    package = Package(file, options)
    yield from wordml.read(package)
    yield from ooxml.around(package, options)


def _some_package(file: BinaryIO, options: Options) -> Iterator[Piece]:
    """An OOXML package whose parts have unusual names, or are cut off before they could be seen."""
    kind = ooxml.main_content_type(Package(file, options))
    reader = package_reader(kind)
    if reader is None:
        raise Unsupported(f"an OOXML package of type {kind or 'unknown'}")
    yield from reader(file, options)


def _visio(file: BinaryIO, options: Options) -> Iterator[Piece]:
    package = Package(file, options)
    yield from drawn_pages.visio(package)
    yield from ooxml.around(package, options)


def _xps(file: BinaryIO, options: Options) -> Iterator[Piece]:
    package = Package(file, options)
    yield from drawn_pages.xps(package)
    yield from ooxml.around(package, options)


def _word_markup(file: BinaryIO, options: Options) -> Iterator[Piece]:
    yield from markup.word_2003(file)


def _word_binary(file: BinaryIO, options: Options) -> Iterator[Piece]:
    if file.read(8) != OLE_MAGIC:
        raise Unsupported("a Word document from before 1993")
    compound = Compound(file)
    if word_binary.is_encrypted(compound):
        compound = Compound(decrypted(file, options.passwords))
        yield Metadata(values={"encrypted": True})
    try:
        text, seen = word_binary.read(compound)
    except InvalidFile as error:
        file.seek(0)
        text, seen = second_reader.text(file.read(), options.media_type), {}
        yield Trouble(code=Code.HANDLER_ERROR, detail=f"read by kreuzberg, because {error}", partial=False)
    yield Text(text=text)
    yield Metadata(values=flags(seen))
    yield from old_office.around(compound, options)


def _owner_file(file: BinaryIO, options: Options) -> Iterator[Piece]:
    """Who had the document open that the file lay beside; it holds nothing else."""
    data = file.read()
    name = owner(data, len(data))
    yield Text(text=f"{name}\n")
    yield Metadata(values={"author": name})


def _rich_text(file: BinaryIO, options: Options) -> Iterator[Piece]:
    data = file.read()
    document = rtf.read(data)
    yield Text(text=document.text)
    yield Metadata(values=document.properties)
    seen = {
        "has_tracked_changes": bool(document.noticed & {"deleted", "revised"}),
        "has_hidden": "v" in document.noticed,
        "has_hidden_text": "v" in document.noticed,
        "has_comments": "annotation" in document.noticed,
    }
    yield Metadata(values=flags(seen))
    yield from children([*rtf_objects.embedded(document.objects), *rtf_pictures.pictures(data, options)], options)


_BY_MAIN_PART: dict[str, Callable[[BinaryIO, Options], Iterator[Piece]]] = {
    "word": word_package,
    "presentation": slides.slide_package,
    "powerpoint": slides.slide_package,
    "spreadsheet": spreadsheet.workbook_package,
    "excel": spreadsheet.workbook_package,
    "visio": _visio,
    "xps": _xps,
}


def package_reader(kind: str) -> Callable[[BinaryIO, Options], Iterator[Piece]] | None:
    """Who reads a package whose main part has this content type."""
    return next((reader for sign, reader in _BY_MAIN_PART.items() if sign in kind), None)


_WORD_PACKAGES = (
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.template",
    "application/vnd.ms-word.document.macroenabled.12",
    "application/vnd.ms-word.template.macroenabled.12",
)
_OPEN_DOCUMENTS = (
    *(_OASIS + kind for kind in ("text", "text-template", "text-master", "text-web", "graphics", "graphics-template")),
    *(_OASIS + kind for kind in ("chart", "formula", "image")),
    *("application/vnd.sun.xml." + kind for kind in ("writer", "writer.template", "writer.global", "draw", "math")),
)
_READERS: dict[str, Callable[[BinaryIO, Options], Iterator[Piece]]] = {
    **dict.fromkeys(_WORD_PACKAGES, word_package),
    **dict.fromkeys(_OPEN_DOCUMENTS, odf.document),
    **dict.fromkeys((_OASIS + "text-flat-xml", _OASIS + "graphics-flat-xml"), markup.flat_odf),
    "application/x-ooxml": _some_package,
    "application/vnd.ms-visio.drawing": _visio,
    "application/vnd.ms-xpsdocument": _xps,
    "application/vnd.ms-wordml": _word_markup,
    "application/msword": _word_binary,
    "application/rtf": _rich_text,
    epub.MEDIA_TYPE: epub.read,
    fiction_book.MEDIA_TYPE: fiction_book.read,
    OWNER_FILE: _owner_file,
    hangul_package.MEDIA_TYPE: hangul_package.read,
}
SPEC = HandlerSpec(name="office", media_types=frozenset(_READERS), version=7, kind="document")
