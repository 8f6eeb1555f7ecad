"""Redactions by terms or patterns over the documents of a query: found first, drawn as one change if wanted."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

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
