"""Handler that reads the pages which were given with a record of a load file. Runs in a child of the ocr profile.

Pages are counted as the PDF of the same list counts them (handlers.render.page_list_pdf).
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from redwell.core.errors import BadInput, Unsupported
from redwell.core.handler import Options, Piece, Source, Trouble
from redwell.core.loadfiles.assembly import Part, read_header
from redwell.core.outcomes import Code
from redwell.core.work.renderers import spec_of
from redwell.handlers.ocr.page_rendering import rendered
from redwell.handlers.ocr.picture_pages import PicturePages
from redwell.handlers.ocr.picture_reading import Shown, as_shown
from redwell.handlers.pdf.pdf_opening import PDF_ERRORS, OpenPdf
from redwell.handlers.structures.part_source import PartSource
from redwell.handlers.structures.pictures.picture_opening import PILLOW_ERRORS, open_picture

SPEC = spec_of("ocr-page-list")
_LAST = 1_000_000


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    """The pages of the range that is asked for; one that can't be opened is told, and the others are read."""
    if not options.volumes:
        raise Unsupported("it is a list of pages, and none came with it")
    parts = read_header(PartSource(source, options, 0, scratch).read()).parts
    wanted = range(max(1, options.first_page), (options.last_page or _LAST) + 1)
    pages, at = PicturePages(options), 0
    for number, part in enumerate(parts, 1):
        if part.number and at + 1 not in wanted:
            at += 1
            continue
        try:
            for shown in _pictures(PartSource(source, options, number, scratch), part, options):
                at += 1
                if at in wanted:
                    yield from pages.page(_turned(shown, part.turn), at)
        except (BadInput, *PILLOW_ERRORS, *PDF_ERRORS) as error:
            yield Trouble(code=Code.OCR_FAILED, detail=f"page {at + 1} ({part.name}): {error}")
    yield from pages.end(scratch)


def _pictures(source: PartSource, part: Part, options: Options) -> Iterator[Shown]:
    """All pages of the file, or the one that the part is."""
    with source.open() as file:
        is_pdf = file.read(5) == b"%PDF-"
    return _of_pdf(source, part, options) if is_pdf else _of_picture(source, part)


def _of_pdf(source: PartSource, part: Part, options: Options) -> Iterator[Shown]:
    opened = OpenPdf(source, ())
    try:
        for at in [part.number - 1] if part.number else range(len(opened.pages)):
            page = opened.pages[at]
            picture, dpi = rendered(page, options.ocr_dpi)
            page.close()
            yield Shown(picture, dpi, True)
    finally:
        opened.close()


def _of_picture(source: PartSource, part: Part) -> Iterator[Shown]:
    with source.open() as file, open_picture(file) as picture:
        for frame in [part.number] if part.number else range(1, getattr(picture, "n_frames", 1) + 1):
            if frame > 1:
                picture.seek(frame - 1)
            yield as_shown(picture)


def _turned(shown: Shown, turns: int) -> Shown:
    """Clockwise by quarters."""
    picture: Any = shown.picture
    return shown._replace(picture=picture.rotate(-90 * (turns % 4), expand=True)) if turns % 4 else shown
