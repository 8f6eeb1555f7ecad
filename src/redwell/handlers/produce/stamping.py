"""The margin below a page with its number and designation: nothing of the page is covered. Called in a child."""

from typing import Any

from redwell.core.production.orders import PrintOrder
from redwell.handlers.produce.lettering import font_of, text_size

_MARGIN_IN, _LETTER_IN, _EDGE_IN = 0.36, 0.145, 0.3
_LEAST_LETTER = 0.6  # of the usual size; below that the page is made wider
_NOTE_SIZE_IN = (8.5, 11.0)


def stamped(picture: Any, number: str, order: PrintOrder) -> Any:
    """The picture on a sheet that is higher by a margin: the number stands right in it, the designation left."""
    from PIL import Image, ImageDraw

    margin, edge = round(_MARGIN_IN * order.dpi), round(_EDGE_IN * order.dpi)
    letter = _letter_of(picture.width - 3 * edge, number, order)
    needed = sum(text_size(text, font_of(letter))[0] for text in (number, order.designation) if text) + 3 * edge
    sheet = Image.new("RGB", (max(picture.width, needed), picture.height + margin), "white")
    sheet.paste(picture, ((sheet.width - picture.width) // 2, 0))
    draw, line = ImageDraw.Draw(sheet), picture.height + margin // 2
    draw.text((sheet.width - edge, line), number, font=font_of(letter), fill="black", anchor="rm")
    draw.text((edge, line), order.designation, font=font_of(letter), fill="black", anchor="lm")
    return sheet


def _letter_of(room: int, number: str, order: PrintOrder) -> int:
    usual = round(_LETTER_IN * order.dpi)
    width = sum(text_size(text, font_of(usual))[0] for text in (number, order.designation) if text)
    return max(round(_LEAST_LETTER * usual), min(usual, usual * max(room, 1) // max(width, 1)))


def note_page(text: str, dpi: int) -> Any:
    """A page that says why there is none."""
    from PIL import Image, ImageDraw

    size = round(_NOTE_SIZE_IN[0] * dpi), round(_NOTE_SIZE_IN[1] * dpi)
    page = Image.new("RGB", size, "white")
    font = font_of(round(2 * _LETTER_IN * dpi))
    ImageDraw.Draw(page).text((size[0] // 2, size[1] // 3), text, font=font, fill="black", anchor="mm")
    return page
