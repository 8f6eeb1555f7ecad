"""Handler for pages that were given with a record: one PDF of them, each as it is. Runs in a child."""

import io
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from redwell.core.artifacts import ArtifactKind
from redwell.core.compression import Compression
from redwell.core.errors import BadInput, InvalidFile, Unsupported
from redwell.core.handler import Artifact, Options, Piece, Source, Trouble
from redwell.core.loadfiles.assembly import Part, read_header
from redwell.core.outcomes import Code
from redwell.core.work.renderers import spec_of
from redwell.handlers.render.joined_pdf import JoinedPdf
from redwell.handlers.render.picture_frames import PICTURE_ERRORS, Frames
from redwell.handlers.render.picture_pages import as_page
from redwell.handlers.structures.part_source import PartSource

SPEC = spec_of("page-list-pdf")
_TYPE = "application/pdf"


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    if not options.volumes:
        raise Unsupported("it is a list of pages, and none came with it")
    parts = read_header(PartSource(source, options, 0, scratch).read()).parts
    joined = JoinedPdf(scratch)
    for number, part in enumerate(parts, 1):
        try:
            _add(joined, PartSource(source, options, number, scratch), part, options.compression)
        except (BadInput, *PICTURE_ERRORS) as error:
            detail = f"page {number} ({part.name}) is not in the PDF: {error}"
            yield Trouble(code=Code.PDF_UNAVAILABLE, detail=detail, partial=False)
    if not joined.pages:
        raise InvalidFile("none of its pages could be read")
    pages = joined.pages
    yield Artifact(kind=ArtifactKind.PDF, data=joined.made(), media_type=_TYPE, amount=pages)


def _add(joined: JoinedPdf, source: PartSource, part: Part, compression: Compression) -> None:
    """All of the file, or the one page of it that the part is."""
    with source.open() as file:
        if file.read(5) == b"%PDF-":
            _add_pdf(joined, source, part)
            return
    with warnings.catch_warnings(action="ignore"), source.open() as file:
        for frame, picture in enumerate(Frames(file, compression), 1):
            if part.number in (0, frame):
                joined.add(_turned(as_page(picture, compression), part.turn))


def _add_pdf(joined: JoinedPdf, source: PartSource, part: Part) -> None:
    import pikepdf

    try:
        with pikepdf.open(io.BytesIO(source.read())) as whole:
            pages = list(whole.pages) if not part.number else [whole.pages[part.number - 1]]
            joined.add(_saved(pages, part.turn), len(pages))
    except (pikepdf.PdfError, IndexError, pikepdf.PasswordError) as error:
        raise InvalidFile(f"{type(error).__name__}: {error}") from None


def _turned(page: bytes, turns: int) -> bytes:
    if not turns % 4:
        return page
    import pikepdf

    with pikepdf.open(io.BytesIO(page)) as one:
        return _saved(list(one.pages), turns)


def _saved(pages: list[Any], turns: int) -> bytes:
    import pikepdf

    made = io.BytesIO()
    with pikepdf.new() as whole:
        whole.pages.extend(pages)
        for page in whole.pages if turns % 4 else ():
            page.rotate(90 * (turns % 4), relative=True)
        whole.save(made, deterministic_id=True)
    return made.getvalue()
