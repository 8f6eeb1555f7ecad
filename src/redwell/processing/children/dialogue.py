"""What was said to a child and what it may say now. Every frame is judged here before anyone acts on it.

Used by the pool, in the parent; knows nothing of processes. A child that breaks the protocol raises Breach.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import get_args

from redwell.core import wire
from redwell.core.handler import Role
from redwell.core.work.kinds import TaskType
from redwell.core.work.lanes import Lane
from redwell.processing.children.spool import Spool, Spooled
from redwell.processing.results import Event, Finished, Left, MemberFound

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
    has_given: bool = False  # a document of it is done


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
        self.hello: wire.Hello | None = None
        self.opened: tuple[str, str] | None = None
        self.as_task: TaskType | None = None  # what the current document turned out to be
        self.inside = False  # the current document is read, its members are being
        self.since = 0.0  # when the current document began, or gave its last member
        self.finished = 0

    @property
    def current(self) -> wire.Task | None:
        """The document being worked on: tasks are done in order."""
        return self.flights[0].tasks[0] if self.flights else None

    @property
    def lane(self) -> Lane:
        """Of the message that it is at."""
        return self.flights[0].lane

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

    def give_up(self) -> int:
        """The current document, which comes to no result."""
        return self.flights[0].tasks.popleft().id

    def take_apart(self) -> list[list[wire.Task]]:
        """What is left of the current message in two parts, to be tried again; nothing where it is one document.

        Where some of it was done before, the next in turn is most likely what was at work: it goes alone.
        """
        flight = self.flights[0]
        left = list(flight.tasks)
        if len(left) < 2:
            return []
        flight.tasks.clear()
        cut = 1 if flight.has_given else len(left) // 2
        return [left[:cut], left[cut:]]

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
        """One frame, judged; handlers make their strings fit beforehand (handlers.host.clean_values)."""
        self._frames += 1
        if self._frames > self._max_frames:
            raise Breach(f"over {self._max_frames} frames for one document")
        match frame:
            case wire.Hello():
                self._hello(frame, now)
                return None
            case wire.Begun():
                self._expect(frame.task)
                self.as_task = frame.as_task
                return None
            case wire.Opened():
                self._open(frame)
                return None
            case wire.Inside():
                self._enter(frame, now)
                return None
            case wire.Member():
                return self._member(frame, now)
            case wire.Left():
                return self._left(frame, now)
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
        if self.hello is not None:
            raise Breach("a second hello")
        self.hello = hello
        self._begin(now)

    def _member(self, member: wire.Member, now: float) -> MemberFound:
        """A container that gives members makes progress: its clock starts anew with each of them."""
        if self._expect(member.task).only_type:
            raise Breach("a member of what was only to be named")
        self.since = now
        _check_texts(member.locator, member.name, member.detail)
        has_bytes = (member.data is not None) + (member.part is not None)
        if member.role not in _ROLES or has_bytes > 1 or (has_bytes and member.outcome is not None):
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
        _check_parts(reading, 0)
        return MemberFound(member.task, member, data, self._all_spooled(reading))

    def _done(self, done: wire.Done, now: float) -> Finished:
        self._expect(done.task)
        _check_done(done)
        _check_parts(done, len(self._expect(done.task).volumes))
        finished = Finished(done.task, done, self._all_spooled(done))
        self._end_current(now)
        return finished

    def _left(self, left: wire.Left, now: float) -> Left:
        if self._expect(left.task).unpack:
            raise Breach("a container is left that was to be unpacked")
        self._end_current(now)
        return Left(left.task)

    def _end_current(self, now: float) -> None:
        flight = self.flights[0]
        flight.tasks.popleft()
        flight.has_given = True
        if not flight.tasks:
            self.flights.popleft()
            self._consumed.append(flight.spool)
        self.finished += 1
        self._begin(now)

    def _expect(self, task: int) -> wire.Task:
        if self.hello is None:
            raise Breach("no hello")
        current = self.current
        if current is None or current.id != task:
            raise Breach(f"a frame for task {task}, which is not its turn")
        return current

    def _all_spooled(self, done: wire.Done) -> list[Spooled | None]:
        return [self._spooled(made.data) for made in done.made]

    def _spooled(self, named: wire.Slice | None) -> Spooled | None:
        return self._spools[self.flights[0].spool].slice(named) if named else None

    def _begin(self, now: float) -> None:
        self.since, self.opened, self.as_task, self.inside, self._frames = now, None, None, False, 0


def _check_done(done: wire.Done) -> None:
    _check_texts(done.detail, done.media_type, done.kind, done.handler)
    counts = [done.pages or 0, done.declared or 0]
    for made in done.made:
        _check_texts(made.media_type)
        counts += (made.number, made.last or 0, made.amount)
    if min(counts) < 0 or max(counts) >= _LARGEST_COUNT:
        raise Breach("a count that can't be")


def _check_parts(done: wire.Done, count: int) -> None:
    """Something made has bytes, or is one of the contents that its task came with."""
    for made in done.made:
        if (made.data is None) == (made.part is None) or not 0 <= (made.part or 0) < max(count, 1):
            raise Breach("something made that can't be")


def _check_texts(*texts: str) -> None:
    """Not every database can keep a NUL, and none of these may have one."""
    if "\0" in "".join(texts):
        raise Breach("a NUL in a text")
