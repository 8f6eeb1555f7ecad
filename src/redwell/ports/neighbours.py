"""Which documents are nearly the same as others, as rows of the case."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from redwell.core.case.near import Neighbour, Texted


class Neighbours(Protocol):
    def unsketched(self, after: tuple[int, str], limit: int) -> Sequence[Texted]:
        """Exhibits behind this number and control number that nobody has compared yet; copies of families are none."""
        ...

    def texted(self, exhibit: int) -> Sequence[Texted]:
        """This one, if it has a text."""
        ...

    def masters(self) -> Mapping[int, bytes]:
        """The sketches of those that are near to nobody."""
        ...

    def note_near(self, found: Sequence[Neighbour]) -> None: ...
    def forget_near(self) -> None:
        """Nobody was compared."""
        ...
