"""The children of a pool, of whatever profile: how many may live, and which takes the next message. In the parent.

All profiles share the pool's slots. A child with nothing to do holds none: it goes when another profile needs it.
"""

from collections.abc import Iterator

from redwell.core.work.kinds import Profile
from redwell.processing.children.child import MESSAGES, Child


class Lineup:
    def __init__(self, slots: int) -> None:
        self._slots = slots
        self._children: list[Child] = []

    def __iter__(self) -> Iterator[Child]:
        return iter(list(self._children))

    def __contains__(self, child: object) -> bool:
        return child in self._children

    def add(self, child: Child) -> None:
        self._children.append(child)

    def remove(self, child: Child) -> None:
        self._children.remove(child)

    def of(self, profile: Profile) -> list[Child]:
        return [child for child in self._children if child.profile is profile]

    def free(self, profile: Profile) -> int:
        """How many messages children of this profile take now, those included that could be started."""
        own = sorted((child.dialogue.room for child in self.of(profile)), reverse=True)
        places = self._slots - sum(1 for child in self._children if child.profile is not profile and child.is_busy)
        return sum(own[: max(0, places)]) + MESSAGES * max(0, places - len(own))

    def next(self, profile: Profile) -> Child | None:
        """The least busy child with room; None where there is none, or a new one would be better."""
        found = min(
            (child for child in self.of(profile) if child.dialogue.room),
            key=lambda child: len(child.dialogue.flights),
            default=None,
        )
        return None if found and found.is_busy and self.has_place(profile) else found

    def has_place(self, profile: Profile) -> bool:
        """For one child more of this profile."""
        taken = sum(1 for child in self._children if child.profile is profile or child.is_busy)
        return taken < self._slots

    def to_make_room(self, profile: Profile) -> list[Child]:
        """Idle ones of other profiles that have to go before a child of this one is started."""
        idle = [child for child in self._children if child.profile is not profile and not child.is_busy]
        return idle[: max(0, len(self._children) + 1 - self._slots)]
