"""Handler for texts, slides and drawings: LibreOffice makes their PDFs, many in one process. Runs in a child.

Their fields show what they showed last, comments stand on pages behind the others, notes behind their slides.
"""

import zipfile
from collections.abc import Generator, Iterable, Iterator, Sequence
from pathlib import Path

from redwell.core.artifacts import ArtifactKind
from redwell.core.errors import BadInput, InvalidFile
from redwell.core.handler import Artifact, Document, Piece
from redwell.core.work.renderers import spec_of
from redwell.handlers.engines import libreoffice
from redwell.handlers.render.frozen_fields import frozen
from redwell.handlers.render.office_extensions import extension_of
from redwell.handlers.render.office_pages import finished

SPEC = spec_of("office-pdf")
_SLIDES = ("presentation", "powerpoint", "impress")


def extract_many(documents: Sequence[Document], scratch: Path) -> Generator[tuple[int, Piece | BadInput], None, None]:
    """The PDF of each; one that LibreOffice makes none of is invalid, and costs no other anything."""
    whole = [number for number, document in enumerate(documents) if is_whole(document)]
    given = [as_opened(documents[number], scratch / f"frozen-{number}") for number in whole]
    told = 0
    for place, made in libreoffice.to_pdf(given, scratch):
        number = whole[place]
        yield from _damaged(range(told, number))
        yield number, _piece(made, documents[number].options.media_type, scratch)
        told = number + 1
    yield from _damaged(range(told, len(documents)))


def as_opened(document: Document, target: Path) -> libreoffice.Document:
    """With its fields as they were, and the extension of what it is, whatever its name says."""
    return libreoffice.Document(frozen(document.source.path(), target), extension_of(document.options.media_type))


def is_whole(document: Document) -> bool:
    """LibreOffice shows the bytes of a damaged package as if they were words."""
    with document.source.open() as file:
        return file.read(2) != b"PK" or zipfile.is_zipfile(file)


def _damaged(numbers: Iterable[int]) -> Iterator[tuple[int, BadInput]]:
    yield from ((number, InvalidFile("a damaged package: LibreOffice would not find its parts")) for number in numbers)


def _piece(made: Path | None, media_type: str, scratch: Path) -> Piece | BadInput:
    if made is None:
        return InvalidFile("LibreOffice makes no PDF of it: damaged, locked, or of a kind that it can't open")
    try:
        pages = finished(made, scratch, has_notes=any(word in media_type for word in _SLIDES))
    except InvalidFile as error:
        return error
    return Artifact(kind=ArtifactKind.PDF, data=made, media_type="application/pdf", amount=pages)
