"""Handler that makes the pages that go out: what is hidden burned in, a number in an added margin. Runs in a child.

It is asked for by name, with an order (core.production.orders); nobody else takes its work.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from redwell.core.artifacts import ArtifactKind
from redwell.core.handler import Artifact, HandlerSpec, Options, Pages, Piece, Source, Trouble
from redwell.core.outcomes import Code
from redwell.core.page_words import Word
from redwell.core.production.orders import PAGES_ENGINE, PrintOrder, print_order, recognised
from redwell.core.work.kinds import TaskType
from redwell.handlers.pdf.pdf_opening import OpenPdf
from redwell.handlers.produce.burning import burned
from redwell.handlers.produce.page_files import PageFile, file_of, pdf_of
from redwell.handlers.produce.stamping import DrawnPage, margin_of, note_page, stamped
from redwell.handlers.structures.pages.text_words import words_of

SPEC = HandlerSpec(
    name=PAGES_ENGINE, media_types=frozenset({"application/pdf"}), task=TaskType.RENDER_PAGE_IMAGES, version=1
)
_MOST_PIXELS = 50_000_000


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    """A file for each number of the order, or a PDF of them all; a page that can't be drawn says so on itself."""
    order = print_order(options.order)
    said = recognised(Path(order.words).read_bytes()) if order.words else {}
    opened = OpenPdf(source, options.passwords)
    try:
        opened.pages.init_forms()
        count = len(opened.pages)
        yield Pages(count=count)
        made: list[PageFile] = []
        for at, number in enumerate(order.numbers):
            page = options.first_page + at
            drawn = _drawn(opened.pages, min(page, count), order, said)
            if drawn.trouble:
                yield Trouble(code=Code.HANDLER_ERROR, detail=f"page {page} could not be drawn: {drawn.trouble}")
            sheet, words = stamped(drawn, number, order)
            file = file_of(sheet, order)
            if order.form == "pdf":
                made.append(file._replace(words=words if order.layer else ()))
            else:
                yield Artifact(kind=ArtifactKind.PAGE_IMAGE, data=file.data, media_type=file.media_type, number=page)
        if made:
            yield Artifact(
                kind=ArtifactKind.PDF, data=pdf_of(made), media_type="application/pdf", number=0, amount=len(made)
            )
    finally:
        opened.close()


def _drawn(pages: Any, number: int, order: PrintOrder, said: Mapping[int, Sequence[Word]]) -> DrawnPage:
    """With room for the margin below it: to copy it into a larger picture would take as long as to draw it."""
    from pypdfium2 import PdfiumError

    try:
        page = pages[number - 1]
        try:
            scale = _dpi_of(page, order.dpi) / 72
            height = math.ceil(page.get_size()[1] * scale)
            drawn = page.render(scale=scale, rev_byteorder=True, crop=(0, -margin_of(order) / scale, 0, 0)).to_pil()
            picture = drawn if drawn.mode == "RGB" else drawn.convert("RGB")
            words = (said.get(number) or _own_words(page)) if order.layer else ()
        finally:
            page.close()
        return DrawnPage(burned(picture, order.hidden.get(number, []), height), height, words)
    except (PdfiumError, ValueError, IndexError, MemoryError) as error:
        return note_page("This page could not be drawn.", order, f"{type(error).__name__}: {error}")


def _own_words(page: Any) -> Sequence[Word]:
    text = page.get_textpage()
    try:
        return words_of(page, text).words
    finally:
        text.close()


def _dpi_of(page: Any, wanted: int) -> float:
    width, height = page.get_size()
    if width <= 0 or height <= 0:
        raise ValueError("the page has no size")
    by_area: float = (_MOST_PIXELS / (width * height)) ** 0.5 * 72
    return max(1.0, min(float(wanted), by_area))
