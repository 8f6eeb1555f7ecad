"""The words of a page's own text layer and where they stand, from the places of its characters. Runs in a child."""

import re
from collections.abc import Iterator
from ctypes import byref, c_double
from typing import Any

from redwell.core.page_words import PageWords, Word

_MOST_CHARS = 200_000  # of a page
_RUN = re.compile("[\u3040-\u30ff\u3400-\u9fff]|[^\\s\u3040-\u30ff\u3400-\u9fff]+")  # an ideograph is a word of its own
# pdfium writes a hyphen at a line's end as a mark of its own, and marks what has no character
_MARKS = {0x02: "-", 0xFFFE: "-", 0x00: None, 0xFFFF: None}

_Box = list[float]  # left, top, right, bottom in the page's own space
_Matrix = tuple[float, float, float, float, float, float]


def words_of(page: Any, words: Any) -> PageWords:
    """Of a pdfium page and its text page."""
    width, height = page.get_size()
    shown = _to_shown(page)
    found = [Word(text, *_fractions(box, shown)) for text, box in _placed(words)] if width and height else []
    return PageWords(round(width, 2), round(height, 2), found)


def _placed(words: Any) -> Iterator[tuple[str, _Box]]:
    """Word by word with the box around it, of which pdfium has several where a word goes on in the next line."""
    from pypdfium2 import raw

    count_rects, get_rect = raw.FPDFText_CountRects, raw.FPDFText_GetRect
    sides = [c_double() for _ in range(4)]
    there = [byref(side) for side in sides]
    for run in _RUN.finditer(_characters(words)):
        boxes = []
        for index in range(count_rects(words, run.start(), len(run[0]))):
            get_rect(words, index, *there)
            boxes.append([side.value for side in sides])
        said = run[0].translate(_MARKS)
        if boxes and said:
            yield said, _around(boxes)


def _characters(words: Any) -> str:
    """One for each place; where pdfium's text has more or fewer, they are asked for one by one."""
    from pypdfium2 import raw

    count = min(words.count_chars(), _MOST_CHARS)
    text: str = words.get_text_range(0, count) if count else ""
    if len(text) == count:
        return text
    return "".join(chr(raw.FPDFText_GetUnicode(words, index)) for index in range(count))


def _around(boxes: list[_Box]) -> _Box:
    if len(boxes) == 1:
        return boxes[0]
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return [min(lefts), max(tops), max(rights), min(bottoms)]


def _to_shown(page: Any) -> _Matrix:
    """From the page's own space to fractions of the page as it is shown: cut and turned."""
    left, bottom, right, top = page.get_bbox()
    across, up = 1 / max(right - left, 0.01), 1 / max(top - bottom, 0.01)
    match page.get_rotation() // 90 % 4:
        case 1:
            return 0.0, up, -bottom * up, across, 0.0, -left * across
        case 2:
            return -across, 0.0, right * across, 0.0, up, -bottom * up
        case 3:
            return 0.0, -up, top * up, -across, 0.0, right * across
    return across, 0.0, -left * across, 0.0, -up, top * up


def _fractions(box: _Box, shown: _Matrix) -> tuple[float, float, float, float]:
    a, b, c, d, e, f = shown
    x0, x1 = a * box[0] + b * box[1] + c, a * box[2] + b * box[3] + c
    y0, y1 = d * box[0] + e * box[1] + f, d * box[2] + e * box[3] + f
    if x0 > x1:
        x0, x1 = x1, x0
    if y0 > y1:
        y0, y1 = y1, y0
    if x0 < 0 or y0 < 0 or x1 > 1 or y1 > 1:  # a word that the page's edge cuts
        x0, y0, x1, y1 = (min(1.0, max(0.0, side)) for side in (x0, y0, x1, y1))
    return round(x0, 5), round(y0, 5), round(x1, 5), round(y1, 5)
