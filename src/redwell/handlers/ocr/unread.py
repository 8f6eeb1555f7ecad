"""How much of what looks like writing on a page lies in shadow and was not read. Runs OpenCV, in the child.

What was read of such a page is read surely: neither confidence nor the number of words tells that half of it was not
seen. So strokes are looked for where the light is taken away, and compared with the places of the words.
"""

from collections.abc import Sequence
from typing import Any

from redwell.core.page_words import Word

MUCH = 0.2  # of 44 pages in shadow; those read to nine tenths had 0.10 at most, with a third missing it was 0.23
_SIDE = 1_000  # pixels that are looked at, along the longer side
_CELL = 20
_INK = 170  # of 255, the share of the paper's light that a stroke has at most
_LEAST_INK, _MOST_INK = 0.03, 0.5  # of a cell with writing
_BORDERS = 0.3  # in each row of such a cell
_DIM = 0.75  # of the light on the brightest paper
_FEWEST_CELLS = 20
_MARGIN = 0.3  # of a word's height, around it
_PAPER = 9  # of a quarter's pixels: wider than a stroke


def unread_share(picture: Any, words: Sequence[Word]) -> float:
    """Of the places with writing on a PIL image in gray: those without a word and in shadow. 0 where there are few."""
    import cv2
    import numpy

    cv2.setNumThreads(1)  # the pool of children is what uses the cores
    whole = max(1, max(picture.size) // _SIDE)  # which costs a fifth of what a fraction does
    page = numpy.asarray(picture.convert("L").reduce(whole))
    factor = min(1.0, _SIDE / max(page.shape))
    page = cv2.medianBlur(cv2.resize(page, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), 3)
    rows, columns = page.shape[0] // _CELL, page.shape[1] // _CELL
    if not rows or not columns:
        return 0.0
    light = _light(page)
    ink = cv2.divide(page, numpy.maximum(light, 1), scale=255) < _INK
    borders = numpy.zeros_like(ink)
    borders[:, 1:] = ink[:, 1:] != ink[:, :-1]
    inked, bordered, lit = (_by_cell(each, rows, columns) for each in (ink, borders, light))
    written = (inked >= _LEAST_INK) & (inked <= _MOST_INK) & (bordered * _CELL >= _BORDERS)
    missed = written & ~_covered(words, rows, columns) & (lit < _DIM * numpy.percentile(lit, 97))
    return float(missed.sum() / written.sum()) if written.sum() >= _FEWEST_CELLS else 0.0


def _light(page: Any) -> Any:
    """What the paper around each point has of it."""
    import cv2

    small = cv2.resize(page, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    paper = cv2.medianBlur(cv2.dilate(small, cv2.getStructuringElement(cv2.MORPH_RECT, (_PAPER, _PAPER))), _PAPER)
    return cv2.resize(paper, (page.shape[1], page.shape[0]), interpolation=cv2.INTER_LINEAR)


def _by_cell(values: Any, rows: int, columns: int) -> Any:
    whole = values[: rows * _CELL, : columns * _CELL]
    return whole.reshape(rows, _CELL, columns, _CELL).mean(axis=(1, 3))


def _covered(words: Sequence[Word], rows: int, columns: int) -> Any:
    import numpy

    covered = numpy.zeros((rows, columns), bool)
    for word in words:
        margin = (word.bottom - word.top) * _MARGIN
        top, bottom = max(0, int((word.top - margin) * rows)), int((word.bottom + margin) * rows) + 1
        covered[top:bottom, int(word.left * columns) : int(word.right * columns) + 1] = True
    return covered
