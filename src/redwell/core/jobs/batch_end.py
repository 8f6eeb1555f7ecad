"""What a loader looks through when its batch ends (SPEC D7, D10): families, and the pages of long documents. Pure.

Both travel as chunks of a hundred, each an event that a consumer may take by itself, at most a thousand at once. What
has not been taken is polled until nothing is left; pages rise to what was asked for, all else falls to nothing.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from redwell.core.errors import Permanent
from redwell.core.events.event import EventType
from redwell.core.work.message_ranges import MOST, SIZE, dispatch
from redwell.core.work.page_ranges import PageRange
from redwell.core.work.polling import Poll, Verdict, polled


class BatchChunk(NamedTuple):
    """Half open. Of pages those of one exhibit, counted from 1; else members of families, by their ids."""

    start: int
    end: int
    exhibit: int = 0

    @property
    def kind(self) -> EventType:
        return EventType.BATCH_ATTACHMENTS if self.exhibit else EventType.BATCH_DOCUMENT_RELATIONS

    @property
    def detail(self) -> dict[str, Any]:
        if self.exhibit:
            return {"startPos": self.start, "endPos": self.end, "exhibit": self.exhibit}
        return {"startId": self.start, "endId": self.end, "chunkSize": SIZE}

    def is_complete(self, count: int) -> bool:
        """`count`: pages that are settled, or members that are not whole yet."""
        target = self.end - self.start if self.exhibit else None
        return polled(Poll(), count, target).verdict is Verdict.ALL_PROCESSED


def told(detail: Mapping[str, Any]) -> BatchChunk:
    """The chunk that an event speaks of; Permanent where it speaks of none."""
    names = ("startPos", "endPos", "exhibit") if "startPos" in detail else ("startId", "endId")
    try:
        return BatchChunk(*(int(detail[name]) for name in names))
    except (KeyError, TypeError, ValueError) as error:
        raise Permanent(f"no chunk of a batch: {dict(detail)}") from error


def chunks_of(members: Sequence[int], pages: Iterable[tuple[int, PageRange]]) -> list[BatchChunk]:
    """All of a batch, in an order that is the same each time."""
    parts = dispatch(members, most=len(members) or 1).chunks
    families = [BatchChunk(each.start, each.end) for each in parts]
    ranges = {BatchChunk(each.first, each.last + 1, key) for key, each in pages if each.last}
    return families + sorted(ranges, key=lambda each: (each.exhibit, each.start))


class BatchEnd(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How far it is; kept with the loader's life, so that whoever comes after a kill goes on."""

    total: int = 0
    sent: int = 0  # of all chunks, in their order
    open: tuple[BatchChunk, ...] = ()  # sent, and not taken yet
    previous: int = -1
    retries: int = 0
    due_ms: int = 0  # of the next poll

    @property
    def left(self) -> int:
        return self.total - self.sent + len(self.open)

    def following(self, chunks: Sequence[BatchChunk]) -> "BatchEnd":
        """With the next ones out, as long as there are any; a continuation, not a flood (SPEC C2)."""
        now = tuple(chunks[self.sent : self.sent + MOST])
        return msgspec.structs.replace(self, total=len(chunks), sent=self.sent + len(now), open=now)

    def without(self, taken: Iterable[BatchChunk]) -> "BatchEnd":
        gone = set(taken)
        return msgspec.structs.replace(self, open=tuple(each for each in self.open if each not in gone))
