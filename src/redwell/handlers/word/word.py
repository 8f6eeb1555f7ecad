"""Handler for Word documents, old and new, and for RTF. Runs in a child.

Own readers, because kreuzberg loses words in every one of these; it is asked where they fail.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

from redwell.core.errors import InvalidFile, Unsupported
from redwell.core.handler import HandlerSpec, Metadata, Options, Piece, Source, Text, Trouble
from redwell.core.outcomes import Code
from redwell.handlers.office import ole_office, ooxml
from redwell.handlers.office.decryption import decrypted
from redwell.handlers.structures import kreuzberg_reader, rtf
from redwell.handlers.structures.embedded import OLE_MAGIC, children
from redwell.handlers.structures.ole import Compound
from redwell.handlers.structures.package_parts import flags
from redwell.handlers.structures.zip_package import Package
from redwell.handlers.word import rtf_objects, rtf_pictures, word_2003, word_binary, wordml


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    """The document's words, what it says of itself, and the files inside it."""
    with source.open() as file:
        pieces = _READERS[options.media_type](file, options)
        yield from kreuzberg_reader.where_silent(pieces, source, options.media_type)


def _package(file: BinaryIO, options: Options) -> Iterator[Piece]:
    package = Package(file, options)
    yield from wordml.read(package)
    yield from ooxml.around(package, options)


def _binary(file: BinaryIO, options: Options) -> Iterator[Piece]:
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
        text, seen = kreuzberg_reader.text(file.read(), options.media_type), {}
        yield Trouble(code=Code.HANDLER_ERROR, detail=f"read by kreuzberg, because {error}", partial=False)
    yield Text(text=text)
    yield Metadata(values=flags(seen))
    yield from ole_office.around(compound, options)


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


_PACKAGES = (
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.template",
    "application/vnd.ms-word.document.macroenabled.12",
    "application/vnd.ms-word.template.macroenabled.12",
)
_READERS: dict[str, Callable[[BinaryIO, Options], Iterator[Piece]]] = {
    **dict.fromkeys(_PACKAGES, _package),
    "application/vnd.ms-wordml": word_2003.read,
    "application/msword": _binary,
    "application/rtf": _rich_text,
}
SPEC = HandlerSpec(name="word", media_types=frozenset(_READERS), kind="document")
