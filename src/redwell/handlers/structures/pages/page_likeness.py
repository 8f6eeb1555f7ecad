"""Whether a picture is one of a page of text, or a photograph, a logo, a drawing. Called in a child.

By its look alone, small and in shades of gray: text is thin strokes on an even ground, in many places of the picture.
It costs less than a tenth of recognition, and needs nothing but Pillow.
"""

import math
from typing import Any, NamedTuple

_SIDE = 1_000  # pixels that are looked at, along the longer side
_SHORTEST, _FEWEST_PIXELS = 300, 150_000  # of what can be a page
_CELLS = 16
_GROUND = 24  # shades around the commonest one
_INK = 56  # shades away from it
_LEAST_GROUND = 0.45  # of the picture
_LEAST_INK, _MOST_INK = 0.002, 0.35
_SPECKS, _FAINT = 0.0002, 8
_THIN = 0.22  # borders of strokes for each inked pixel
_BUSY = 12  # of 255, the borders in a cell that holds text
_FEWEST_CELLS = 8  # of 256
# what a page in shadow has when its shadow is taken away
_SURE_GROUND, _SURELY_THIN, _SURE_CELLS, _MOST_SHADED_INK = 0.65, 0.3, 16, 0.3
_LOGARITHMS = [round(255 * math.log(1 + shade, 256)) for shade in range(256)]
_PAPER = 7  # of a quarter's pixels: wider than a stroke


class Look(NamedTuple):
    """Shares of the picture, borders for each inked pixel, and the cells of a grid where strokes are."""

    ground: float
    ink: float
    thinness: float
    cells: int
    marked: float = 1.0  # the share that differs from the ground at all


def may_be_page(width: int, height: int) -> bool:
    return min(width, height) >= _SHORTEST and width * height >= _FEWEST_PIXELS


def looks_like_page(look: Look, *, is_scan: bool = False) -> bool:
    """A scan, which is a picture in pure black and white or one of many in a file, has only to be more than empty."""
    if is_scan:
        return look.ground >= _LEAST_GROUND and look.ink >= _LEAST_INK
    is_written = _LEAST_INK <= look.ink <= _MOST_INK and look.thinness >= _THIN
    return look.ground >= _LEAST_GROUND and is_written and look.cells >= _FEWEST_CELLS


def is_in_shadow(look: Look, picture: Any) -> bool:
    """Whether a PIL image that looks so and like no page is one when each point is compared with what is around it.

    Judged more strictly, since whatever has small shapes gains by that. Of 12 photographs none had more than 0.63 of
    ground then; of pages in shadow, however deep, all but the coarsest had 0.65 and more.
    """
    if looks_like_page(look):
        return False
    look = _look(_without_shadow(_small_gray(picture)))
    is_written = _LEAST_INK <= look.ink <= _MOST_SHADED_INK and look.thinness >= _SURELY_THIN
    return look.ground >= _SURE_GROUND and is_written and look.cells >= _SURE_CELLS


def is_blank(look: Look) -> bool:
    """Paper without a word, however faint, but for specks."""
    return look.marked < _SPECKS


def look_at(picture: Any) -> Look:
    """Of a PIL image whose pixels can be had; it is left as it is."""
    return _look(_small_gray(picture))


def _look(gray: Any) -> Look:
    from PIL import Image, ImageChops

    histogram = gray.histogram()
    ground = max(range(256), key=lambda shade: sum(histogram[max(0, shade - 8) : shade + 9]))
    pixels = gray.width * gray.height
    near, same = (sum(histogram[max(0, ground - far) : ground + far + 1]) / pixels for far in (_GROUND, _FAINT))
    ink = gray.point([255 if abs(shade - ground) > _INK else 0 for shade in range(256)])
    inked = ink.histogram()[255]
    borders = ImageChops.difference(ink, ImageChops.offset(ink, 1, 0))
    grid = borders.resize((_CELLS, _CELLS), Image.Resampling.BOX).histogram()
    return Look(near, inked / pixels, borders.histogram()[255] / max(1, inked), sum(grid[_BUSY:]), 1 - same)


def _without_shadow(gray: Any) -> Any:
    """Shares of the light that the paper around each point gives: a difference of logarithms."""
    from PIL import Image, ImageChops, ImageFilter

    paper = gray.reduce(4).filter(ImageFilter.MaxFilter(_PAPER)).filter(ImageFilter.MedianFilter(_PAPER))
    paper = paper.filter(ImageFilter.GaussianBlur(2)).resize(gray.size, Image.Resampling.BILINEAR)
    darker = ImageChops.subtract(paper.point(_LOGARITHMS), gray.point(_LOGARITHMS))
    return darker.point([round(255 * 256 ** (-shade / 255)) for shade in range(256)])


def _small_gray(picture: Any) -> Any:
    """What is transparent is white: so it is shown."""
    from PIL import Image

    factor = max(1, -(-max(picture.size) // _SIDE))  # rounded up
    if picture.mode in ("RGBA", "LA", "PA") or "transparency" in picture.info:
        layered = picture.convert("RGBA").reduce(factor)
        return Image.alpha_composite(Image.new("RGBA", layered.size, "white"), layered).convert("L")
    if picture.mode.startswith("I;16"):
        picture = picture.point(lambda shade: shade / 256)
    return (picture if picture.mode in ("L", "RGB") else picture.convert("L")).reduce(factor).convert("L")
