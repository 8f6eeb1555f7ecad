"""Small members read right behind the document they came out of: each is sent with what came of it.

Used by the task runner, in the child. A mail and what is attached to it are one task then, not one for each: nothing is
claimed, sent and asked for again. A member that is no good for this, such as an archive, is sent as it is between the
others, and becomes a task of its own.
"""

import time
from collections.abc import Callable, Sequence

from redwell.core import wire
from redwell.core.outcomes import Outcome
from redwell.core.type_hints import name_hint
from redwell.core.work.volumes import name_in
from redwell.handlers.host.frame_writer import FrameWriter
from redwell.handlers.host.members import Held, NeedsOwnTask

_TELL_S = 0.2  # the parent's clock for the task starts anew with each sign of life
_ROOM = 4 << 20
_MET = 10_000

ReadMember = Callable[[wire.Task, bytes], wire.Done]


class InsideReader:
    def __init__(self, writer: FrameWriter, read: ReadMember) -> None:
        self._writer, self._read = writer, read
        self._met: set[int] = set()  # by hash: a logo under a thousand mails is read once or twice, not each time

    def send(self, task: wire.Task, held: Sequence[Held], text_bytes: int) -> None:
        """All of them together, when the last is read; `text_bytes` of the document itself follow."""
        behind = text_bytes + sum(len(member.data) for member in held)
        if self._writer.exceeded or self._writer.room < behind + _ROOM:
            frames = [self._as_it_is(member) for member in held]
        else:
            with self._writer.keeping_free(behind):
                frames = self._read_all(task, held)
        for frame in frames:
            self._frame(frame)

    def _as_it_is(self, member: Held) -> wire.Member:
        member.frame.data = self._writer.put((member.data,))
        return member.frame

    def _read_all(self, task: wire.Task, held: Sequence[Held]) -> list[wire.Member]:
        frames, told = [], 0.0
        for member in held:
            if time.monotonic() - told > _TELL_S:
                self._writer.frame(wire.Inside(task=task.id))
                self._writer.flush()
                told = time.monotonic()
            with self._writer.keeping_free(-len(member.data)):  # this much was kept for it
                frame = self._as_it_is(member)
            if member.is_readable and not self._is_known(member.data):
                frame.reading = self._reading(task, frame, member.data)
            frames.append(frame)
        return frames

    def _reading(self, container: wire.Task, frame: wire.Member, data: bytes) -> wire.Done | None:
        """As of a document of its own: its name says no more than the key of its work does."""
        task = wire.Task(
            id=container.id,
            path="",
            offset=0,
            length=len(data),
            name=name_in(name_hint(frame.name)),
            passwords=container.passwords,
        )
        try:
            done = self._read(task, data)
        except (NeedsOwnTask, OSError):
            return None
        unfit = done.container or self._writer.exceeded or done.outcome is Outcome.OUT_OF_MEMORY
        return None if unfit else done

    def _is_known(self, data: bytes) -> bool:
        met = hash(data)
        if met in self._met:
            return True
        if len(self._met) < _MET:
            self._met.add(met)
        return False

    def _frame(self, frame: wire.Member) -> None:
        try:
            self._writer.frame(frame)
        except wire.BadFrame:  # two accounts may be too long for one frame
            frame.reading = None
            self._writer.frame(frame)
