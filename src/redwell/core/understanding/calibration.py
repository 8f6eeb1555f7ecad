"""From which score on a field may be trusted, by what people decided about it before. Pure."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

LEAST_DECISIONS = 50  # fewer, and the field always goes to a person
MOST_WRONG = 0.02
_BANDS = ((0.9, "clear"), (0.7, "fair"), (0.0, "poor"))


@dataclass(frozen=True, slots=True)
class Decided:
    """What a person made of a proposal: right as it was, or not."""

    column: str
    score: float
    was_right: bool
    confidence: float = 1.0  # of the recognition where it stood


@dataclass(frozen=True, slots=True)
class Threshold:
    score: float
    decisions: int
    wrong: int  # among those at or above the score


def band_of(confidence: float) -> str:
    """How well the page could be read there."""
    return next(name for least, name in _BANDS if confidence >= least)


def thresholds(decisions: Iterable[Decided]) -> dict[tuple[str, str], Threshold]:
    """By field and quality of the page: the lowest score above which at most 2% were wrong, of at least 50."""
    kept = defaultdict[tuple[str, str], list[Decided]](list)
    for each in decisions:
        kept[each.column, band_of(each.confidence)].append(each)
    return {key: found for key, each in kept.items() if (found := _threshold(each)) is not None}


def _threshold(decisions: list[Decided]) -> Threshold | None:
    best = None
    counts: Mapping[float, tuple[int, int]] = _by_score(decisions)
    seen = wrong = 0
    for score in sorted(counts, reverse=True):
        seen, wrong = seen + counts[score][0], wrong + counts[score][1]
        if seen >= LEAST_DECISIONS and wrong / seen <= MOST_WRONG:
            best = Threshold(score, seen, wrong)
    return best


def _by_score(decisions: list[Decided]) -> dict[float, tuple[int, int]]:
    counts: dict[float, tuple[int, int]] = {}
    for each in decisions:
        seen, wrong = counts.get(each.score, (0, 0))
        counts[each.score] = seen + 1, wrong + (not each.was_right)
    return counts
