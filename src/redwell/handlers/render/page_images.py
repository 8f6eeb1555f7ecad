"""Handler that makes an image of each page of a PDF, a small one beside it, and its words with their places.

Runs in a child of the parsers' profile, on the PDF that was made of a document, or is it.
"""

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from redwell.core import page_words
from redwell.core.artifacts import ArtifactKind
from redwell.core.handler import Artifact, Options, Pages, Piece, Source, Trouble
from redwell.core.outcomes import Code
from redwell.core.work.renderers import spec_of
from redwell.handlers.pdf.pdf_opening import OpenPdf
from redwell.handlers.pdf.pdf_page_text import text_of
from redwell.handlers.structures.pages.text_words import words_of

SPEC = spec_of("page-images")
_MOST_PIXELS = 40_000_000
_LONGEST = 4_000  # pixels: a photograph that is a page of metres is not shown larger
_THUMBNAIL = 160  # pixels across
_GRAY = 10  # shades that channels may differ by
_HEAD = 1024


def probe(head: bytes) -> bool:
    return b"%PDF-" in head[:_HEAD]


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    """The pages of the range, one after the other; one that fails is named, and the others go on."""
    from pypdfium2 import PdfiumError

    opened = OpenPdf(source, options.passwords)
    try:
        opened.pages.init_forms()
        count = len(opened.pages)
        yield Pages(count=count)
        for number in range(max(1, options.first_page), min(options.last_page or count, count) + 1):
            try:
                page = opened.pages[number - 1]
            except PdfiumError as error:
                yield _no_image(number, error)
                continue
            try:
                yield from drawn_page(page, number, options.page_dpi)
            except (PdfiumError, ValueError, MemoryError) as error:
                yield _no_image(number, error)
            finally:
                page.close()
    finally:
        opened.close()


def _no_image(number: int, error: Exception) -> Trouble:
    return Trouble(code=Code.HANDLER_ERROR, detail=f"page {number} has no image: {type(error).__name__}: {error}")


def drawn_page(page: Any, number: int, dpi: int) -> Iterator[Piece]:
    """Its image, the small one, its text and its words."""
    width, height = page.get_size()
    used = dpi_of(width, height, dpi)
    picture = _plain(page.render(scale=used / 72, rev_byteorder=True).to_pil())
    size = {"width": picture.width, "height": picture.height, "dpi": round(used, 2)}
    yield Artifact(
        kind=ArtifactKind.PAGE_IMAGE, data=_png(picture), media_type="image/png", number=number, figures=size
    )
    yield Artifact(kind=ArtifactKind.THUMBNAIL, data=_thumbnail(picture), media_type="image/jpeg", number=number)
    yield from _text(page, number)


def _text(page: Any, number: int) -> Iterator[Piece]:
    """Of the page's own layer, where it has one."""
    words = page.get_textpage()
    try:
        text = text_of(words)
        placed = words_of(page, words)
    finally:
        words.close()
    if not text.strip():
        return
    kind, data = ArtifactKind.PAGE_TEXT, text.encode("utf-8", "replace")
    yield Artifact(kind=kind, data=data, media_type="text/plain; charset=utf-8", number=number, amount=len(text))
    kind, data = ArtifactKind.WORD_BOXES, page_words.encode(placed)
    yield Artifact(kind=kind, data=data, media_type=page_words.MEDIA_TYPE, number=number, amount=len(placed.words))


def dpi_of(width: float, height: float, wanted: int) -> float:
    """What is wanted, or less where the page would have too many pixels. `width` and `height` are in points."""
    if width <= 0 or height <= 0:
        raise ValueError("the page has no size")
    by_area: float = (_MOST_PIXELS / (width * height)) ** 0.5 * 72
    return max(1.0, min(float(wanted), by_area, _LONGEST * 72 / max(width, height)))


def _plain(picture: Any) -> Any:
    """In gray where it has no colours: a third of the bytes, and of the time to write them."""
    from PIL import ImageChops

    if picture.mode in ("1", "L"):
        return picture
    coloured = picture.convert("RGB") if picture.mode != "RGB" else picture
    red, green, blue = coloured.split()
    for one, other in ((red, green), (green, blue)):
        if any(ImageChops.difference(one, other).histogram()[_GRAY + 1 :]):
            return coloured
    return green


def _png(picture: Any) -> bytes:
    out = io.BytesIO()
    picture.save(out, "PNG", compress_level=1)
    return out.getvalue()


def _thumbnail(picture: Any) -> bytes:
    from PIL import Image

    size = (_THUMBNAIL, max(1, min(4 * _THUMBNAIL, round(picture.height * _THUMBNAIL / picture.width))))
    out = io.BytesIO()
    picture.resize(size, Image.Resampling.BILINEAR, reducing_gap=2.0).save(out, "JPEG", quality=75)
    return out.getvalue()
