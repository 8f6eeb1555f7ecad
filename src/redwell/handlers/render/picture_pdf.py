"""Handler for pictures: a page for each frame, without a loss of quality where the format allows. Runs in a child."""

import warnings
from collections.abc import Iterator
from pathlib import Path

from redwell.core.artifacts import ArtifactKind
from redwell.core.errors import InvalidFile
from redwell.core.handler import Artifact, Options, Piece, Source, Trouble
from redwell.core.outcomes import Code
from redwell.core.work.renderers import spec_of
from redwell.handlers.render.joined_pdf import JoinedPdf
from redwell.handlers.render.picture_frames import PICTURE_ERRORS, Frames
from redwell.handlers.render.picture_pages import as_page

SPEC = spec_of("picture-pdf")
_TYPE = "application/pdf"


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    """The PDF, and what of the picture is not in it."""
    joined = JoinedPdf(scratch)
    with warnings.catch_warnings(action="ignore"), source.open() as file:
        frames = Frames(file, options.compression)
        try:
            for picture in frames:
                joined.add(as_page(picture, options.compression))
        except PICTURE_ERRORS as error:
            if not joined.pages:
                raise InvalidFile(f"Pillow: {type(error).__name__}: {error}") from None
            detail = f"the PDF ends before frame {joined.pages + 1}: {type(error).__name__}: {error}"
            yield Trouble(code=Code.FILE_MISSING_OR_INCOMPLETE, detail=detail)
    yield from (Trouble(code=Code.LIMIT_REACHED, detail=said, partial=False) for said in frames.left_out)
    pages = joined.pages
    yield Artifact(kind=ArtifactKind.PDF, data=joined.made(), media_type=_TYPE, amount=pages)
