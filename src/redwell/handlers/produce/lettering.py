"""Letters that are drawn on pictures, in a font of the system. Called in a child."""

from functools import cache
from typing import Any

_FONTS = ("LiberationSans-Bold.ttf", "DejaVuSans-Bold.ttf", "NotoSans-Bold.ttf")


@cache
def font_of(pixels: int) -> Any:
    from PIL import ImageFont

    for name in _FONTS:
        try:
            return ImageFont.truetype(name, pixels)
        except OSError:
            continue
    return ImageFont.load_default(pixels)  # comes with the library


def text_size(text: str, font: Any) -> tuple[int, int]:
    left, top, right, bottom = font.getbbox(text, anchor="lt")
    return int(right - left), int(bottom - top)


def fitting(text: str, room: tuple[int, int], largest: int, smallest: int) -> Any | None:
    """The largest font in which the text fits; None where it fits in none."""
    if not text:
        return None
    for pixels in range(largest, smallest - 1, -3):
        width, height = text_size(text, font_of(pixels))
        if width <= room[0] and height <= room[1]:
            return font_of(pixels)
    return None
