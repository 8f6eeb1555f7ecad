"""Rounds of review: documents handed out in portions, each to one person at a time; second looks on samples. Pure."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

SIZE, LEASE_S = 50, 8 * 3600
LARGEST_SIZE, LONGEST_LEASE_S = 1_000, 14 * 86_400


@dataclass(frozen=True, slots=True, kw_only=True)
class NewRound:
    name: str
    query: str  # the address of the search that it was made of
    who: str
    size: int = SIZE  # documents handed out at a time; families stay together
    lease_s: int = LEASE_S
    second_of: int | None = None  # a second look on documents of this round
    seed: int = 0  # of the sample


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    exhibit: int
    family: int
    before: str = ""  # tags of the first look, in order
    first_by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    id: int
    name: str
    query: str
    who: str
    at_ms: int
    size: int
    lease_s: int
    second_of: int | None
    seed: int
    total: int
    done: int
    out: int  # with somebody right now
    agreed: int  # of a second look: decided as before

    @property
    def left(self) -> int:
        return self.total - self.done

    @property
    def agreement(self) -> float | None:
        """None where it is no second look, or nothing was looked at yet."""
        return round(self.agreed / self.done, 4) if self.second_of and self.done else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Portion:
    """What somebody has to look at, until when it is theirs."""

    round: int
    exhibits: Sequence[int]
    ends_ms: int


def portion(free: Sequence[tuple[int, int]], size: int) -> list[int]:
    """Of exhibits and their families in order: so many, and the rest of the last one's family."""
    taken = list(free[:size])
    if taken:
        family = taken[-1][1]
        taken += takewhile(lambda each: each[1] == family, free[size:])
    return [exhibit for exhibit, _ in taken]


def sampled(exhibits: Sequence[int], count: int, seed: int) -> list[int]:
    """So many of them by chance, in their order; the same seed gives the same ones."""
    chosen = set(random.Random(seed).sample(range(len(exhibits)), min(count, len(exhibits))))
    return [exhibit for place, exhibit in enumerate(exhibits) if place in chosen]


def tags_told(tags: Sequence[int]) -> str:
    """As rows keep it, to be compared."""
    return ",".join(map(str, sorted(set(tags))))
