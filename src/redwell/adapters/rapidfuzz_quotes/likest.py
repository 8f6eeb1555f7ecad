"""The passage of a text that is most like a quote, by rapidfuzz: what core.understanding.evidence asks for."""

from rapidfuzz import fuzz

from redwell.core.understanding.evidence import LIKE

_LONGEST_TEXT = 2_000_000


def likest(quote: str, text: str) -> tuple[int, int, float] | None:
    if len(quote) < 4:
        return None  # as good as anything is like it
    found = fuzz.partial_ratio_alignment(quote, text[:_LONGEST_TEXT], score_cutoff=LIKE * 100)
    if found is None or found.dest_end <= found.dest_start:
        return None
    return found.dest_start, found.dest_end, found.score / 100
