"""Small members read right behind the document they came out of: each is sent with what came of it.

Used by the workbench, in the child. A mail and what is attached to it are one task then, not one for each: nothing is
claimed, sent and asked for again. A member that is no good for this is sent as it is, and becomes a task of its own.
"""

import time
from collections.abc import Callable, Iterable

from redwell.core import wire
from redwell.core.media import name_hint
from redwell.core.outcomes import Outcome
from redwell.core.volumes import name_in
from redwell.handlers.members import Held, NeedsOwnTask
from redwell.handlers.outlet import Outlet

_TELL_S = 0.2  # the parent's clock for the task starts anew with each member that it hears of
_MET = 10_000

ReadMember = Callable[[wire.Task, bytes], wire.Done]


class Inside:
    def __init__(self, outlet: Outlet, read: ReadMember) -> None:
        self._outlet, self._read = outlet, read
        self._met: set[int] = set()  # by hash: a logo under a thousand mails is read once or twice, not each time

    def send(self, task: wire.Task, held: Iterable[Held]) -> None:
        self._outlet.frame(wire.Inside(task=task.id))
        self._outlet.flush()
        told = time.monotonic()
        for frame, data in held:
            frame.data = self._outlet.put((data,))
            frame.reading = None if self._is_known(data) else self._reading(task, frame.name, data)
            self._frame(frame)
            if time.monotonic() - told > _TELL_S:
                self._outlet.flush()
                told = time.monotonic()

    def _reading(self, container: wire.Task, name: str, data: bytes) -> wire.Done | None:
        """As of a document of its own: its name says no more than the key of its work does."""
        task = wire.Task(
            id=container.id,
            path="",
            offset=0,
            length=len(data),
            name=name_in(name_hint(name)),
            passwords=container.passwords,
        )
        try:
            done = self._read(task, data)
        except NeedsOwnTask:
            return None
        return None if done.container or done.outcome is Outcome.OUT_OF_MEMORY else done

    def _is_known(self, data: bytes) -> bool:
        met = hash(data)
        if met in self._met:
            return True
        if len(self._met) < _MET:
            self._met.add(met)
        return False

    def _frame(self, frame: wire.Member) -> None:
        try:
            self._outlet.frame(frame)
        except wire.BadFrame:  # two accounts may be too long for one frame
            frame.reading = None
            self._outlet.frame(frame)
