"""Events that travel together: those of documents, of one type, case and batch, are one message. Pure.

A message of the bus costs its sender, the service and each receiver the same, whatever is in it; a case tells of its
documents by the hundred. Each event is a line, so that a message of one is what it always was.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from redwell.core.events.event import Event

LARGEST = 60 << 10  # bytes of several events, with room for their wrapping: a service counts each begun 64 KB


class Joined(NamedTuple):
    first: Event  # its type, case and batch are those of all
    positions: range  # among the events that were given
    body: str


def joined(events: Sequence[Event], most: int) -> Iterator[Joined]:
    """In their order, at most so many in a body; an event that is larger than a body may be goes alone."""
    lines: list[str] = []
    size = 0
    for position, event in enumerate(events):
        line = event.to_json()
        first = events[position - len(lines)]
        if lines and (len(lines) >= most or size + len(line.encode()) > LARGEST or not _are_alike(first, event)):
            yield _message(events, position, lines)
            lines, size = [], 0
        lines.append(line)
        size += len(line.encode()) + 1
    if lines:
        yield _message(events, len(events), lines)


def events_in(body: str) -> list[Event]:
    """What a message tells of; one that holds anything else is Permanent."""
    return [Event.from_json(line) for line in body.split("\n")]


def _message(events: Sequence[Event], end: int, lines: Sequence[str]) -> Joined:
    positions = range(end - len(lines), end)
    return Joined(events[positions.start], positions, "\n".join(lines))


def _are_alike(one: Event, other: Event) -> bool:
    """What tells of a batch goes alone: it may be put back by itself."""
    if not (one.exhibit_ids and other.exhibit_ids):
        return False
    return (one.event_type, one.case_id, one.batch_id) == (other.event_type, other.case_id, other.batch_id)
