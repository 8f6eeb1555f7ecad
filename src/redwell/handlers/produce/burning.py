"""Hides places of a picture for good: its pixels are replaced, and a label says so. Called in a child."""

import math
from collections.abc import Sequence
from typing import Any

from redwell.core.production.orders import Box
from redwell.handlers.produce.lettering import fitting, text_size

_AROUND = 2  # pixels: of a letter no edge is left
_LARGEST, _SMALLEST = 34, 13  # pixels a letter is high


def burned(picture: Any, boxes: Sequence[Box], height: int) -> Any:
    """The same picture, in which nothing of these places is left; below `height` it is no page any more."""
    from PIL import ImageDraw

    draw = ImageDraw.Draw(picture)
    places = [pixels(box, (picture.width, height)) for box in boxes]
    for place in places:
        draw.rectangle(place, fill="black")
    for at, (box, place) in enumerate(zip(boxes, places, strict=True)):
        if not any(_overlap(place, other) for other in places[:at]):
            _label(draw, box.label, place)
    return picture


def _overlap(one: tuple[int, int, int, int], other: tuple[int, int, int, int]) -> bool:
    """One label is enough there."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def pixels(box: Box, size: tuple[int, int]) -> tuple[int, int, int, int]:
    width, height = size
    left, top = math.floor(box.left * width) - _AROUND, math.floor(box.top * height) - _AROUND
    right, bottom = math.ceil(box.right * width) + _AROUND, math.ceil(box.bottom * height) + _AROUND
    return max(0, left), max(0, top), min(width - 1, right), min(height - 1, bottom)


def _label(draw: Any, label: str, place: tuple[int, int, int, int]) -> None:
    """In white, where there is room for it."""
    left, top, right, bottom = place
    room = right - left - 8, bottom - top - 6
    if font := fitting(label, room, _LARGEST, _SMALLEST):
        width, height = text_size(label, font)
        at = (left + (right - left - width) // 2, top + (bottom - top - height) // 2)
        draw.text(at, label, font=font, fill="white", anchor="lt")
