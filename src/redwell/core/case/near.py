"""Documents whose texts are nearly the same: by runs of five words, how many two texts have in common. Pure.

Each text that is near to none becomes a master; others belong to the master that they are nearest to. In the order of
control numbers, so that the first of a set is its master.
"""

import struct
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

LEAST = 80  # percent that two have to have in common
RUN = 5  # words
SHORTEST = 20  # words; of less nothing can be said
VALUES = 64  # numbers of a sketch
_ROWS = 4  # that two sketches must agree in to be looked at: at 80% all but two in ten thousand do
_LIKELY = 0.6  # of the numbers of two sketches; what is surely below is not compared by its words
_PACKED = struct.Struct(f">{VALUES}I")


def runs(words: list[str]) -> frozenset[str]:
    """Of a text's words, in order; none of one that is too short."""
    if len(words) < SHORTEST:
        return frozenset()
    return frozenset(" ".join(words[at : at + RUN]) for at in range(len(words) - RUN + 1))


def percent(one: frozenset[str], other: frozenset[str]) -> int:
    """How much two have in common of all that they have; 100 only where they are the same."""
    both = len(one & other)
    return 100 * both // (len(one) + len(other) - both) if both else 0


def packed(sketch: Iterable[int]) -> bytes:
    return _PACKED.pack(*sketch)


class Texted(NamedTuple):
    """An exhibit and where its text lies."""

    id: int
    number: int
    control: str
    text: bytes
    ocr: bytes | None = None


class Neighbour(NamedTuple):
    """What is kept of an exhibit: a master is near to nobody, of one that is too short the sketch is empty."""

    id: int
    sketch: bytes
    near: int | None
    score: int | None


class Masters:
    """Who may be near to a text, by their sketches."""

    def __init__(self, sketches: Mapping[int, bytes]) -> None:
        self._sketches: dict[int, tuple[int, ...]] = {}
        self._by_band: dict[tuple[int, ...], list[int]] = {}
        for key, sketch in sketches.items():
            self.add(key, sketch)

    def add(self, key: int, sketch: bytes) -> None:
        self._sketches[key] = values = _PACKED.unpack(sketch)
        for band in _bands(values):
            self._by_band.setdefault(band, []).append(key)

    def likely(self, sketch: bytes) -> list[int]:
        """The most likely first, equal ones by their order."""
        values = _PACKED.unpack(sketch)
        found = {key for band in _bands(values) for key in self._by_band.get(band, ())}
        alike = {key: sum(map(int.__eq__, values, self._sketches[key])) / VALUES for key in found}
        return sorted((key for key in found if alike[key] >= _LIKELY), key=lambda key: (-alike[key], key))


def _bands(values: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    return ((at, *values[at : at + _ROWS]) for at in range(0, VALUES, _ROWS))
