"""A worker as the ledger sees one: it walks, reads, works and indexes by the store's leave, and may die anywhere.

All it knows is in memory, in small steps, so that a test can stop it between any two transactions.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.support.ledger_model import LOCKED, World, as_text, part_name, stored

from redwell.core.errors import StaleClaim
from redwell.core.handler import Options, pending
from redwell.core.outcomes import Code, Outcome
from redwell.core.reading import Problem
from redwell.core.work.records import Claim, Derived, Failure, Member, Read, Result, ToRead, Walk
from redwell.ports.case_store import CaseStore
from redwell.ports.ledger import NewBatch


@dataclass
class Task:
    """A claim, how far its reading has come, and the members that are not recorded yet."""

    claim: Claim
    unlocked: bool
    todo: list[int]
    buffer: list[Member] = field(default_factory=list)


@dataclass
class Worker:
    name: str
    store: CaseStore
    world: World
    walks: list[tuple[Walk, int]] = field(default_factory=list)
    reads: list[ToRead] = field(default_factory=list)
    tasks: list[Task] = field(default_factory=list)
    finished: Counter[tuple[bytes, str]] = field(default_factory=Counter)
    reads_members: bool = False  # some of them, with their container

    def walk(self, batch: int, size: int) -> bool:
        """Register some more files, or close the walk; False when no walk is to be had."""
        if not self.walks:
            self.walks = [(walk, 0) for walk in self.store.claim_walks(batch)]
            return bool(self.walks)
        (walk, start), *others = self.walks
        files = self.world.found(walk.locator)
        chunk, start = files[start : start + size], start + size
        if start >= len(files):
            self.store.close_walk(walk, chunk, len(files))
            self.walks = others
        else:
            self.store.add_found(walk, chunk)
            self.walks = [(walk, start), *others]
        return True

    def claim_reads(self, batch: int, limit: int) -> bool:
        claimed = self.store.claim_reads(batch, limit)
        self.reads += claimed
        return bool(claimed)

    def record_reads(self, count: int) -> None:
        some, self.reads = self.reads[:count], self.reads[count:]
        if some:
            self.store.record_reads([self._read(file) for file in some])

    def _read(self, file: ToRead) -> Read:
        content = self.world.file(file.locator).content
        if content is None:
            gone = Problem(code=Code.FILE_MISSING_OR_INCOMPLETE, detail="gone")
            return Read(
                id=file.id, attempt=file.attempt, name=file.name, outcome=Outcome.INVALID_FILE, problems=(gone,)
            )
        return Read(id=file.id, attempt=file.attempt, name=file.name, stored=self.world.stored(content))

    def claim_work(self, limit: int) -> bool:
        claims = self.store.claim_work(limit, 1 << 20)
        self.tasks += [self._task(claim) for claim in claims]
        return bool(claims)

    def _task(self, claim: Claim) -> Task:
        parts = self.world.parts(self.world.by_sha[claim.sha256])
        options = Options(name="", media_type="", after=claim.after, skip=frozenset(claim.skip))
        todo = [int(locator) for locator in pending(map(str, range(len(parts))), options)]
        return Task(claim, self.world.unlocked, todo)

    def work(self, steps: int, *, flush: bool) -> None:
        """Take the first task some members further, to its end if it comes to that."""
        task = self.tasks[0]
        for ordinal in self._next(task, steps):
            content = self.world.by_sha[task.claim.sha256]
            part = self.world.contents[content].parts[ordinal]
            loss, name = self.world.loss(part, task.unlocked), part_name(ordinal, part)
            if loss and part.kills and loss is not LOCKED:
                self._record(task, [])
                self._die(loss, (str(ordinal), name))
                return
            bytes_ = self.world.stored(part.content) if part.content is not None and not loss else None
            read = self._read_at_once(task, part.content) if bytes_ and part.content is not None else None
            what = {"stored": bytes_, "outcome": loss, "reading": read, "role": part.role}
            task.buffer.append(self._member(task, str(ordinal), name, **what))
        if not task.todo:
            self._end(task)
        elif flush:
            self._record(task, [])

    @staticmethod
    def _next(task: Task, steps: int) -> Iterator[int]:
        for _ in range(min(steps, len(task.todo))):
            yield task.todo.pop(0)

    @staticmethod
    def _member(task: Task, locator: str, name: str, **what: Any) -> Member:
        return Member(derivation=task.claim.id, attempt=task.claim.attempt, locator=locator, name=name, **what)

    def _read_at_once(self, task: Task, number: int) -> Derived | None:
        """Every other content that has no members is read by whoever takes it out, in its container's first attempt."""
        content = self.world.contents[number]
        if not self.reads_members or number % 2 or task.claim.attempt > 1 or content.parts or content.dies:
            return None
        locked = content.locked and not task.unlocked
        return (
            Derived(outcome=LOCKED)
            if locked
            else Derived(outcome=Outcome.SUCCESS, artifacts=as_text(self.world.text(number)))
        )

    def _record(self, task: Task, results: list[Result]) -> int:
        dropped = self.store.record(task.buffer, results)
        task.buffer = []
        return dropped

    def _end(self, task: Task) -> None:
        number = self.world.by_sha[task.claim.sha256]
        content = self.world.contents[number]
        locked = content.locked and not task.unlocked
        if content.dies and not locked:
            self._record(task, [])
            self._die(content.dies, None)
            return
        self.tasks.remove(task)
        assert self._record(task, [self._result(task, LOCKED if locked else Outcome.SUCCESS, number)]) == 0
        self.finished[task.claim.sha256, task.claim.context] += 1

    def _result(self, task: Task, outcome: Outcome, number: int) -> Result:
        parts = () if outcome is LOCKED else self.world.contents[number].parts
        return Result(
            derivation=task.claim.id,
            attempt=task.claim.attempt,
            outcome=outcome,
            artifacts=as_text(None if outcome is LOCKED else self.world.text(number)),
            declared=len(parts) if parts else None,
            container=bool(parts),
        )

    def _die(self, outcome: Outcome, member: tuple[str, str] | None) -> None:
        claim = self.tasks.pop(0).claim
        self.store.blame([failure(claim, outcome, member)])

    def hiccup(self) -> Claim:
        """The child dies of something that has nothing to do with the document."""
        claim = self.tasks.pop(0).claim
        self.store.blame([failure(claim, Outcome.CRASHED)])
        return claim

    def release(self) -> None:
        self.store.release([(task.claim.id, task.claim.attempt) for task in self.tasks])
        self.tasks = []

    def haunt(self) -> None:
        """Try to write what was in memory when it was taken for dead, and worse: none of it may count."""
        for walk, _ in self.walks:
            refused = False
            try:
                self.store.close_walk(walk, [], 0)
            except StaleClaim:
                refused = True
            assert refused
        poison = stored("poison")
        self.store.record_reads([Read(id=r.id, attempt=r.attempt, name=r.name, stored=poison) for r in self.reads])
        for task in self.tasks:
            reading = Derived(outcome=Outcome.INVALID_FILE, artifacts=as_text(poison))
            member = self._member(task, "poison", "poison", stored=poison, reading=reading)
            result = Result(
                derivation=task.claim.id,
                attempt=task.claim.attempt,
                outcome=Outcome.INVALID_FILE,
                artifacts=as_text(poison),
            )
            assert self.store.record([*task.buffer, member], [result]) == 1
        self.store.blame([failure(t.claim, Outcome.TIMED_OUT, ("poison", "poison")) for t in self.tasks])
        self.store.release([(task.claim.id, task.claim.attempt) for task in self.tasks])

    def complete(self, batches: list[int], chunk: int = 3) -> None:
        """Everything that is left, as one undisturbed worker does it."""
        for _ in range(2_000):
            moved = [self.walk(batch, chunk) or self.claim_reads(batch, chunk) for batch in batches]
            self.record_reads(len(self.reads))
            moved.append(self.claim_work(chunk))
            while self.tasks:
                self.work(2, flush=True)
            moved.append(bool(self.store.settle_some()))
            if not any(moved):
                return
        raise AssertionError("no end after 2,000 rounds")


def failure(claim: Claim, outcome: Outcome, member: tuple[str, str] | None = None) -> Failure:
    return Failure(derivation=claim.id, attempt=claim.attempt, outcome=outcome, detail="it died", member=member)


def begin(store: CaseStore, world: World, custodian: str | None = None) -> int:
    return store.create_batch(NewBatch(type="files", custodian=custodian, settings={}, sources=world.source_names()))


def imported(store: CaseStore, world: World, custodian: str | None = None) -> int:
    """A batch of the world, done to its end but for the index."""
    batch = begin(store, world, custodian)
    Worker("w1", store, world).complete([batch], chunk=100)
    return batch


def read_all(store: CaseStore, world: World) -> int:
    """Every file of the world is read; nothing is worked on yet."""
    batch, worker = begin(store, world), Worker("w1", store, world)
    while worker.walk(batch, 100) or worker.claim_reads(batch, 100):
        worker.record_reads(100)
    return batch


def dead(*names: str) -> Callable[[str], bool]:
    """For `sweep`: all but these are alive."""
    return lambda name: name not in names
