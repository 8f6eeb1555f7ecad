"""Where a word stands on the page as it is shown, from where it stood on the picture that was read. Pure.

A picture that was turned, straightened or made larger before reading has its words elsewhere.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from redwell.core.page_words import Word

_LONG = 4  # letters of a word that is wider than it is high


class Affine(NamedTuple):
    """x' = a x + b y + c and y' = d x + e y + f: as OpenCV writes it."""

    a: float = 1.0
    b: float = 0.0
    c: float = 0.0
    d: float = 0.0
    e: float = 1.0
    f: float = 0.0

    def then(self, other: "Affine") -> "Affine":
        """First this one, then the other."""
        return Affine(
            other.a * self.a + other.b * self.d,
            other.a * self.b + other.b * self.e,
            other.a * self.c + other.b * self.f + other.c,
            other.d * self.a + other.e * self.d,
            other.d * self.b + other.e * self.e,
            other.d * self.c + other.e * self.f + other.f,
        )

    def inverse(self) -> "Affine":
        det = self.a * self.e - self.b * self.d
        a, b, d, e = self.e / det, -self.b / det, -self.d / det, self.a / det
        return Affine(a, b, -(a * self.c + b * self.f), d, e, -(d * self.c + e * self.f))

    def at(self, x: float, y: float) -> tuple[float, float]:
        return self.a * x + self.b * y + self.c, self.d * x + self.e * y + self.f


def turned(degrees: int, width: float, height: float) -> Affine:
    """What turns a picture of this size clockwise by quarters, and keeps its upper left corner at 0."""
    match degrees % 360:
        case 90:
            return Affine(0, -1, height, 1, 0, 0)
        case 180:
            return Affine(-1, 0, width, 0, -1, height)
        case 270:
            return Affine(0, 1, 0, -1, 0, width)
    return Affine()


def direction_of(words: Sequence[Word], size: tuple[int, int]) -> int:
    """Degrees clockwise by which the lines of a page of this size are turned, where its engine read them so."""
    long = [word for word in words if len(word.text) >= _LONG]
    tall = sum((word.bottom - word.top) * size[1] > (word.right - word.left) * size[0] for word in long)
    if 2 * tall <= len(long):
        return 0
    down = sum(1 if after.top > before.top else -1 for before, after in pairwise(words))
    return 90 if down >= 0 else 270


def moved_back(words: Iterable[Word], done: Affine, read: tuple[int, int], shown: tuple[int, int]) -> list[Word]:
    """Words of a picture of the size `read`, which `done` has made of one of the size `shown`, on that one."""
    back = done.inverse()
    return [_moved(word, back, read, shown) for word in words]


def _moved(word: Word, back: Affine, read: tuple[int, int], shown: tuple[int, int]) -> Word:
    corners = [back.at(x * read[0], y * read[1]) for x in (word.left, word.right) for y in (word.top, word.bottom)]
    across, down = ([_within(point[side] / shown[side]) for point in corners] for side in (0, 1))
    return Word(word.text, min(across), min(down), max(across), max(down), word.confidence)


def _within(share: float) -> float:
    return round(min(1.0, max(0.0, share)), 5)
