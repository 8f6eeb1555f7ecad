"""Control numbers that a listing leaves out, and why: a person who counts them asks."""

from redwell.core.case.numbers import MEMBER_MARK
from redwell.core.case.rows import Exhibit
from redwell.core.command_lines import command_line


class NumberGaps:
    """Watches exhibits in the order of their control numbers."""

    def __init__(self) -> None:
        self.found = False
        self._next: dict[int | None, int] = {}  # by container: the ordinal of its next member, if that is a document

    def see(self, exhibit: Exhibit) -> None:
        if MEMBER_MARK not in exhibit.control_number:  # the next head; their numbers have no gaps
            self._next.clear()
            return
        self.found = self.found or exhibit.ordinal > self._next.get(exhibit.parent, 0)
        self._next[exhibit.parent] = exhibit.ordinal + 1

    def explained(self, case: str) -> str:
        return (
            "gaps in control numbers are members of containers that are no documents, such as folders; "
            f"{command_line('report', case)} counts them"
        )
