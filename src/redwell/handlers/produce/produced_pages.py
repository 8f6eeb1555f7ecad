"""Handler that makes the pages that go out: what is hidden burned in, a number in an added margin. Runs in a child.

It is asked for by name, with an order (core.production.orders); nobody else takes its work.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from redwell.core.artifacts import ArtifactKind
from redwell.core.handler import Artifact, HandlerSpec, Options, Pages, Piece, Source, Trouble
from redwell.core.outcomes import Code
from redwell.core.production.orders import PAGES_ENGINE, PrintOrder, print_order
from redwell.core.work.kinds import TaskType
from redwell.handlers.pdf.pdf_opening import OpenPdf
from redwell.handlers.produce.burning import burned
from redwell.handlers.produce.page_files import PageFile, file_of, pdf_of
from redwell.handlers.produce.stamping import note_page, stamped

SPEC = HandlerSpec(
    name=PAGES_ENGINE, media_types=frozenset({"application/pdf"}), task=TaskType.RENDER_PAGE_IMAGES, version=1
)
_MOST_PIXELS = 50_000_000


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    """A file for each number of the order, or a PDF of them all; a page that can't be drawn says so on itself."""
    order = print_order(options.order)
    opened = OpenPdf(source, options.passwords)
    try:
        opened.pages.init_forms()
        count = len(opened.pages)
        yield Pages(count=count)
        made: list[PageFile] = []
        for at, number in enumerate(order.numbers):
            page = options.first_page + at
            picture, trouble = _picture(opened.pages, min(page, count), order)
            if trouble:
                yield Trouble(code=Code.HANDLER_ERROR, detail=f"page {page} could not be drawn: {trouble}")
            file = file_of(stamped(picture, number, order), order.dpi)
            if order.form == "pdf":
                made.append(file)
            else:
                yield Artifact(kind=ArtifactKind.PAGE_IMAGE, data=file.data, media_type=file.media_type, number=page)
        if made:
            yield Artifact(
                kind=ArtifactKind.PDF, data=pdf_of(made), media_type="application/pdf", number=0, amount=len(made)
            )
    finally:
        opened.close()


def _picture(pages: Any, number: int, order: PrintOrder) -> tuple[Any, str]:
    """The page as an array of red, green and blue, and why it is none."""
    from pypdfium2 import PdfiumError

    hidden = order.hidden.get(number, [])
    try:
        page = pages[number - 1]
        try:
            picture = page.render(scale=_dpi_of(page, order.dpi) / 72, rev_byteorder=True).to_pil().convert("RGB")
        finally:
            page.close()
        return burned(picture, hidden), ""
    except (PdfiumError, ValueError, IndexError, MemoryError) as error:
        told = f"{type(error).__name__}: {error}"
        return note_page("This page could not be drawn.", order.dpi), told


def _dpi_of(page: Any, wanted: int) -> float:
    width, height = page.get_size()
    if width <= 0 or height <= 0:
        raise ValueError("the page has no size")
    by_area: float = (_MOST_PIXELS / (width * height)) ** 0.5 * 72
    return max(1.0, min(float(wanted), by_area))
