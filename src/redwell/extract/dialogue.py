"""What was said to a child and what it may say now. Every frame is judged here before anyone acts on it.

Used by the pool, in the parent; knows nothing of processes. A child that breaks the protocol raises Breach.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import get_args

from redwell.core import wire
from redwell.core.handler import Role
from redwell.core.lanes import Lane
from redwell.extract.results import Event, Finished, MemberFound
from redwell.extract.spool import Spool, Spooled

_ROLES = frozenset(get_args(Role))
_FRAMES_BESIDES_MEMBERS = 1_000
_LARGEST_COUNT = 1 << 53


class Breach(ValueError):
    """The child does not keep to the protocol; nothing more is believed of it."""


@dataclass(slots=True)
class Flight:
    """A message that the child has not finished."""

    spool: int
    lane: Lane
    tasks: deque[wire.Task]


class Dialogue:
    def __init__(self, spools: Sequence[Spool], max_members: int) -> None:
        self._spools = spools
        self._free = deque(range(len(spools)))
        self._consumed: list[int] = []
        self._buffer = wire.FrameBuffer()
        self._max_frames = 2 * max_members + _FRAMES_BESIDES_MEMBERS
        self._frames = 0
        self._broken = False
        self.flights: deque[Flight] = deque()
        self.layers: dict[str, str] | None = None
        self.opened: tuple[str, str] | None = None
        self.inside = False  # the current document is read, its members are being
        self.since = 0.0  # when the current document began, or gave its last member
        self.finished = 0

    @property
    def current(self) -> wire.Task | None:
        """The document being worked on: tasks are done in order."""
        return self.flights[0].tasks[0] if self.flights else None

    @property
    def room(self) -> int:
        """Messages it can take. Nothing waits behind a large document, which may take long."""
        return 0 if any(flight.lane is Lane.LARGE for flight in self.flights) else len(self._free)

    def add(self, tasks: Sequence[wire.Task], lane: Lane, now: float) -> wire.Message:
        if not self.flights:
            self._begin(now)
        flight = Flight(self._free.popleft(), lane, deque(tasks))
        self.flights.append(flight)
        return wire.Message(spool=flight.spool, tasks=list(tasks))

    def left(self) -> list[int]:
        """Every document in flight, in order."""
        return [task.id for flight in self.flights for task in flight.tasks]

    def release(self) -> bool:
        """Spools whose slices everybody has read may be used again; whether there were any."""
        released, self._consumed = self._consumed, []
        for spool in released:
            self._spools[spool].clear()
        for flight in self.flights:
            self._spools[flight.spool].forget()
        self._free.extend(released)
        return bool(released)

    def receive(self, data: bytes, now: float) -> Iterator[Event]:
        """The events in these bytes. After a Breach nothing more is heard."""
        if self._broken:
            return
        try:
            for body in self._buffer.feed(data):
                event = self._take(wire.decode_from_child(body), now)
                if event:
                    yield event
        except (wire.BadFrame, ValueError) as error:
            self._broken = True
            raise Breach(str(error)) from None

    def _take(self, frame: wire.FromChild, now: float) -> Event | None:
        """One frame, judged; handlers make their strings fit beforehand (handlers.plain)."""
        self._frames += 1
        if self._frames > self._max_frames:
            raise Breach(f"over {self._max_frames} frames for one document")
        match frame:
            case wire.Hello():
                self._hello(frame, now)
                return None
            case wire.Opened():
                self._open(frame)
                return None
            case wire.Inside():
                self._enter(frame, now)
                return None
            case wire.Member():
                return self._member(frame, now)
            case wire.Done():
                return self._done(frame, now)

    def _open(self, frame: wire.Opened) -> None:
        """A handler that opens a member which is already settled is itself to blame for what happens there."""
        task = self._expect(frame.task)
        _check_texts(frame.locator, frame.name)
        settled = frame.locator == task.after or frame.locator in task.skip
        self.opened = None if settled else (frame.locator, frame.name)

    def _enter(self, frame: wire.Inside, now: float) -> None:
        if not self._expect(frame.task).inside:
            raise Breach("members are read that nobody asked for")
        self.inside, self.since = True, now

    def _hello(self, hello: wire.Hello, now: float) -> None:
        if self.layers is not None:
            raise Breach("a second hello")
        self.layers = hello.layers
        self._begin(now)

    def _member(self, member: wire.Member, now: float) -> MemberFound:
        """A container that gives members makes progress: its clock starts anew with each of them."""
        self._expect(member.task)
        self.since = now
        _check_texts(member.locator, member.name, member.detail)
        if member.role not in _ROLES or (member.data is not None and member.outcome is not None):
            raise Breach("a member that can't be")
        if self.opened and self.opened[0] == member.locator:
            self.opened = None
        data, reading = self._spooled(member.data), member.reading
        if reading is None:
            return MemberFound(member.task, member, data)
        if not self.inside or data is None or reading.container or reading.declared is not None:
            raise Breach("a member that can't have been read at once")
        self._expect(reading.task)
        _check_done(reading)
        return MemberFound(member.task, member, data, self._spooled(reading.text))

    def _done(self, done: wire.Done, now: float) -> Finished:
        self._expect(done.task)
        _check_done(done)
        finished = Finished(done.task, done, self._spooled(done.text))
        flight = self.flights[0]
        flight.tasks.popleft()
        if not flight.tasks:
            self.flights.popleft()
            self._consumed.append(flight.spool)
        self.finished += 1
        self._begin(now)
        return finished

    def _expect(self, task: int) -> wire.Task:
        if self.layers is None:
            raise Breach("no hello")
        current = self.current
        if current is None or current.id != task:
            raise Breach(f"a frame for task {task}, which is not its turn")
        return current

    def _spooled(self, named: wire.Slice | None) -> Spooled | None:
        return self._spools[self.flights[0].spool].slice(named) if named else None

    def _begin(self, now: float) -> None:
        self.since, self.opened, self.inside, self._frames = now, None, False, 0


def _check_done(done: wire.Done) -> None:
    _check_texts(done.detail, done.media_type, done.kind, done.handler)
    counts = done.text_chars, done.pages or 0, done.declared or 0
    if min(counts) < 0 or max(counts) >= _LARGEST_COUNT:
        raise Breach("a count that can't be")


def _check_texts(*texts: str) -> None:
    """Not every database can keep a NUL, and none of these may have one."""
    if "\0" in "".join(texts):
        raise Breach("a NUL in a text")
