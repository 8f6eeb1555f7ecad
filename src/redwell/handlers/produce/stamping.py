"""The margin below a page with its number and designation: nothing of the page is covered. Called in a child."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from redwell.core.page_words import Word
from redwell.core.production.orders import PrintOrder
from redwell.handlers.produce.lettering import font_of, text_size

_MARGIN_IN, _LETTER_IN, _EDGE_IN = 0.36, 0.145, 0.3
_LEAST_LETTER = 0.6  # of the usual size; below that the page is made wider
_NOTE_SIZE_IN = (8.5, 11.0)


class DrawnPage(NamedTuple):
    """A page as it looks, with an empty margin below its height, and its words in fractions of the page."""

    picture: Any
    height: int
    words: Sequence[Word] = ()
    trouble: str = ""


def margin_of(order: PrintOrder) -> int:
    return round(_MARGIN_IN * order.dpi)


def stamped(page: DrawnPage, number: str, order: PrintOrder) -> tuple[Any, list[Word]]:
    """The number stands right in the margin, the designation left. With the words of the sheet as it is now."""
    from PIL import Image, ImageDraw

    sheet, edge = page.picture, round(_EDGE_IN * order.dpi)
    letter = _letter_of(sheet.width - 3 * edge, number, order)
    needed = sum(text_size(text, font_of(letter))[0] for text in (number, order.designation) if text) + 3 * edge
    if needed > sheet.width:
        narrow, sheet = sheet, Image.new("RGB", (needed, sheet.height), "white")
        sheet.paste(narrow, ((needed - narrow.width) // 2, 0))
    draw, line = ImageDraw.Draw(sheet), (page.height + sheet.height) // 2
    font, places = font_of(letter), list[tuple[str, tuple[float, float, float, float]]]()
    for text, at, anchor in ((number, sheet.width - edge, "rm"), (order.designation, edge, "lm")):
        if text:
            draw.text((at, line), text, font=font, fill="black", anchor=anchor)
            places.append((text, draw.textbbox((at, line), text, font=font, anchor=anchor)))
    return sheet, [*_moved(page, sheet), *(_word(text, box, sheet) for text, box in places)]


def _moved(page: DrawnPage, sheet: Any) -> Iterator[Word]:
    width, left = page.picture.width / sheet.width, (sheet.width - page.picture.width) // 2 / sheet.width
    height = page.height / sheet.height
    for word in page.words:
        yield Word(
            word.text, left + word.left * width, word.top * height, left + word.right * width, word.bottom * height
        )


def _word(text: str, box: tuple[float, float, float, float], sheet: Any) -> Word:
    return Word(text, box[0] / sheet.width, box[1] / sheet.height, box[2] / sheet.width, box[3] / sheet.height)


def _letter_of(room: int, number: str, order: PrintOrder) -> int:
    usual = round(_LETTER_IN * order.dpi)
    width = sum(text_size(text, font_of(usual))[0] for text in (number, order.designation) if text)
    return max(round(_LEAST_LETTER * usual), min(usual, usual * max(room, 1) // max(width, 1)))


def note_page(text: str, order: PrintOrder, trouble: str) -> DrawnPage:
    """A page that says that there is none."""
    from PIL import Image, ImageDraw

    width, height = (round(side * order.dpi) for side in _NOTE_SIZE_IN)
    page = Image.new("RGB", (width, height + margin_of(order)), "white")
    font = font_of(round(2 * _LETTER_IN * order.dpi))
    ImageDraw.Draw(page).text((width // 2, height // 3), text, font=font, fill="black", anchor="mm")
    return DrawnPage(page, height, trouble=trouble)
