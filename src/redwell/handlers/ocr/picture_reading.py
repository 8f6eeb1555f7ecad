"""One picture as it is shown, and what is read of it. Called by the handlers of pictures, in the child."""

from typing import Any, NamedTuple

from redwell.core.errors import TooLarge
from redwell.handlers.ocr.recognition import Reading, Recogniser
from redwell.handlers.structures.pages.page_likeness import is_in_shadow, look_at, looks_like_page, may_be_page
from redwell.handlers.structures.pictures.picture_opening import MOST_PIXELS

_PAGE_PIXELS = 40_000_000  # more is made smaller before it is read
_OTHER_PIXELS = 4_000_000  # of a photograph: what is written on it is large, and its noise costs time
_DPI = (60, 1_200)  # what scanners write; others are guessed from the size
_PAGE_INCHES = 11.0


class Shown(NamedTuple):
    """A PIL image in black and white, gray or colours, turned as its camera says."""

    picture: Any
    dpi: int
    is_page: bool
    in_shadow: bool = False  # no page by its look, but perhaps one when its shadow is taken away

    @property
    def points(self) -> tuple[float, float]:
        return self.picture.width * 72 / self.dpi, self.picture.height * 72 / self.dpi


def as_shown(picture: Any) -> Shown:
    """TooLarge where it has more pixels than anything should; on white where it is transparent."""
    from PIL import ImageOps

    if picture.width * picture.height > MOST_PIXELS:
        raise TooLarge(f"{picture.width} x {picture.height} pixels, at most {MOST_PIXELS} are read")
    told = picture.info.get("dpi")
    plain = _plain(ImageOps.exif_transpose(picture))
    may_be, look = may_be_page(*plain.size), look_at(plain)
    is_page = may_be and looks_like_page(look, is_scan=plain.mode == "1")
    in_shadow = may_be and not is_page and is_in_shadow(look, plain)
    return Shown(plain, dpi_of(told, max(plain.size)), is_page, in_shadow)


def read(reader: Recogniser, shown: Shown) -> Reading:
    """A photograph is not cleaned: it would take long, and seldom has words."""
    gray, dpi = shown.picture.convert("L"), shown.dpi
    may_clean = shown.is_page or shown.in_shadow
    most = _PAGE_PIXELS if may_clean else _OTHER_PIXELS
    factor = -(-int((gray.width * gray.height / most) ** 0.5 * 100) // 100)  # rounded up
    if factor > 1:
        gray, dpi = gray.reduce(factor), dpi // factor
    return reader.page(gray, max(dpi, _DPI[0]), may_clean=may_clean)


def dpi_of(told: object, longer_side: int) -> int:
    """What the file says where a scanner can have meant it; else as if the picture were a page of paper."""
    if isinstance(told, tuple) and len(told) == 2 and _DPI[0] <= float(told[0]) <= _DPI[1]:
        return round(float(told[0]))
    return round(min(300, max(70, longer_side / _PAGE_INCHES)))


def _plain(picture: Any) -> Any:
    from PIL import Image

    if picture.mode in ("RGBA", "LA", "PA") or "transparency" in picture.info:
        layered = picture.convert("RGBA")
        return Image.alpha_composite(Image.new("RGBA", layered.size, "white"), layered).convert("RGB")
    if picture.mode.startswith("I;16"):
        return picture.point(lambda shade: shade / 256).convert("L")
    if picture.mode == "P":
        return _of_palette(picture)
    return picture if picture.mode in ("1", "L", "RGB") else picture.convert("RGB")


def _of_palette(picture: Any) -> Any:
    """Two colours, of which one is dark, are a scan in black and white."""
    from PIL import Image

    gray = picture.convert("L")
    shades = [shade for _, shade in gray.getcolors(2) or ()]
    if shades and min(shades) < 64 and max(shades) > 192:
        return gray.convert("1", dither=Image.Dither.NONE)
    return picture.convert("RGB")
