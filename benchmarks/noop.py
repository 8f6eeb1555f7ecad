"""No-op tasks a second, three ways, each against bare SQL in the same rounds; and the time of a claim. Part of engine.

The ledger is measured on copies of one made-up case, so that every round does the same work, and so that what it asks
of SQLite in one of them (recorded_sql) can be asked again by the driver alone on another.
"""

import os
import shutil
import sqlite3
import time
from collections import deque
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from benchmarks import queue
from benchmarks.recorded_sql import Asked, recording, replayed, without_reads
from redwell.adapters.sql.new_case import create_case
from redwell.adapters.sql_ledger.ledger_store import SqlCaseStore
from redwell.adapters.sqlite.database import PRAGMAS, SqliteDatabase
from redwell.core.blobs import Digests, Location, Stored
from redwell.core.case.settled import Limits
from redwell.core.outcomes import Outcome
from redwell.core.work.recipe import Recipe
from redwell.core.work.records import Claim, Found, Read, Result
from redwell.ports.ledger import NewBatch, Want

AT_ONCE = 100
ROUNDS = 3
DONE = object()


@dataclass(slots=True)
class Pair:
    """Tasks a second of ours and of bare SQL, a value per round; the round with the middle ratio counts."""

    ours: list[float] = field(default_factory=list)
    bare: list[float] = field(default_factory=list)

    def add(self, ours: float, bare: float) -> None:
        self.ours.append(ours)
        self.bare.append(bare)

    @property
    def middle(self) -> tuple[float, float]:
        return sorted(zip(self.ours, self.bare, strict=True), key=lambda each: each[0] / each[1])[len(self.ours) // 2]


@dataclass(slots=True)
class Noop:
    queue: Pair = field(default_factory=Pair)
    table: Pair = field(default_factory=Pair)  # the ledger against a table of three columns
    writes: Pair = field(default_factory=Pair)  # the ledger against its own writes
    statements: Pair = field(default_factory=Pair)  # the ledger against all that it asks of SQLite


def store_on(path: Path) -> SqlCaseStore:
    recipe = Recipe(settings="", large_bytes=1 << 30)
    return SqlCaseStore(SqliteDatabase(path), "w", recipe, limits=Limits(9, 9), prefix="RW")


def made_case(path: Path, tasks: int) -> int:
    """A case whose files are read and wait to be worked on, and its batch; the bytes are made up."""
    with closing(SqliteDatabase(path)) as database:
        create_case(database, {"name": "bench"})
    with closing(store_on(path)) as store:
        batch = store.create_batch(NewBatch(type="files", custodian=None, settings={}, sources=["/made/up"]))
        [walk] = store.claim_walks(batch)
        names = [f"{number:08d}" for number in range(tasks)]
        files = [Found(locator=name, name=name, path=name, size=1) for name in names]
        for start in range(0, tasks, 10_000):
            store.add_found(walk, files[start : start + 10_000])
        store.close_walk(walk, [], tasks)
        while reads := store.claim_reads(batch, 10_000):
            store.record_reads([_read(file.id, file.attempt, file.name) for file in reads])
    return batch


def _read(key: int, attempt: int, name: str) -> Read:
    data = name.encode()
    stored = Stored(Digests.of(data), len(data), Location("pack", 0, len(data)))
    return Read(id=key, attempt=attempt, name=name, stored=stored)


def ledger_steps(path: Path, batch: int) -> Iterator[None]:
    """Every task goes through the ledger: claimed, recorded, its exhibit settled. Stops after each transaction."""
    with closing(store_on(path)) as store:
        yield
        while claims := store.claim_work(AT_ONCE, 1 << 30, Want(batch=batch)):
            yield
            store.record([], [_result(claim) for claim in claims])
            yield


def _result(claim: Claim) -> Result:
    return Result(derivation=claim.id, attempt=claim.attempt, outcome=Outcome.SUCCESS, handler="no-op/1")


def asked_by_ledger(path: Path, batch: int) -> list[Asked]:
    """What the same asks of SQLite, from its first transaction to its last."""
    with recording() as asked:
        deque(ledger_steps(path, batch), maxlen=0)
    first = next(at for at, each in enumerate(asked) if each.sql.startswith("BEGIN"))
    return asked[first:]


def table_steps(path: Path, tasks: int) -> Iterator[None]:
    """One table of three columns, a claim and an end per hundred, the same durability."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for pragma in PRAGMAS:
            connection.execute(f"PRAGMA {pragma}").fetchall()
        connection.execute("CREATE TABLE task (id INTEGER PRIMARY KEY, state INTEGER, owner TEXT)")
        connection.execute("CREATE INDEX waiting ON task (id) WHERE state = 0")
        connection.execute("BEGIN")
        connection.executemany("INSERT INTO task (state) VALUES (?)", [(0,)] * tasks)
        connection.execute("COMMIT")
        taken = "SELECT id FROM task WHERE state = 0 ORDER BY id LIMIT ?"
        claim = f"UPDATE task SET state = 1, owner = 'w' WHERE id IN ({taken}) RETURNING id"
        yield
        while True:
            connection.execute("BEGIN IMMEDIATE")
            claimed = connection.execute(claim, (AT_ONCE,)).fetchall()
            connection.execute("COMMIT")
            if not claimed:
                break
            yield
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany("UPDATE task SET state = 2 WHERE id = ? AND state = 1", claimed)
            connection.execute("COMMIT")
            yield


def in_turns(*contestants: Iterator[None]) -> list[float]:
    """Seconds of each, which do a transaction in turn; what they do before their first stop does not count."""
    running = dict(enumerate(contestants))
    took = [0.0] * len(contestants)
    for each in contestants:
        next(each)
    while running:
        for number, each in list(running.items()):
            started = time.perf_counter()
            if next(each, DONE) is DONE:
                del running[number]
            took[number] += time.perf_counter() - started
    return took


def claim_ms(path: Path, batch: int) -> float:
    """The median of twenty; what was claimed goes back."""
    times, held = [], list[tuple[int, int]]()
    with closing(store_on(path)) as store:
        for _ in range(20):
            started = time.perf_counter()
            claims = store.claim_work(AT_ONCE, 1 << 30, Want(batch=batch))
            times.append(1_000 * (time.perf_counter() - started))
            assert len(claims) == AT_ONCE
            held += [(claim.id, claim.attempt) for claim in claims]
        store.release(held)
    return median(times)


def measured(work: Path, tasks: int) -> Noop:
    """All that use the ledger's rows in turns, then the queue, round after round: the machine's speed changes."""
    case = work / "case.sqlite"
    batch = made_case(case, tasks)
    asked = asked_by_ledger(_copy(case, "recorded"), batch)
    noop = Noop()
    with queue.prepared("sqlite", str(work)) as database:
        for number in range(ROUNDS):
            took = in_turns(
                ledger_steps(_copy(case, f"ledger {number}"), batch),
                replayed(_copy(case, f"writes {number}"), without_reads(asked)),
                replayed(_copy(case, f"statements {number}"), asked),
                table_steps(work / f"table {number}.sqlite", tasks),
            )
            ours, *bare = (tasks / seconds for seconds in took)
            for pair, rate in zip((noop.writes, noop.statements, noop.table), bare, strict=True):
                pair.add(ours, rate)
            bare_queue, ours_queue = queue.rates_of("sqlite", str(work), database, tasks)
            noop.queue.add(ours_queue, bare_queue)
    return noop


def _copy(case: Path, name: str) -> Path:
    """On the disk before the clock starts: else its pages would be synced with the first transaction."""
    copy = case.with_name(f"{name}.sqlite")
    shutil.copyfile(case, copy)
    with copy.open("rb") as written:
        os.fsync(written.fileno())
    return copy
