"""Children at work: messages go in, events come out, whatever happens to a child on the way.

Used by the worker's loop, in the parent, from one thread that outlives the pool: the kernel ends a child
when the thread that started it ends.
"""

import contextlib
import selectors
import shutil
import time
from collections.abc import Collection, Sequence
from types import TracebackType

from redwell.core import wire
from redwell.core.errors import DiskFull, SandboxUnavailable, UserError
from redwell.core.lanes import Lane
from redwell.core.outcomes import Outcome
from redwell.extract.child import MESSAGES, Child
from redwell.extract.dialogue import Breach
from redwell.extract.limits import ChildConfig, units
from redwell.extract.results import Broken, Event, Returned, Status
from redwell.extract.scratch import PoolFolder
from redwell.extract.watch import Verdict, cause_of_death, judge

_WATCH_S = 0.25
_EXCUSED_S = 1.0
_STARTS = 3
_DISK_RESERVE = 64 << 20


class Pool:
    def __init__(self, config: ChildConfig, size: int) -> None:
        self._config = config
        self._size = size
        self._folder = PoolFolder(config.scratch)
        self._selector = selectors.DefaultSelector()
        self._children: list[Child] = []
        self._dead: list[Child] = []  # their spools are read until the next wait
        self._events: list[Event] = []
        self._layers: dict[str, str] | None = None
        self._failed_starts = 0
        self._watch_due = self._left_at = time.monotonic()

    def free(self) -> int:
        """How many messages it takes now."""
        rooms = sum(child.dialogue.room for child in self._children)
        return rooms + MESSAGES * (self._size - len(self._children))

    def submit(self, tasks: Sequence[wire.Task], lane: Lane) -> None:
        """Send documents to the least busy child, a new one if all are busy and there may be more."""
        child = min(
            (child for child in self._children if child.dialogue.room),
            key=lambda child: len(child.dialogue.flights),
            default=None,
        )
        if (child is None or child.dialogue.flights) and len(self._children) < self._size:
            child = self._spawn()
        if child is None:
            raise RuntimeError("no room in the pool; ask free() before")
        if child.units >= self._config.life:
            child.renew()
        child.units += units(lane) * len(tasks)
        child.send(child.dialogue.add(tasks, lane, time.monotonic()))
        self._listen(child)

    def wait(self, timeout_s: float) -> list[Event]:
        """What happened since, as soon as something has. Bytes of earlier events are gone then.

        Returns at once, perhaps with nothing, when the events read since the last call make room only now.
        """
        self._excuse_absence()
        deadline = time.monotonic() + (0 if self.release() else timeout_s)
        while not self._events:
            left = deadline - time.monotonic()
            self._turn(max(0, min(left, _WATCH_S)))
            if left <= 0:
                break
        events, self._events = self._events, []
        self._left_at = time.monotonic()
        return events

    def release(self) -> bool:
        """The last events are dealt with: spools and dead children they point at may go. Whether that made room."""
        for child in self._dead:
            child.close()
        self._dead = []
        released = [child.dialogue.release() for child in self._children]
        return any(released)

    def stop(self, tasks: Collection[int]) -> None:
        """Nobody wants these any more: a child that is at one is ended without blame, what waits behind comes back."""
        for child in list(self._children):
            current = child.dialogue.current
            if current and current.id in tasks:
                self._drop(child)
                self._dead.append(child)
                child.kill()
                self._events.append(Returned(child.dialogue.left()))

    def status(self) -> list[Status]:
        return [_status(child) for child in self._children]

    def layers(self) -> dict[str, str]:
        """How each layer of the sandbox stands, as a child says. SandboxUnavailable where it refuses."""
        while self._layers is None:
            if not self._children:
                self._spawn()
            self._turn(_WATCH_S)
        return self._layers

    def close(self) -> None:
        """Every child is dead and every temporary file gone when this returns."""
        for child in [*self._children, *self._dead]:
            child.close()
        self._children, self._dead = [], []
        self._selector.close()
        self._folder.close()

    def __enter__(self) -> "Pool":
        """The first child starts while others look for work."""
        self._spawn()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _spawn(self) -> Child:
        child = Child(self._config, self._folder.new())
        self._children.append(child)
        self._selector.register(child.frames, selectors.EVENT_READ, child)
        self._listen(child)
        return child

    def _listen(self, child: Child) -> None:
        """Send what its request pipe takes, and hear of room in it as long as something waits."""
        waiting = child.requests in self._selector.get_map()
        left = child.write()
        if left and not waiting:
            self._selector.register(child.requests, selectors.EVENT_WRITE, child)
        elif waiting and not left:
            self._selector.unregister(child.requests)

    def _excuse_absence(self) -> None:
        """A child that waited for us to read its pipe is not slow."""
        away = time.monotonic() - self._left_at - _EXCUSED_S
        if away > 0:
            for child in self._children:
                child.dialogue.since += away

    def _turn(self, timeout_s: float) -> None:
        """One round: hear whoever has something to say, and look after the rest now and then."""
        for key, mask in self._selector.select(timeout_s):
            if mask & selectors.EVENT_WRITE:
                self._listen(key.data)
            elif key.data in self._children:
                self._hear(key.data)
        if time.monotonic() >= self._watch_due:
            for child in list(self._children):
                if verdict := judge(child, self._config, time.monotonic()):
                    self._lose(child, verdict)
            self._watch_due = time.monotonic() + _WATCH_S

    def _hear(self, child: Child) -> None:
        data = child.read()
        if data is None:
            return
        if not data:
            self._lose(child, None)
            return
        try:
            for event in child.dialogue.receive(data, time.monotonic()):
                self._events.append(event)
        except Breach as breach:
            self._lose(child, Verdict(Outcome.CRASHED, f"broke protocol: {breach}"))
        if self._layers is None and child.dialogue.layers is not None:
            self._meet(child.dialogue.layers)

    def _meet(self, layers: dict[str, str]) -> None:
        if wire.REFUSED in layers:
            raise SandboxUnavailable(
                f"the sandbox can't be had here: {layers[wire.REFUSED]}. "
                "`--set sandbox=best` goes on with what there is, and the report says so"
            )
        self._layers = layers

    def _lose(self, child: Child, verdict: Verdict | None) -> None:
        """A child is gone, or has to go: one document pays for it, those behind it come back."""
        blamed = child.dialogue.current
        self._drop(child)
        self._dead.append(child)
        code = self._execute(child) if verdict else child.end()
        left = child.dialogue.left()
        if child.dialogue.layers is None:
            self._count_failed_start(child)
        elif code == wire.ChildExit.DISK_FULL and self._disk_is_full():
            raise DiskFull(f"no space left for temporary files in {self._config.scratch}")
        elif child.dialogue.inside:
            pass  # it died on a member, which will be a document of its own: its container comes again without blame
        elif blamed and blamed is child.dialogue.current and not child.asked_to_go(code):
            outcome, detail = verdict or cause_of_death(code)
            self._events.append(Broken(left.pop(0), outcome, detail, child.dialogue.opened))
        if left:
            self._events.append(Returned(left))

    def _execute(self, child: Child) -> int:
        """Kill it, and hear what it had said before: the document may have been done in time."""
        code = child.kill()
        with contextlib.suppress(Breach):
            while data := child.read():
                for event in child.dialogue.receive(data, time.monotonic()):
                    self._events.append(event)
        return code

    def _drop(self, child: Child) -> None:
        self._children.remove(child)
        for fd in (child.frames, child.requests):
            if fd in self._selector.get_map():
                self._selector.unregister(fd)

    def _count_failed_start(self, child: Child) -> None:
        self._failed_starts += 1
        if self._failed_starts >= _STARTS:
            raise UserError(f"children can't start: {child.last_words() or 'they end without a word'}")

    def _disk_is_full(self) -> bool:
        return shutil.disk_usage(self._folder.path).free < _DISK_RESERVE


def _status(child: Child) -> Status:
    task = child.dialogue.current
    lane = child.dialogue.flights[0].lane if task else None
    return Status(child.process.pid, lane, task.id if task else None, task.name if task else "", child.dialogue.since)
