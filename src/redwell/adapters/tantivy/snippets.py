"""The passage of a text that shows best why it was found. Used by the index adapter."""

import re
from collections.abc import Iterator

from redwell.adapters.tantivy.translation import term_words
from redwell.adapters.tantivy.words import cleaned, unspaced
from redwell.core.query import And, Node, Not, Or, Term

_WINDOW = 160
_MAX_TERMS = 50
_MAX_MATCHES = 200
_MAX_CHARS = 1_000_000
_LETTER = r"[^\W_]"


class Snippets:
    """Made once per query, asked once per hit."""

    def __init__(self, node: Node) -> None:
        patterns = list(dict.fromkeys(map(_pattern, _shown(node))))[:_MAX_TERMS]
        self._matches = (
            re.compile("|".join(f"({pattern})" for pattern in patterns), re.IGNORECASE) if patterns else None
        )

    def of(self, text: str) -> str:
        """About 160 characters on one line, matches between [[ and ]]; the start where nothing matches."""
        text = cleaned(text[:_MAX_CHARS])
        spans = self._spans(text)
        first, last = _best(spans)
        start, end = _widened(text, *((spans[first][0], spans[last][1]) if spans else (0, 0)))
        shown, position = [], start
        for begin, stop, _ in spans:
            if start <= begin and stop <= end:
                shown += [text[position:begin], "[[", text[begin:stop], "]]"]
                position = stop
        shown.append(text[position:end])
        line = " ".join("".join(shown).split())
        return ("… " if text[:start].strip() else "") + line + (" …" if text[end:].strip() else "")

    def _spans(self, text: str) -> list[tuple[int, int, int]]:
        """Start, end and number of the term of each match."""
        if self._matches is None:
            return []
        found = zip(self._matches.finditer(text), range(_MAX_MATCHES), strict=False)
        return [(*match.span(), match.lastindex or 0) for match, _ in found]


def _shown(node: Node) -> Iterator[Term]:
    """The terms whose words may stand in the text; what is excluded cannot."""
    match node:
        case Term(field="" | "text"):
            yield node
        case And(parts) | Or(parts):
            for part in parts:
                if not isinstance(part, Not):
                    yield from _shown(part)


def _pattern(term: Term) -> str:
    found = term_words(term)
    gaps = (r"[\W_]*" if unspaced.match(word) else r"[\W_]+" for word in found[1:])
    pattern = found[0] + "".join(gap + word for gap, word in zip(gaps, found[1:], strict=True))
    before = "" if unspaced.match(found[0]) else f"(?<!{_LETTER})"
    if unspaced.match(found[-1]):
        return before + pattern
    return before + pattern + (f"{_LETTER}*" if term.prefix else f"(?!{_LETTER})")


def _best(spans: list[tuple[int, int, int]]) -> tuple[int, int]:
    """The first and last match of the window with the most different terms, the earliest of equals."""
    best, choice = 0, (0, 0)
    for first, (start, _, _) in enumerate(spans):
        last = first
        while last + 1 < len(spans) and spans[last + 1][1] - start <= _WINDOW:
            last += 1
        different = len({number for _, _, number in spans[first : last + 1]})
        if different > best:
            best, choice = different, (first, last)
    return choice


def _widened(text: str, start: int, end: int) -> tuple[int, int]:
    """The window around these characters, cut at spaces where there are some."""
    room = max(0, _WINDOW - (end - start))
    left = max(0, start - room // 2)
    right = min(len(text), left + _WINDOW)
    if left:
        space = re.compile(r"\s").search(text, left, start)
        left = space.end() if space else left
    if right < len(text):
        cut = max(text.rfind(" ", end, right), text.rfind("\n", end, right))
        right = cut if cut > end else max(right, end)
    return left, max(right, end)
