"""Redactions by terms or patterns over the documents of a query: found first, drawn as one change if wanted."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from redwell.core.case.rows import Exhibit
from redwell.core.errors import UserError
from redwell.core.production.redactions import Found, Redaction, found_pattern, found_terms
from redwell.core.search.words import words_of
from redwell.ports.materials import Materials


@dataclass(frozen=True, slots=True, kw_only=True)
class Sought:
    terms: tuple[tuple[str, ...], ...] = ()
    patterns: tuple[re.Pattern[str], ...] = ()


def sought_of(terms: Sequence[str], patterns: Sequence[str]) -> Sought:
    """UserError for what finds nothing, or can't be understood."""
    cut = [words_of(term) for term in terms if term.strip()]
    if not all(cut):
        raise UserError("a term has at least one letter or digit")
    try:
        compiled = tuple(re.compile(pattern) for pattern in patterns)
    except re.error as error:
        raise UserError(f"no pattern that could be understood: {error}") from None
    if not (cut or compiled):
        raise UserError("say what to look for: --term or --pattern")
    return Sought(terms=tuple(cut), patterns=compiled)


def found_in(exhibit: Exhibit, materials: Materials, sought: Sought) -> Iterator[Found]:
    """Page by page. What has no words with known places is not looked through, and the caller says so."""
    for page, words in sorted(materials.words(exhibit).items()):
        yield from found_terms(page, words, sought.terms)
        for pattern in sought.patterns:
            yield from found_pattern(page, words, pattern)


class Place(NamedTuple):
    """Words that would be hidden, as they are shown to a person."""

    document: int
    control: str
    page: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LookedThrough:
    places: list[Place]
    redactions: list[Redaction]
    lacking: list[str]  # control numbers of documents without words in known places

    @property
    def boxes(self) -> int:
        return len(self.redactions)

    @property
    def documents(self) -> int:
        return len({each.exhibit for each in self.redactions})

    @property
    def unread(self) -> int:
        return len(self.lacking)


def looked_through(exhibits: Iterable[Exhibit], materials: Materials, sought: Sought, reason: str) -> LookedThrough:
    through = LookedThrough(places=[], redactions=[], lacking=[])
    for exhibit in exhibits:
        found = list(found_in(exhibit, materials, sought))
        if not found and not materials.words(exhibit):
            through.lacking.append(exhibit.control_number)
        through.redactions.extend(as_redactions(exhibit, found, reason))
        through.places.extend(Place(exhibit.id, exhibit.control_number, each.page, each.text) for each in found)
    return through


def note_of(query: str, terms: Sequence[str], patterns: Sequence[str] = ()) -> str:
    """What the change says of itself."""
    return f"bulk over {query!r}: {', '.join([*terms, *patterns])}"


def as_redactions(exhibit: Exhibit, found: Sequence[Found], reason: str) -> list[Redaction]:
    return [
        Redaction(
            exhibit=exhibit.id,
            page=each.page,
            left=box.left,
            top=box.top,
            right=box.right,
            bottom=box.bottom,
            reason=reason,
        )
        for each in found
        for box in each.boxes
    ]
