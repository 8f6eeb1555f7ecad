"""Children at work: messages go in, events come out, whatever happens to a child on the way.

Used by the worker's loop, in the parent, from one thread that outlives the pool: the kernel ends a child
when the thread that started it ends.
"""

import contextlib
import selectors
import shutil
import time
from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType, TracebackType

from redwell.core import wire
from redwell.core.errors import DiskFull
from redwell.core.outcomes import Outcome
from redwell.core.work.kinds import Profile
from redwell.core.work.lanes import Lane
from redwell.core.work.profiles import RIGHTS
from redwell.processing.children.child import Child
from redwell.processing.children.dialogue import Breach
from redwell.processing.children.greetings import Greetings
from redwell.processing.children.limits import ChildConfig, units
from redwell.processing.children.lineup import Lineup
from redwell.processing.children.scratch import PoolFolder
from redwell.processing.children.watch import Verdict, cause_of_death, judge, judge_files
from redwell.processing.results import Broken, Event, Returned, Status

_WATCH_S = 0.25
_EXCUSED_S = 1.0
_DISK_RESERVE = 64 << 20
_NO_OTHERS: Mapping[Profile, ChildConfig] = MappingProxyType({})


class Pool:
    """Children of one profile that must be had, and of `others` that are started when something is for them."""

    def __init__(self, config: ChildConfig, size: int, others: Mapping[Profile, ChildConfig] = _NO_OTHERS) -> None:
        self._config = config
        self._configs = {**others, config.profile: config}
        self._folder = PoolFolder(config.scratch)
        self._selector = selectors.DefaultSelector()
        self._children = Lineup(size)
        self._greetings = Greetings(config.profile)
        self._dead: list[Child] = []  # their spools are read until the next wait
        self._events: list[Event] = []
        self._halves: list[tuple[Profile, Lane, list[wire.Task]]] = []  # of messages that a child died of
        self._watch_due = self._left_at = time.monotonic()

    def free(self, profile: Profile = Profile.PARSER) -> int:
        """How many messages it takes now for this profile."""
        refused = profile in self._greetings.refusals or profile not in self._configs
        return 0 if refused or self._halves else self._children.free(profile)

    def room(self) -> frozenset[Profile]:
        """Profiles that take a message now."""
        return frozenset(profile for profile in self._configs if self.free(profile))

    @property
    def refusals(self) -> Mapping[Profile, str]:
        """Profiles that can't be had here, and why: what was sent to them comes back."""
        return self._greetings.refusals

    @property
    def unable(self) -> Mapping[Profile, str]:
        """The same with profiles that nobody has handlers for."""
        missing = {
            profile: "no handler of this kind is installed" for profile in RIGHTS if profile not in self._configs
        }
        return {**missing, **self._greetings.refusals}

    def submit(self, tasks: Sequence[wire.Task], lane: Lane, profile: Profile = Profile.PARSER) -> None:
        """Send documents to the least busy child, a new one if all are busy and there may be more."""
        child = self._children.next(profile)
        if child is None and self._children.has_place(profile):
            child = self._spawn(self._configs[profile])
        if child is None:
            raise RuntimeError("no room in the pool; ask free() before")
        if child.units >= child.config.life:
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
        for child in self._children:
            current = child.dialogue.current
            if current and current.id in tasks:
                self._drop(child)
                self._dead.append(child)
                child.kill()
                self._events.append(Returned(child.dialogue.left()))

    def status(self) -> list[Status]:
        return [_status(child) for child in self._children]

    def hello(self) -> wire.Hello:
        """What a child says of its sandbox and its handlers. SandboxUnavailable where it refuses to work."""
        while (hello := self._greetings.of(self._config.profile)) is None:
            if not self._children.of(self._config.profile):
                self._spawn(self._config)
            self._turn(_WATCH_S)
        return hello

    def close(self) -> None:
        """Every child is dead and every temporary file gone when this returns."""
        for child in [*self._children, *self._dead]:
            child.close()
        self._children, self._dead = Lineup(0), []
        self._selector.close()
        self._folder.close()

    def __enter__(self) -> "Pool":
        """The first child starts while others look for work."""
        self._spawn(self._config)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _spawn(self, config: ChildConfig) -> Child:
        for idle in self._children.to_make_room(config.profile):
            self._drop(idle)
            self._dead.append(idle)  # what it said last may not be read yet
        child = Child(config, self._folder.new())
        self._children.add(child)
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
            for child in self._children:
                if verdict := judge(child, time.monotonic()):
                    self._lose(child, verdict)
            self._watch_due = time.monotonic() + _WATCH_S
        self._send_halves()

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
        if child.dialogue.hello is not None:
            self._greetings.met(child.profile, child.dialogue.hello)

    def _lose(self, child: Child, verdict: Verdict | None) -> None:
        """A child is gone, or has to go: one document pays for it, those behind it come back."""
        blamed = child.dialogue.current
        self._drop(child)
        self._dead.append(child)
        code = self._execute(child) if verdict else child.end()
        if child.dialogue.hello is None:
            self._greetings.missed(child.profile, child.last_words())
        elif code == wire.ChildExit.DISK_FULL and not (verdict := judge_files(child)) and self._disk_is_full():
            raise DiskFull(f"no space left for temporary files in {self._config.scratch}")
        elif child.dialogue.inside:
            pass  # it died on a member, which will be a document of its own: its container comes again without blame
        elif blamed and blamed is child.dialogue.current and not child.asked_to_go(code):
            self._blame(child, verdict or cause_of_death(code))
        if verdict and verdict.outcome is Outcome.CRASHED:
            child.empty()  # what it wrote may be what fills the disk
        if left := child.dialogue.left():
            self._events.append(Returned(left))

    def _blame(self, child: Child, verdict: Verdict) -> None:
        """Of documents that were given together nobody knows which it was, until only one is left."""
        if child.config.rights.together and (parts := child.dialogue.take_apart()):
            self._halves += [(child.profile, child.dialogue.lane, part) for part in parts]
        else:
            outcome, detail = verdict
            said = child.dialogue.opened, child.dialogue.as_task
            self._events.append(Broken(child.dialogue.give_up(), outcome, detail, *said))

    def _send_halves(self) -> None:
        while self._halves and self._children.free(self._halves[0][0]):
            profile, lane, tasks = self._halves.pop(0)
            self.submit(tasks, lane, profile)

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

    def _disk_is_full(self) -> bool:
        return shutil.disk_usage(self._folder.path).free < _DISK_RESERVE


def _status(child: Child) -> Status:
    task = child.dialogue.current
    lane = child.dialogue.lane if task else None
    return Status(child.process.pid, lane, task.id if task else None, task.name if task else "", child.dialogue.since)
