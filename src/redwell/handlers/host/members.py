"""The members that a document gives: sent to the parent as they come, or held until the document itself is read.

Made by the task runner for each attempt, in the child. Nothing a handler yields is trusted to fit a frame.
"""

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from redwell.core import handler as piece
from redwell.core import wire
from redwell.core.errors import TooLarge
from redwell.core.outcomes import Outcome
from redwell.core.work.volumes import place_of
from redwell.handlers.host.clean_values import detail_of, plain, plain_metadata
from redwell.handlers.host.frame_writer import FrameWriter

_NAME_CHARS = 4_096
_LOCATOR_CHARS = 4_096
_COPY = 1 << 20
_HELD, _HELD_BYTES = 32, 1 << 20  # of one document; with more than that, members are worth a task each


class NeedsOwnTask(BaseException):
    """What was read right behind its container can't be; no handler's `except Exception` catches it."""


class Held(NamedTuple):
    frame: wire.Member
    data: bytes
    is_readable: bool  # behind its container: its work is known by bytes and name alone, as that of any document is


class Members:
    def __init__(self, task: int, most: int, writer: FrameWriter, *, hold: bool) -> None:
        self.count = 0
        self.with_bytes = 0
        self.last: str | None = None  # the locator that was settled last
        self._task, self._most, self._writer = task, most, writer
        self._hold = hold
        self._held: list[Held] = []
        self._held_bytes = 0

    def open(self, part: piece.Opening) -> None:
        """Flushed at once: if the child dies on this member, the parent must know which it was.

        Nothing is said while members are held: where that ends badly, the next attempt holds none and tells of each.
        """
        if self._hold:
            return
        self._writer.frame(wire.Opened(task=self._task, locator=_locator(part), name=plain(part.name, _NAME_CHARS)))
        self._writer.flush()

    def add(self, part: piece.Child | piece.Lost | piece.Skipped) -> None:
        if self.count >= self._most:
            raise TooLarge(f"over {self._most} members (setting max_members)")
        frame = wire.Member(task=self._task, locator=_locator(part), name="")
        match part:
            case piece.Child():
                frame.name, frame.role = plain(part.name, _NAME_CHARS), part.role
                frame.hash_kind = part.hash_kind
                frame.metadata, _ = plain_metadata(part.metadata)
                if isinstance(part.data, piece.GivenPart):
                    frame.part = part.data.number
                    self._send(frame)
                else:
                    self._add_bytes(frame, part.data)
                self.with_bytes += 1
            case piece.Lost():
                frame.name, frame.outcome = plain(part.name, _NAME_CHARS), Outcome(part.outcome)
                frame.detail = detail_of(part.detail)
                self._send(frame)
            case piece.Skipped():
                frame.detail = detail_of(part.reason)
                self._send(frame)
        self.count += 1
        self.last = frame.locator

    def take_held(self) -> list[Held]:
        """Those still to be sent, in order; whoever takes them sends them."""
        held, self._held = self._held, []
        return held

    def _add_bytes(self, frame: wire.Member, data: bytes | memoryview | Path) -> None:
        if self._hold and isinstance(data, bytes) and self._has_room(data):
            self._held.append(Held(frame, data, _is_readable(frame)))
            self._held_bytes += len(data)
        else:
            self._send_held()
            frame.data = self._writer.put(bytes_of(data))
            self._writer.frame(frame)

    def _has_room(self, data: bytes) -> bool:
        return len(self._held) < _HELD and self._held_bytes + len(data) <= _HELD_BYTES

    def _send(self, frame: wire.Member) -> None:
        self._send_held()
        self._writer.frame(frame)

    def _send_held(self) -> None:
        """Members keep their order, so nothing is held behind one that was sent."""
        self._hold = False
        for frame, data, _ in self.take_held():
            frame.data = self._writer.put((data,))
            self._writer.frame(frame)


class Dropped(Members):
    """What is in the native of a record, where its volume gives that as records of their own."""

    def open(self, part: piece.Opening) -> None:
        pass

    def add(self, part: piece.Child | piece.Lost | piece.Skipped) -> None:
        pass


class NoMembers(Members):
    """For what is read as a member itself."""

    def open(self, part: piece.Opening) -> None:
        raise NeedsOwnTask

    def add(self, part: piece.Child | piece.Lost | piece.Skipped) -> None:
        raise NeedsOwnTask


def _is_readable(frame: wire.Member) -> bool:
    """What may be a volume of a set waits for the others of it."""
    return bool(frame.name) and frame.hash_kind == "bytes" and place_of(frame.name) is None


def _locator(part: piece.Opening | piece.Child | piece.Lost | piece.Skipped) -> str:
    """Never cut: a shortened locator could be another one's."""
    if len(part.locator) > _LOCATOR_CHARS:
        raise ValueError(f"a locator of {len(part.locator)} characters is over the limit of {_LOCATOR_CHARS}")
    return plain(part.locator, _LOCATOR_CHARS)


def bytes_of(data: bytes | memoryview | Path) -> Iterator[bytes | memoryview]:
    """Of a piece; a file below scratch is gone afterwards."""
    if not isinstance(data, Path):
        yield data if isinstance(data, bytes) else memoryview(data).cast("B")
        return
    fd = os.open(data, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            raise ValueError("the bytes of a piece must be in a regular file")
        while chunk := os.read(fd, _COPY):
            yield chunk
    finally:
        os.close(fd)
    data.unlink()
