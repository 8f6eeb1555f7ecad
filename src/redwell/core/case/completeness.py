"""How finished a case is: what its answers stand on, and what they leave open. Pure.

Made by adapters.sql_reader.completeness from the rows; whatever answers from a case shows it (commands, report, page).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from redwell.core.command_lines import command_line
from redwell.core.jobs.job import STOPPED, JobState


@dataclass(frozen=True, slots=True, kw_only=True)
class UnreadSource:
    """A source of a cancelled import that nobody read to its end: what lies behind is unknown."""

    key: int  # of its row
    batch: int
    path: str
    seen: int  # files that were found until then
    read_to: str | None  # the last of them; None: nobody began
    read_by: int | None = None  # a later batch that read the same source to its end

    def __str__(self) -> str:
        return f"cancelled; the source {self.path} {self.how_far}"

    @property
    def how_far(self) -> str:
        if self.read_to is None:
            return "was not read: what is in it is unknown"
        return f"was read to {self.read_to}, {self.seen:,} seen, the rest unknown"

    def for_json(self) -> dict[str, Any]:
        return {"batch": self.batch, "source": self.path, "seen": self.seen, "read_to": self.read_to}


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenBatch:
    """A batch that is not over."""

    batch: int
    state: str  # of its job, as people see it
    open: int  # exhibits that are known and not done
    sources: int  # that are not read to their end: nobody knows how much is in them

    @property
    def is_read(self) -> bool:
        """Whether only recognition or renditions are left, some of which a person may have just asked for."""
        return not (self.open or self.sources) and self.state == JobState.RUNNING

    def in_words(self, case: str) -> str:
        if self.is_read:
            return f"batch {self.batch} is read; recognition, PDFs or pages of it are being made"
        how = f"batch {self.batch} is not finished ({self.state}): {self.open:,} documents are open"
        if self.sources:
            how += f", {self.sources:,} {'source is' if self.sources == 1 else 'sources are'} not read to the end"
        return f"{how}; go on with: {self.remedy(case)}" if self.remedy(case) else how

    def remedy(self, case: str) -> str:
        """What brings it on; empty while somebody is at work."""
        if self.state in (STOPPED, JobState.QUEUED):
            return command_line("resume", case, self.batch)
        return command_line("cancel", case, self.batch) if self.state == JobState.CANCELLING else ""

    def for_json(self, case: str) -> dict[str, Any]:
        told = {"batch": self.batch, "state": self.state, "open": self.open, "sources_open": self.sources}
        return {**told, "remedy": self.remedy(case)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Completeness:
    """Of a case as it was at one moment."""

    searchable: int = 0  # exhibits in the index; counted only while the case is unfinished
    unindexed: int = 0  # done, and not in the index yet
    batches: tuple[OpenBatch, ...] = ()
    unread: tuple[UnreadSource, ...] = ()

    @property
    def is_complete(self) -> bool:
        """Every source was read to its end, and everything in it is done and searchable."""
        return not (self.batches or self.unread)

    @property
    def is_read(self) -> bool:
        """Whether all of it can be searched by what was read; recognition may still add words."""
        return not (self.unread or self.unindexed) and all(batch.is_read for batch in self.batches)

    @property
    def open(self) -> int:
        return sum(batch.open for batch in self.batches)

    def in_words(self, case: str) -> Iterator[str]:
        """Nothing where the case is complete."""
        if self.batches and not self.is_read:
            waiting = f", {self.unindexed:,} are done and not searchable yet" if self.unindexed else ""
            yield f"this is a part: {self.searchable:,} documents are searchable, {self.open:,} are open{waiting}"
        yield from (batch.in_words(case) for batch in self.batches)
        yield from (f"this is a part: batch {source.batch} was {source}" for source in self.unread)

    def for_json(self, case: str) -> dict[str, Any] | None:
        """None where the case is complete."""
        if self.is_complete:
            return None
        return {
            "searchable": self.searchable,
            "open": self.open,
            "unindexed": self.unindexed,
            "read": self.is_read,
            "batches": [batch.for_json(case) for batch in self.batches],
            "unread": [source.for_json() for source in self.unread],
        }
