"""A page as a file: Group 4 TIFF where it is black on white, JPEG where it has colours or shades. Called in a child.

The same picture gives the same bytes.
"""

import io
from collections.abc import Sequence
from typing import Any, NamedTuple

TIFF, JPEG = "image/tiff", "image/jpeg"
_COLOURED = 24  # by which channels differ where somebody means a colour
_FEWEST = 60  # pixels of it
_SHADES = (40, 224)  # between black and white
_EVEN = 12
_BLACK_BELOW = 150
_QUALITY = 82


class PageFile(NamedTuple):
    data: bytes
    media_type: str


def file_of(picture: Any, dpi: int) -> PageFile:
    if _has_colour(picture):
        return PageFile(_jpeg(picture, dpi), JPEG)
    gray = picture.getchannel("G")
    if _has_shades(gray):
        return PageFile(_jpeg(gray, dpi), JPEG)
    return PageFile(_tiff(gray.point(lambda shade: 255 * (shade >= _BLACK_BELOW), "1"), dpi), TIFF)


def _has_colour(picture: Any) -> bool:
    """Looks at every second pixel of every second row: a coloured word has hundreds."""
    from PIL import Image, ImageChops

    few = picture.resize((max(1, picture.width // 2), max(1, picture.height // 2)), Image.Resampling.NEAREST)
    red, green, blue = few.split()
    differing = ImageChops.lighter(ImageChops.difference(red, green), ImageChops.difference(green, blue))
    return sum(differing.histogram()[_COLOURED:]) > _FEWEST


def _has_shades(gray: Any) -> bool:
    """Areas of gray, be they as thin as a letter; the soft edges of black ones are none."""
    from PIL import ImageChops

    across, down = (ImageChops.difference(gray, ImageChops.offset(gray, *by)) for by in ((2, 0), (0, 2)))
    rough = ImageChops.lighter(across, down)
    even = rough.point(lambda step: 255 * (step < _EVEN))
    between = gray.point(lambda shade: 255 * (_SHADES[0] < shade < _SHADES[1]))
    return ImageChops.darker(even, between).histogram()[255] > _FEWEST


def _tiff(picture: Any, dpi: int) -> bytes:
    out = io.BytesIO()
    picture.save(out, "TIFF", compression="group4", dpi=(dpi, dpi))
    return out.getvalue()


def _jpeg(picture: Any, dpi: int) -> bytes:
    out = io.BytesIO()
    picture.save(out, "JPEG", quality=_QUALITY, dpi=(dpi, dpi))
    return out.getvalue()


def pdf_of(pages: Sequence[PageFile]) -> bytes:
    """The same pictures on the pages of a PDF, as large as they are on paper."""
    import img2pdf

    made: bytes = img2pdf.convert([page.data for page in pages], nodate=True, engine=img2pdf.Engine.internal)
    return made
