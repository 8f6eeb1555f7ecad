"""Whether a picture file is a page of text that somebody has to read. Called by the reader of pictures, in a child."""

from typing import Any, BinaryIO

from redwell.handlers.structures.pages.page_likeness import is_in_shadow, look_at, looks_like_page, may_be_page
from redwell.handlers.structures.pictures.picture_opening import PILLOW_ERRORS, open_picture

_SIDE = 500
_MOST_PIXELS = 40_000_000  # to be decoded for a look
_MOST_SLOW_PIXELS = 4_000_000  # a phone's photograph has more, and takes half a second
_SLOW = {"HEIF", "AVIF"}
_LOOKED_AT = 3  # pages of a TIFF


def is_page(file: BinaryIO) -> bool:
    """False also where the pixels are too many, or damaged: what the header says stands without."""
    file.seek(0)
    try:
        with open_picture(file) as picture:
            return may_be_page(*picture.size) and _is_page(picture)
    except PILLOW_ERRORS:
        return False


def _is_page(picture: Any) -> bool:
    is_bilevel = picture.mode == "1" or _colours(picture) == 2
    pages = picture.n_frames if picture.format == "TIFF" else 1
    if picture.width * picture.height > (_MOST_SLOW_PIXELS if picture.format in _SLOW else _MOST_PIXELS):
        return is_bilevel
    picture.draft("L", (_SIDE, _SIDE))  # JPEG alone can be decoded small, to twice as much at most
    for page in range(min(pages, _LOOKED_AT)):
        if page:
            picture.seek(page)
        look = look_at(picture)
        if looks_like_page(look, is_scan=is_bilevel or pages > 1) or is_in_shadow(look, picture):
            return True
    return False


def _colours(picture: Any) -> int:
    """Of the palette; 0 where there is none."""
    return len(picture.palette.colors) if picture.mode == "P" and picture.palette else 0
