"""Events to whoever has subscribed. A missed event costs time, never work: consumers also read the rows.

An event reaches each matching queue at least once, in a message of its own or with others of the same type, case and
batch (core.events.joined): a line each, as `Event.to_json()` writes it.
Nobody gets events from before the subscription. A changed filter may take 15 minutes to hold everywhere.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol

from redwell.core.events.event import Event, Filter


class Bus(Protocol):
    def publish(self, events: Sequence[Event]) -> None:
        """To every subscription that they match, any number; `queue.NotSent` names those that were refused."""
        ...

    def subscribe(self, queue: str, wanted: Filter) -> str:
        """From now on events go to this queue, which is there already; again with another filter replaces it.

        Returns a reference for people (SPEC A2's tag).
        """
        ...

    def unsubscribe(self, queue: str) -> None:
        """Nothing happens where there is no subscription."""
        ...

    def wanted(self) -> Filter | None:
        """What anybody at all has subscribed to, or more; None while nobody has."""
        ...

    def subscriptions(self) -> Mapping[str, Filter]:
        """By queue."""
        ...

    def close(self) -> None: ...
