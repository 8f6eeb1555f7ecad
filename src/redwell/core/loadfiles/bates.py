"""Numbers of pages: prefix, zero-padded digits, suffix; their order, ranges and arithmetic. Pure."""

import re
from functools import lru_cache
from typing import NamedTuple

MOST_WITHIN = 20_000  # pages of a range that are found one by one
_NUMBER = re.compile(r"^(.*?)(\d{1,18})(\D*)$", re.DOTALL)
_PARTS = re.compile(r"\s+[-~]\s+|\s*(?:\u2013|\u2014|\.\.\.?)\s*|\s+to\s+|\s*;\s*", re.IGNORECASE)


class Bates(NamedTuple):
    prefix: str
    number: int
    width: int
    suffix: str = ""

    @property
    def series(self) -> tuple[str, str]:
        """What numbers have in common that can be counted from one to the other."""
        return self.prefix.casefold(), self.suffix.casefold()

    def __str__(self) -> str:
        return f"{self.prefix}{self.number:0{self.width}d}{self.suffix}"

    def plus(self, pages: int) -> "Bates":
        """The number so many pages on; it grows by a digit where its padding is used up."""
        return self._replace(number=self.number + pages)


@lru_cache(256)  # a row names the same page four times
def parse(text: str) -> Bates | None:
    """The last run of digits counts: `ABC-001_0003_REV` is page 3. None where there are none."""
    found = _NUMBER.match(text.strip())
    return Bates(found[1], int(found[2]), len(found[2]), found[3]) if found else None


def pages_between(first: Bates, last: Bates) -> int | None:
    """Pages from one to the other, both counted; None where they are not of one series or the wrong way round."""
    if first.series != last.series or last.number < first.number:
        return None
    return last.number - first.number + 1


def numbers_within(text: str) -> list[str]:
    """Every number between the two of a range, as it would be written; none of one that is too long to be meant."""
    ends = [parse(end) for end in parse_range(text) or ()]
    if len(ends) != 2 or ends[0] is None or ends[1] is None:
        return []
    pages = pages_between(ends[0], ends[1])
    return [str(ends[0].plus(page)) for page in range(1, pages - 1)] if pages and pages <= MOST_WITHIN else []


def parse_range(text: str) -> tuple[str, str] | None:
    """`ABC-001 - ABC-003`, also with a dash, `to`, or no blanks; a single number is a range of one. None if empty."""
    text = text.strip()
    if not text:
        return None
    parts = _PARTS.split(text)
    if len(parts) == 2:
        return parts[0], parts[1]
    for at in (i for i, char in enumerate(text) if char == "-"):
        first, last = parse(text[:at]), parse(text[at + 1 :])
        if first and last and first.series == last.series:
            return text[:at].strip(), text[at + 1 :].strip()
    return text, text
