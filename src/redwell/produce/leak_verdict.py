"""Whether a volume may go out after it was looked through. Pure; called by `production write`."""

from collections.abc import Sequence
from typing import NamedTuple

_SHOWN = 20


class Leak(NamedTuple):
    """Words that were hidden in one document, found in a file of another or of itself."""

    number: str  # where they are
    place: str
    words: str
    hidden_in: str
    is_in_family: bool
    is_hint: bool = False  # a lone name: a person judges

    @property
    def is_sure(self) -> bool:
        return self.is_in_family and not self.is_hint


def why_not(leaks: Sequence[Leak], closed: Sequence[str], is_confirmed: bool) -> str:
    """Empty: it may. What is sure stops it whoever confirms."""
    sure = [leak for leak in leaks if leak.is_sure]
    if sure:
        return f"words that are redacted can still be read:\n{_listed(sure)}\nThe volume was not released."
    doubts = [
        (
            "names that are redacted stand elsewhere in the same family",
            _listed([each for each in leaks if each.is_hint]),
        ),
        (
            "words that are redacted stand in documents of other families too",
            _listed([each for each in leaks if not each.is_in_family]),
        ),
        ("files around redacted documents could not be looked into", _lines([f"  {each}" for each in closed])),
    ]
    told = "\n".join(f"{what}:\n{lines}" for what, lines in doubts if lines)
    if not told or is_confirmed:
        return ""
    return f"{told}\nThe volume was not released. If that is meant: --confirm-elsewhere"


def _listed(leaks: Sequence[Leak]) -> str:
    return _lines([f"  {each.number} ({each.place}): {each.words!r}, hidden in {each.hidden_in}" for each in leaks])


def _lines(lines: Sequence[str]) -> str:
    more = [f"  and {len(lines) - _SHOWN:,} more"] if len(lines) > _SHOWN else []
    return "\n".join([*lines[:_SHOWN], *more])
