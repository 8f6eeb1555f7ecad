"""A quote is found again in the document, not believed: where it stands, on which page, in which boxes. Pure.

What is only similar is looked for by `likest`, which an adapter gives.
"""

import re
from collections.abc import Callable, Sequence

import msgspec

from redwell.core.case.page_texts import PAGE_END
from redwell.core.page_words import PageWords, Word
from redwell.core.understanding.proposals import Box, Doubt, Place, Proposal
from redwell.core.understanding.schemas import Field
from redwell.core.understanding.values import Format, folded, readings_in, same

LONGEST_QUOTE = 1_000
LIKE = 0.85  # below this a passage is another one
POOR = 0.6  # confidence of recognition below which a value is doubted
Likest = Callable[[str, str], tuple[int, int, float] | None]  # quote, text: start, end, likeness from 0 to 1
_READ = {Format.DATE, Format.MONEY, Format.NUMBER, Format.IDENTIFIER}


class Haystack:
    """A document's text, folded once: case and white space do not count."""

    def __init__(self, text: str, likest: Likest) -> None:
        self.text, self._likest = text, likest
        self._plain, self._at = _flat(text)

    def find(self, quote: str) -> Place | None:
        wanted, _ = _flat(quote[:LONGEST_QUOTE].strip())
        if not wanted:
            return None
        found = self._plain.find(wanted)
        if found >= 0:
            return self._place(self._at[found], self._at[found + len(wanted) - 1] + 1, 1.0)
        like = self._likest(wanted, self._plain)
        if like is None or like[2] < LIKE or like[1] <= like[0]:
            return None
        return self._place(self._at[like[0]], self._at[like[1] - 1] + 1, like[2])

    def _place(self, start: int, end: int, likeness: float) -> Place:
        return Place(page=self.text.count(PAGE_END, 0, start) + 1, start=start, end=end, likeness=likeness)


def _flat(text: str) -> tuple[str, list[int]]:
    """Runs of white space as one space, in lower case, and where each sign was."""
    signs, places = list[str](), list[int]()
    for match in re.finditer(r"\s+|\S", text):
        sign = " " if match[0].isspace() else match[0].lower()
        signs.append(sign[0])
        places.append(match.start())
    return "".join(signs), places


def boxed(place: Place, quote: str, words: PageWords | None) -> Place:
    """With the boxes of the quote's words on its page, and how sure their recognition was."""
    found = _words_of(quote, words.words) if words else []
    if not found:
        return place
    boxes: tuple[Box, ...] = tuple((word.left, word.top, word.right, word.bottom) for word in found)
    sure = min(word.confidence for word in found)  # a value is as sure as its least sure word
    return msgspec.structs.replace(place, boxes=boxes, confidence=round(sure, 3))


def _words_of(quote: str, words: Sequence[Word]) -> list[Word]:
    wanted, text, owners = folded(quote), "", list[int]()
    for number, word in enumerate(words):
        plain = folded(word.text)
        text += plain
        owners += [number] * len(plain)
    start = text.find(wanted) if wanted else -1
    if start < 0:
        return []
    return [words[number] for number in dict.fromkeys(owners[start : start + len(wanted)])]


def proven(proposal: Proposal, field: Field, haystack: Haystack) -> Proposal:
    """With its place, and with every doubt that the document itself gives rise to."""
    if not proposal.value:
        return proposal.with_doubts([Doubt.NOT_FOUND])
    if not proposal.quote.strip():
        return proposal.with_doubts([Doubt.NO_QUOTE])
    place = proposal.place or haystack.find(proposal.quote)
    if place is None:
        return proposal.with_doubts([Doubt.QUOTE_MISSING])
    doubts = [] if place.likeness == 1.0 else [Doubt.QUOTE_UNLIKE]
    said = proposal.quote if place.page == 0 else haystack.text[place.start : place.end]
    doubts += following(field.format, proposal.value, said)
    return msgspec.structs.replace(proposal, place=place).with_doubts(doubts)


def following(form: Format, value: str, quote: str) -> list[Doubt]:
    """Doubts about a value, by what its quote says."""
    if form not in _READ:
        words = re.findall(r"\w+", value.casefold())
        there = set(re.findall(r"\w+", quote.casefold()))
        return [] if words and all(word in there for word in words) else [Doubt.DOES_NOT_FOLLOW]
    readings = readings_in(form, quote)
    if any(same(form, value, each.value) and not each.others for each in readings):
        return []
    if any(same(form, value, other) for each in readings for other in (each.value, *each.others)):
        return [Doubt.AMBIGUOUS]
    return [Doubt.DOES_NOT_FOLLOW]
