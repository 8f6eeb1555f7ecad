"""Handler for presentations: PowerPoint old and new, OpenDocument. Runs in a child."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

from redwell.core.errors import InvalidFile, Unsupported
from redwell.core.handler import HandlerSpec, Metadata, Options, Pages, Piece, Source, Text, Trouble
from redwell.core.outcomes import Code
from redwell.handlers.office import odf, ole_office, ooxml
from redwell.handlers.office.decryption import decrypted
from redwell.handlers.office.flat_odf import flat_odf
from redwell.handlers.slides import powerpoint_binary, presentationml
from redwell.handlers.structures import kreuzberg_reader
from redwell.handlers.structures.ole import Compound
from redwell.handlers.structures.package_parts import flags
from redwell.handlers.structures.zip_package import Package

_OOXML = "application/vnd.openxmlformats-officedocument.presentationml."
_POWERPOINT = "application/vnd.ms-powerpoint."
_OASIS = "application/vnd.oasis.opendocument."


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    """The words of every slide with its notes, how many slides, and the files inside."""
    with source.open() as file:
        pieces = _READERS[options.media_type](file, options)
        yield from kreuzberg_reader.where_silent(pieces, source, options.media_type)


def _package(file: BinaryIO, options: Options) -> Iterator[Piece]:
    package = Package(file, options)
    yield from presentationml.read(package)
    yield from ooxml.around(package, options)


def _binary(file: BinaryIO, options: Options) -> Iterator[Piece]:
    compound = Compound(file)
    if "PowerPoint Document" not in compound:
        raise Unsupported("a presentation from before PowerPoint 97")
    if powerpoint_binary.is_encrypted(compound):
        compound = Compound(decrypted(file, options.passwords))
        yield Metadata(values={"encrypted": True})
    try:
        presentation = powerpoint_binary.read(compound)
    except InvalidFile as error:
        file.seek(0)
        yield Text(text=kreuzberg_reader.text(file.read(), options.media_type))
        yield Trouble(code=Code.HANDLER_ERROR, detail=f"read by kreuzberg, because {error}")
        yield from ole_office.around(compound, options)
        return
    yield Text(text=presentation.text)
    yield Pages(count=presentation.slides)
    hidden = presentation.hidden_slides
    found = {"has_notes": presentation.has_notes, "has_comments": presentation.has_comments, "has_hidden": bool(hidden)}
    yield Metadata(values={**flags(found), **({"hidden_slides": hidden} if hidden else {})})
    yield from ole_office.around(compound, options, presentation.embedded)


_READERS: dict[str, Callable[[BinaryIO, Options], Iterator[Piece]]] = {
    **dict.fromkeys((_OOXML + kind for kind in ("presentation", "slideshow", "template")), _package),
    **dict.fromkeys(
        (_POWERPOINT + kind + ".macroenabled.12" for kind in ("presentation", "slideshow", "template")), _package
    ),
    **dict.fromkeys((_OASIS + "presentation", _OASIS + "presentation-template"), odf.document),
    **dict.fromkeys(("application/vnd.sun.xml.impress", "application/vnd.sun.xml.impress.template"), odf.document),
    _OASIS + "presentation-flat-xml": flat_odf,
    "application/vnd.ms-powerpoint": _binary,
}
SPEC = HandlerSpec(name="slides", media_types=frozenset(_READERS), version=5, kind="slides")
