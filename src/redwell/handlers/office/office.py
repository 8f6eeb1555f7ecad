"""Handler for OpenDocument texts and drawings, packages of unknown programs, and owner files. Runs in a child.

Own readers, because kreuzberg loses words in every one of these; it is asked where they fail.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

from redwell.core.errors import Unsupported
from redwell.core.handler import HandlerSpec, Metadata, Options, Piece, ReadAs, Source, Text
from redwell.core.type_hints import OWNER_FILE
from redwell.handlers.detect.owner_file import owner
from redwell.handlers.office import odf, ooxml
from redwell.handlers.office.flat_odf import flat_odf
from redwell.handlers.structures import kreuzberg_reader
from redwell.handlers.structures.zip_package import Package

_OASIS = "application/vnd.oasis.opendocument."
_SOME_PACKAGE = "application/x-ooxml"  # its parts have unusual names, or are cut off before they could be seen


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    """The document's words, what it says of itself, and the files inside it."""
    with source.open() as file:
        if options.media_type == _SOME_PACKAGE:
            yield ReadAs(media_type=_type_of(Package(file, options)), source=source)
            return
        pieces = _READERS[options.media_type](file, options)
        yield from kreuzberg_reader.where_silent(pieces, source, options.media_type)


def _type_of(package: Package) -> str:
    kind = ooxml.main_content_type(package)
    found = ooxml.media_type(kind)
    if found is None:
        raise Unsupported(f"an OOXML package of type {kind or 'unknown'}")
    return found


def _owner_file(file: BinaryIO, options: Options) -> Iterator[Piece]:
    """Who had the document open that the file lay beside; it holds nothing else."""
    data = file.read()
    name = owner(data, len(data))
    yield Text(text=f"{name}\n")
    yield Metadata(values={"author": name})


_OPEN_DOCUMENTS = (
    *(_OASIS + kind for kind in ("text", "text-template", "text-master", "text-web", "graphics", "graphics-template")),
    *(_OASIS + kind for kind in ("chart", "formula", "image")),
    *("application/vnd.sun.xml." + kind for kind in ("writer", "writer.template", "writer.global", "draw", "math")),
)
_READERS: dict[str, Callable[[BinaryIO, Options], Iterator[Piece]]] = {
    **dict.fromkeys(_OPEN_DOCUMENTS, odf.document),
    **dict.fromkeys((_OASIS + "text-flat-xml", _OASIS + "graphics-flat-xml"), flat_odf),
    OWNER_FILE: _owner_file,
}
SPEC = HandlerSpec(name="office", media_types=frozenset({*_READERS, _SOME_PACKAGE}), version=8, kind="document")
