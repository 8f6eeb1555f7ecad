"""Names of files as a viewing engine and signed links know them (SPEC E3):
`document_{case}_{batch}_{document}_{exhibits}`, the exhibits as a short list that can be read back. Pure."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from redwell.core.errors import NotFound

MOST_EXHIBITS = 1_000
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_FORM = re.compile(r"document_(\d{1,16})_(\d{1,16})_([0-9a-f]{32})_([0-9a-z.\-]{1,4000})")


@dataclass(frozen=True, slots=True)
class FileId:
    """A content as it occurs in a batch."""

    case: int
    batch: int
    document: str  # the uid of its content, in hex
    exhibits: tuple[int, ...]  # in order

    def __str__(self) -> str:
        return f"document_{self.case}_{self.batch}_{self.document}_{short(self.exhibits)}"

    @classmethod
    def read(cls, text: str) -> "FileId":
        """NotFound where it is none: whoever guesses learns nothing."""
        match = _FORM.fullmatch(text)
        if match is None:
            raise NotFound("there is no such file")
        case, batch, document, exhibits = match.groups()
        return cls(int(case), int(batch), document, tuple(long(exhibits)))


def short(exhibits: Iterable[int]) -> str:
    """`5 6 7 40` is `5.7-14`: numbers in base 36, neighbours as a range, the others by their distance."""
    parts, before = list[str](), 0
    for first, last in _ranges(sorted(set(exhibits))):
        parts.append(_base36(first - before) + (f".{_base36(last - first)}" if last > first else ""))
        before = last
    return "-".join(parts)


def long(text: str) -> Iterator[int]:
    before, count = 0, 0
    for part in text.split("-"):
        head, _, more = part.partition(".")
        try:
            first, following = before + int(head, 36), int(more or "0", 36)
        except ValueError:
            raise NotFound("there is no such file") from None
        count += following + 1
        if count > MOST_EXHIBITS or first < 1:
            raise NotFound("there is no such file")
        yield from range(first, first + following + 1)
        before = first + following


def _ranges(numbers: list[int]) -> Iterator[tuple[int, int]]:
    if not numbers:
        return
    start = numbers[0]
    for before, after in pairwise(numbers):
        if after != before + 1:
            yield start, before
            start = after
    yield start, numbers[-1]


def _base36(number: int) -> str:
    digits = ""
    while number or not digits:
        number, digit = divmod(number, 36)
        digits = _DIGITS[digit] + digits
    return digits
