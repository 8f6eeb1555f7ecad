"""A page as a file: TIFF where it is black on white, JPEG or TIFF where it has colours or shades. Called in a child.

The same picture gives the same bytes.
"""

import io
from collections.abc import Sequence
from functools import reduce
from typing import Any, NamedTuple

from redwell.core.compression import TIFF_PACKING
from redwell.core.page_words import Word
from redwell.core.production.orders import PrintOrder
from redwell.handlers.produce.words_behind import with_words

TIFF, JPEG = "image/tiff", "image/jpeg"
_COLOURED = 24  # by which channels differ where somebody means a colour
_FEWEST = 60  # pixels of it
_FEWEST_SHADES = 20
_SHADES = (40, 224)  # between black and white
_EVEN = 12
_BLACK_BELOW = 150
# tables of 256 values are many times as fast as functions
_IS_EVEN = [255 * (step < _EVEN) for step in range(256)]
_IS_BETWEEN = [255 * (_SHADES[0] < shade < _SHADES[1]) for shade in range(256)]
_IS_WHITE = [255 * (shade >= _BLACK_BELOW) for shade in range(256)]


class PageFile(NamedTuple):
    data: bytes
    media_type: str
    words: Sequence[Word] = ()  # that stand behind it in a PDF


def file_of(picture: Any, order: PrintOrder) -> PageFile:
    if _has_colour(picture):
        return _shaded(picture, order)
    gray = picture.getchannel("G")
    if _has_shades(gray):
        return _shaded(gray, order)
    return _tiff(gray.point(_IS_WHITE, "1"), order.dpi, order.tiff)


def _shaded(picture: Any, order: PrintOrder) -> PageFile:
    if order.shades == "tiff":  # Group 4 knows black and white alone
        return _tiff(picture, order.dpi, "lzw" if order.tiff == "group4" else order.tiff)
    out = io.BytesIO()
    picture.save(out, "JPEG", quality=order.quality, dpi=(order.dpi, order.dpi))
    return PageFile(out.getvalue(), JPEG)


def _has_colour(picture: Any) -> bool:
    """Looks at every second pixel of every second row: a coloured word has hundreds."""
    from PIL import Image, ImageChops

    few = picture.resize((max(1, picture.width // 2), max(1, picture.height // 2)), Image.Resampling.NEAREST)
    red, green, blue = few.split()
    differing = ImageChops.lighter(ImageChops.difference(red, green), ImageChops.difference(green, blue))
    return sum(differing.histogram()[_COLOURED:]) > _FEWEST


def _has_shades(gray: Any) -> bool:
    """Areas of gray, be they as thin as a letter; the soft edges of black ones are none.

    Looks at every second pixel of every second row: one that is like its three neighbours there lies in an area.
    """
    from PIL import Image, ImageChops

    few = gray.resize((max(1, gray.width // 2), max(1, gray.height // 2)), Image.Resampling.NEAREST)
    steps = (ImageChops.difference(few, ImageChops.offset(few, *by)) for by in ((1, 0), (0, 1), (1, 1)))
    even = reduce(ImageChops.lighter, steps).point(_IS_EVEN)
    return bool(ImageChops.darker(even, few.point(_IS_BETWEEN)).histogram()[255] > _FEWEST_SHADES)


def _tiff(picture: Any, dpi: int, packing: str) -> PageFile:
    out = io.BytesIO()
    picture.save(out, "TIFF", compression=TIFF_PACKING[packing], dpi=(dpi, dpi))
    return PageFile(out.getvalue(), TIFF)


def pdf_of(pages: Sequence[PageFile]) -> bytes:
    """The same pictures on the pages of a PDF, as large as they are on paper, with their words behind them."""
    import img2pdf

    made: bytes = img2pdf.convert([page.data for page in pages], nodate=True, engine=img2pdf.Engine.internal)
    return with_words(made, [page.words for page in pages]) if any(page.words for page in pages) else made
