"""Rounds of review in one case. Every change and its entry in the audit log are one step."""

from collections.abc import Sequence
from typing import Protocol

from redwell.core.review.rounds import Item, NewRound, Portion, Round


class ReviewRounds(Protocol):
    def all(self) -> list[Round]: ...
    def one(self, key: int) -> Round:
        """NotFound where there is none."""
        ...

    def make(self, new: NewRound, items: Sequence[Item]) -> Round: ...
    def hand_out(self, key: int, who: str) -> Portion:
        """What this person has still, else the next portion that nobody has. Nobody gets what another one holds, nor,
        in a second look, what they looked at first. Empty: there is nothing left for them."""
        ...

    def held(self, key: int, who: str) -> list[int]:
        """The portion that was handed out to this person last, with what they have finished of it."""
        ...

    def finish(self, key: int, exhibit: int, who: str) -> None:
        """Looked at, by whoever holds it; Conflict where somebody else does by now."""
        ...

    def give_back(self, key: int, who: str) -> int:
        """How many that were not finished."""
        ...

    def finished(self, key: int) -> list[Item]:
        """Those that were looked at, by whom, with the tags they have now."""
        ...

    def drop(self, key: int, who: str) -> None: ...
