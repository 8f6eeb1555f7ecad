"""Which jobs of a process may begin renditions now (core.work.text_first). Used by the threads that work on cases."""

import time
from collections.abc import Iterable, Mapping

from redwell.core.work.kinds import KINDS, Phase
from redwell.core.work.records import Claim
from redwell.core.work.renderers import Turn
from redwell.core.work.text_first import have_turn
from redwell.core.work.transitions import Standing


class TextFirst:
    """`waits`: not where somebody asked for renditions and waits for them."""

    def __init__(self, *, waits: bool = True) -> None:
        self._waits = waits
        self._standings: Mapping[int, Standing] = {}
        self._since: dict[int, float] = {}  # by batch: when there was text to begin last
        self._searchable = set[int]()  # what is made of these goes into the index again, for which nothing waits

    def look(self, standings: Mapping[int, Standing]) -> None:
        """How far the batches are now."""
        self._standings = standings
        for batch, standing in standings.items():
            if standing.has_reached(Standing.RENDERING):
                self._searchable.add(batch)
            elif standing is not Standing.UNINDEXED:
                self._searchable.discard(batch)

    def began(self, batch: int, claims: Iterable[Claim]) -> None:
        if any(KINDS[claim.task].phase is Phase.TEXT for claim in claims):
            self._since[batch] = time.monotonic()

    def allowed(self, batch: int, turns: Iterable[Turn]) -> tuple[Turn, ...]:
        """Those of these turns that the batch's work may be of; none while the last texts go into the index."""
        now = time.monotonic()
        lull_s = now - self._since.setdefault(batch, now)
        standing = self._standings.get(batch, Standing.UNREAD)
        if not self._waits or batch in self._searchable or have_turn(standing, lull_s):
            return tuple(turns)
        if standing is Standing.UNINDEXED:
            return ()
        return tuple(turn for turn in turns if KINDS[turn[0]].phase is Phase.TEXT)
