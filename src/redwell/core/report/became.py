"""What became of an item, in the terms in which a court is told (DOMAIN 9). Pure.

Each item has exactly one end, so that all of them add up to all that was found.
"""

from enum import StrEnum

from redwell.core.case.filters import KNOWN_FILE
from redwell.core.case.rows import Exhibit
from redwell.core.outcomes import Outcome


class Became(StrEnum):
    """In the order of the report."""

    DOCUMENT = "document"
    DUPLICATE = "duplicate"
    CONTAINER = "container"
    EXCEPTION = "exception"
    KNOWN = "known"
    FILTERED = "filtered"
    CANCELLED = "cancelled"
    OPEN = "open"


IN_WORDS: dict[Became, str] = {
    Became.DOCUMENT: "documents, read and in the search index",
    Became.DUPLICATE: "duplicates: their content is in the case under another number",
    Became.CONTAINER: "containers (archives, mailboxes), taken apart into their contents",
    Became.EXCEPTION: "exceptions: not processed, each with its reason",
    Became.KNOWN: "known files, left out by their hash",
    Became.FILTERED: "left out by the rules of the import",
    Became.CANCELLED: "cancelled before they were processed",
    Became.OPEN: "not done yet",
}
_CONTAINERS = frozenset({"archive", "delivery", "mailbox"})
_PROCESSED = frozenset({Outcome.SUCCESS, Outcome.PARTIAL})


def became(exhibit: Exhibit) -> Became:
    """An exception is told as one though it is a container or a duplicate: nobody has seen what is in it."""
    if exhibit.outcome is None:
        return Became.OPEN
    if exhibit.outcome == Outcome.CANCELLED:
        return Became.CANCELLED
    if exhibit.outcome == Outcome.FILTERED:
        return Became.KNOWN if exhibit.detail.startswith(KNOWN_FILE) else Became.FILTERED
    if exhibit.outcome not in _PROCESSED:
        return Became.EXCEPTION
    if exhibit.kind in _CONTAINERS:
        return Became.CONTAINER
    return Became.DUPLICATE if exhibit.duplicate_of is not None else Became.DOCUMENT
