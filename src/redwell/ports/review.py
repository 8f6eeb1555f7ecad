"""What reviewers add to one case, and the log of who did what. Every change and its entry in the log are one step.

Safe to use from several threads and processes.
"""

from collections.abc import Sequence
from typing import Protocol

from redwell.core.review.values import (
    Changed,
    Coding,
    Entry,
    Logged,
    Note,
    Replacement,
    SavedSearch,
    Tag,
    Tagging,
    TermSet,
    Undone,
)
from redwell.ports.review_rounds import ReviewRounds


class ReviewStore(Protocol):
    @property
    def rounds(self) -> ReviewRounds: ...

    # tags
    def tags(self) -> list[Tag]: ...
    def add_tag(self, name: str, who: str) -> Tag:
        """With the next free key. UserError where there is one of this name."""
        ...

    def code(self, coding: Coding) -> Changed:
        """Conflict where the document was changed since `seen`. What is so already is not changed."""
        ...

    def undo(self, change: int, who: str) -> Undone:
        """Of one's own changes, once. NotFound where it is none; what others have changed since stays."""
        ...

    def last_change(self, who: str) -> int | None:
        """The last one of this person that is not undone."""
        ...

    def taggings(self, exhibits: Sequence[int]) -> list[Tagging]: ...
    def version(self, exhibit: int) -> int:
        """The last change of this document; 0 where there is none."""
        ...

    def tag_counts(self) -> dict[int, int]: ...
    def tagged(self, tag: int) -> list[str]:
        """The control numbers."""
        ...

    # what is beside
    def notes(self, exhibit: int) -> list[Note]: ...
    def add_note(self, exhibit: int, text: str, who: str) -> Note: ...
    def saved_searches(self) -> list[SavedSearch]: ...
    def save_search(self, name: str, query: str, who: str) -> SavedSearch: ...
    def drop_search(self, key: int, who: str) -> bool: ...

    def term_sets(self) -> list[TermSet]: ...
    def set_terms(self, name: str, colour: str, terms: str, who: str) -> TermSet:
        """In place of those of this name; no terms: the set is dropped."""
        ...

    def replace_file(self, exhibit: int, batch: int, who: str) -> Replacement: ...
    def replacements(self, exhibits: Sequence[int] = (), batch: int | None = None) -> list[Replacement]:
        """For these exhibits, or out of this batch."""
        ...

    def read_by(self, who: str, *, limit: int) -> list[str]:
        """Control numbers of what this person has opened, at most so many."""
        ...

    def read_count(self, who: str) -> int: ...

    # the log
    def record(self, entries: Sequence[Entry]) -> None:
        """All of them in one step, in this order; views mark what the person has read."""
        ...

    def readers(self, exhibits: Sequence[int]) -> dict[int, list[str]]:
        """Who has read each, the first one first."""
        ...

    def history(self, exhibit: int, limit: int = 100) -> list[Logged]:
        """The newest first."""
        ...

    def log(self, before: int | None = None, limit: int = 100) -> list[Logged]:
        """The newest first; `before`: only entries with a lower number."""
        ...

    def close(self) -> None: ...
