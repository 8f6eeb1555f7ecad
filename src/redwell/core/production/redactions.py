"""Places on pages that are hidden from others, drawn by people or found by terms and patterns. Pure."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from redwell.core.errors import UserError
from redwell.core.page_words import PageWords, Word
from redwell.core.production.orders import REDACTED, Box
from redwell.core.search.words import words_of

_LONGEST_REASON = 80
_AROUND = 0.15  # of a word's height: what belongs to its letters
_UNDER = 0.3  # of a word's area under a box: it is hidden
_SAME_LINE = 0.5


class Redaction(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A box on a page of an exhibit. Sides are fractions of the page as it is shown."""

    exhibit: int
    page: int
    left: float
    top: float
    right: float
    bottom: float
    reason: str = ""
    id: int = 0
    change: int = 0

    @property
    def box(self) -> Box:
        label = f"{REDACTED} - {self.reason}" if self.reason else REDACTED
        return Box(self.left, self.top, self.right, self.bottom, label)


class Found(NamedTuple):
    """Words on a page that a term or pattern means, a box for each line that they stand on."""

    page: int
    text: str
    boxes: tuple[Box, ...]


def checked(redaction: Redaction) -> Redaction:
    sides = (redaction.left, redaction.top, redaction.right, redaction.bottom)
    if not all(0 <= side <= 1 for side in sides) or redaction.left >= redaction.right:
        raise UserError("a redaction has a left, top, right and bottom from 0 to 1, the left before the right")
    if redaction.top >= redaction.bottom or redaction.page < 1:
        raise UserError("a redaction has its top above its bottom, on a page from 1 on")
    if len(redaction.reason) > _LONGEST_REASON or not redaction.reason.isprintable():
        raise UserError(f"a reason has at most {_LONGEST_REASON} characters that can be shown")
    return redaction


def read_file(data: bytes, exhibits: Mapping[str, int]) -> list[Redaction]:
    """A JSON list of objects with document (its control number), page, left, top, right, bottom, reason."""
    try:
        rows = json.loads(data)
        if not isinstance(rows, list):
            raise TypeError("it is no list")
    except (ValueError, TypeError) as error:
        raise UserError(f"no redactions in this file: {error}; it has to be a JSON list of objects") from None
    return [_read(row, number, exhibits) for number, row in enumerate(rows, 1)]


def _read(row: Any, number: int, exhibits: Mapping[str, int]) -> Redaction:
    try:
        left, top, right, bottom = (float(row[side]) for side in ("left", "top", "right", "bottom"))
        exhibit, page, reason = exhibits[row["document"]], int(row["page"]), str(row.get("reason", ""))
        return checked(
            Redaction(exhibit=exhibit, page=page, left=left, top=top, right=right, bottom=bottom, reason=reason)
        )
    except UserError as error:
        raise UserError(f"redaction {number}: {error}") from None
    except (KeyError, TypeError, ValueError) as error:
        raise UserError(f"redaction {number} lacks or has no such value: {error}") from None


def by_page(redactions: Iterable[Redaction]) -> dict[int, list[Box]]:
    found: dict[int, list[Box]] = {}
    for each in redactions:
        found.setdefault(each.page, []).append(each.box)
    return found


def hidden_words(page: PageWords, boxes: Sequence[Box]) -> Iterator[list[Word]]:
    """Runs of words, in the order in which they are read, of which each lies under a box."""
    run: list[Word] = []
    for word in page.words:
        if any(_share_under(word, box) > _UNDER for box in boxes):
            run.append(word)
        elif run:
            yield run
            run = []
    if run:
        yield run


def _share_under(word: Word, box: Box) -> float:
    width = min(word.right, box.right) - max(word.left, box.left)
    height = min(word.bottom, box.bottom) - max(word.top, box.top)
    area = (word.right - word.left) * (word.bottom - word.top)
    return width * height / area if min(width, height) > 0 and area > 0 else 0.0


def found_terms(page: int, words: PageWords, terms: Sequence[Sequence[str]]) -> Iterator[Found]:
    """Where the words of a term follow each other; case and punctuation do not count."""
    told = [(word, lone) for word in words.words for lone in words_of(word.text) or ("",)]
    plain = [lone for _, lone in told]
    for term in terms:
        for at in range(len(plain) - len(term) + 1):
            if term and plain[at : at + len(term)] == list(term):
                yield _found(page, [word for word, _ in told[at : at + len(term)]])


def found_pattern(page: int, words: PageWords, pattern: re.Pattern[str]) -> Iterator[Found]:
    """Where a pattern matches the words of a page, joined by blanks; a word that it touches is hidden whole."""
    text, places = "", list[tuple[int, int]]()
    for word in words.words:
        places.append((len(text), len(text) + len(word.text)))
        text += word.text + " "
    for match in pattern.finditer(text):
        inside = [
            word
            for word, (begin, end) in zip(words.words, places, strict=True)
            if begin < match.end() and match.start() < end
        ]
        if inside and match[0].strip():
            yield _found(page, inside)


def _found(page: int, words: Sequence[Word]) -> Found:
    unique = list(dict.fromkeys(words))
    return Found(page, " ".join(word.text for word in unique), tuple(_boxes(unique)))


def _boxes(words: Sequence[Word]) -> Iterator[Box]:
    """A box for each line."""
    line: list[Word] = []
    for word in words:
        if line and not _is_on_line(word, line[-1]):
            yield _around(line)
            line = []
        line.append(word)
    if line:
        yield _around(line)


def _is_on_line(word: Word, before: Word) -> bool:
    shared = min(word.bottom, before.bottom) - max(word.top, before.top)
    return shared > _SAME_LINE * min(word.bottom - word.top, before.bottom - before.top) and word.left > before.left


def _around(words: Sequence[Word]) -> Box:
    more = _AROUND * max(word.bottom - word.top for word in words)
    return Box(
        max(0.0, min(word.left for word in words) - more),
        max(0.0, min(word.top for word in words) - more),
        min(1.0, max(word.right for word in words) + more),
        min(1.0, max(word.bottom for word in words) + more),
    )
