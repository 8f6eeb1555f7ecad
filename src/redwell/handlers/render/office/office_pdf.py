"""Handler for texts, slides and drawings: LibreOffice makes their PDFs, many in one process. Runs in a child.

Their fields show what they showed last, comments stand on pages behind the others, notes behind their slides.
"""

from collections.abc import Generator, Sequence
from pathlib import Path

from redwell.core.artifacts import ArtifactKind
from redwell.core.errors import BadInput, InvalidFile
from redwell.core.handler import Artifact, Document, Piece
from redwell.core.work.renderers import spec_of
from redwell.handlers.engines import libreoffice
from redwell.handlers.render.office.office_opening import opened
from redwell.handlers.render.office.office_pages import finished

SPEC = spec_of("office-pdf")
_SLIDES = ("presentation", "powerpoint", "impress")


def extract_many(documents: Sequence[Document], scratch: Path) -> Generator[tuple[int, Piece | BadInput], None, None]:
    """The PDF of each; one that LibreOffice makes none of is invalid, and costs no other anything."""
    given = opened(documents, scratch)
    whole = [each for each in given.values() if not isinstance(each, BadInput)]
    made = libreoffice.to_pdf(whole, scratch, documents[0].options.compression)  # it is the same for all of a case
    for number, each in given.items():
        if isinstance(each, BadInput):
            yield number, each
        else:
            yield number, _piece(next(made)[1], documents[number].options.media_type, scratch)


def _piece(made: Path | None, media_type: str, scratch: Path) -> Piece | BadInput:
    if made is None:
        return InvalidFile("LibreOffice makes no PDF of it: damaged, or of a kind that it can't open")
    try:
        pages = finished(made, scratch, has_notes=any(word in media_type for word in _SLIDES))
    except InvalidFile as error:
        return error
    return Artifact(kind=ArtifactKind.PDF, data=made, media_type="application/pdf", amount=pages)
