"""What is asked over and over while a case is worked on costs the same in a large case as in a small one.

A plan only says that an index is used, not how much of it is read. So these tests count what SQLite does.
"""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from tests.support.case_stores import OpenStore
from tests.support.ledger_model import stored
from tests.support.sqlite_steps import Steps, counted

from redwell.adapters.sql.new_case import create_case
from redwell.adapters.sql_exhibits.settle_rows import ROWS_PER_STEP
from redwell.adapters.sql_queues.event_log import SqlEventLog
from redwell.adapters.sql_reader.case_reader import SqlCaseReader
from redwell.adapters.sqlite.database import SqliteDatabase
from redwell.adapters.sqlite.read_only import SqliteFile
from redwell.core.case.settled import Limits
from redwell.core.jobs.job import WorkerRow
from redwell.core.outcomes import Outcome
from redwell.core.work.recipe import Recipe
from redwell.core.work.records import Claim, Found, Member, Read, Result
from redwell.core.work.transitions import Standing
from redwell.ports.ledger import NewBatch, Want

SMALL, LARGE = 500, 2_500
FEW = 5
WORKER = WorkerRow(id="w", host="here", pid=1, kind="import", slots=1, started_ms=0)


@dataclass(frozen=True)
class Ledger:
    store: OpenStore
    size: int
    big: int = 0  # the batch that the case is large by
    other: int = 0  # one with a few files

    def begun(self, files: int) -> int:
        """A batch whose files are found."""
        new = NewBatch(type="files", custodian=None, settings={}, sources=["/made/up"])
        batch = self.store.create_batch(new)
        [walk] = self.store.claim_walks(batch)
        names = [f"{batch}-{number:06d}" for number in range(files)]
        self.store.close_walk(walk, [Found(locator=name, name=name, path=name, size=1) for name in names], files)
        return batch

    def read(self, batch: int) -> int:
        while files := self.store.claim_reads(batch, 1_000):
            self.store.record_reads(
                [Read(id=each.id, attempt=each.attempt, name=each.name, stored=stored(each.name)) for each in files]
            )
        return batch

    def claimed(self, batch: int, limit: int = 100) -> list[Claim]:
        return self.store.claim_work(limit, 1 << 30, Want(batch=batch, workers=2))

    def worked_on(self, batch: int) -> int:
        while claims := self.claimed(batch):
            self.store.record([], [done(claim) for claim in claims])
        return batch


def done(claim: Claim) -> Result:
    return Result(derivation=claim.id, attempt=claim.attempt, outcome=Outcome.SUCCESS, handler="made-up/1")


def found(ledger: Ledger) -> Ledger:
    return replace(ledger, big=ledger.begun(ledger.size), other=ledger.read(ledger.begun(FEW)))


def waiting(ledger: Ledger) -> Ledger:
    return replace(ledger, big=ledger.read(ledger.begun(ledger.size)), other=ledger.read(ledger.begun(FEW)))


def in_one_container(ledger: Ledger) -> Ledger:
    """Which is still being read."""
    big = ledger.read(ledger.begun(1))
    [claim] = ledger.claimed(big)
    for start in range(0, ledger.size, 250):
        ledger.store.record([member(claim, number) for number in range(start, start + 250)], [])
    return replace(ledger, big=big, other=ledger.read(ledger.begun(FEW)))


def gathered_in_one_container(ledger: Ledger) -> Ledger:
    """They may be volumes, and are not worked on before it is read to its end."""
    big = ledger.read(ledger.begun(2))
    [claim] = ledger.claimed(big, 1)
    for start in range(0, ledger.size, 250):
        ledger.store.record([member(claim, number, ".zip") for number in range(start, start + 250)], [])
    return replace(ledger, big=big, other=ledger.read(ledger.begun(FEW)))


def member(claim: Claim, number: int, ending: str = "") -> Member:
    name = f"member {number}{ending}"
    return Member(derivation=claim.id, attempt=claim.attempt, locator=name, name=name, stored=stored(name))


def container(ledger: Ledger, batch: int) -> None:
    """One that is read from its beginning to its end."""
    for claim in ledger.claimed(batch, 1):
        ledger.store.record([member(claim, number) for number in range(FEW)], [done(claim)])


def ended(ledger: Ledger) -> Ledger:
    """And not in the index: nor are the few that came later."""
    big = ledger.worked_on(ledger.read(ledger.begun(ledger.size)))
    other = ledger.worked_on(ledger.read(ledger.begun(FEW)))
    assert [ledger.store.standing(batch) for batch in (big, other)] == [Standing.UNINDEXED] * 2
    return replace(ledger, big=big, other=other)


def indexed(ledger: Ledger) -> Ledger:
    big = ledger.worked_on(ledger.read(ledger.begun(ledger.size)))
    while rows := ledger.store.take_to_load(1_000):
        ledger.store.loaded([row.id for row in rows])
    return replace(ledger, big=big, other=ledger.read(ledger.begun(FEW)))


MIXES = (found, waiting, in_one_container, gathered_in_one_container, ended, indexed)


def calls(ledger: Ledger) -> Iterator[tuple[str, Callable[[], object]]]:
    """What the threads of a process do again and again, each of them at least once a second or with each chunk."""
    store = ledger.store
    yield "open_jobs", store.open_jobs
    yield "workers", store.workers
    yield "at_work", store.rows.at_work
    yield "beat", lambda: store.beat(WORKER)
    yield "sweep", lambda: store.sweep(lambda _: True)
    log = SqlEventLog(store.database, 1)
    yield "events", lambda: log.unpack(log.rows(log.told("bus"), 1))
    yield "served", lambda: store.served([ledger.big])
    yield "a container", lambda: container(ledger, ledger.big)
    for batch in (ledger.big, ledger.other):
        yield f"standing {batch}", lambda batch=batch: store.standing(batch)
        yield f"waits {batch}", lambda batch=batch: store.waits_for_more_than(batch, 100)
        yield f"claim {batch}", lambda batch=batch: ledger.claimed(batch, FEW)
        yield f"reads {batch}", lambda batch=batch: store.claim_reads(batch, FEW)
    yield "a new batch", lambda: ledger.read(ledger.begun(FEW))
    claims = ledger.claimed(ledger.big, FEW)
    yield "held", lambda: store.still_held([(claim.id, claim.attempt) for claim in claims])
    yield "path", lambda: store.a_path_of(FEW)
    yield "identity", lambda: store.identity_of(FEW)
    yield "record", lambda: store.record([], [done(claim) for claim in claims])
    yield "pending", lambda: store.take_to_load(FEW)
    yield "open parts", lambda: store.open_parts(ledger.big)
    yield "recognised", lambda: store.recognised_texts(range(FEW))
    yield "parts", lambda: store.rows.parts(range(FEW))
    yield "open rows", lambda: store.open_rows(ledger.other)
    yield "parked", store.rows.parked
    yield "a page", lambda: store.rows.page(f"{FEW} RW{FEW:08}", FEW)
    yield "some exhibits", lambda: store.rows.some(range(FEW))
    yield from at_the_end(store, ledger.other)
    yield "cancel", lambda: store.cancel_some(ledger.other)


def at_the_end(store: OpenStore, batch: int) -> Iterator[tuple[str, Callable[[], object]]]:
    """What an import of a few files asks when it closes, in a case with many others."""
    yield "counts", lambda: store.rows.counts(batch)
    yield "duplicates", lambda: store.rows.duplicates(batch)
    yield "derived", lambda: store.rows.derived(batch)
    yield "parts in", lambda: store.rows.parts_in(batch)
    yield "sources", lambda: store.rows.sources(batch)
    yield "finish", lambda: store.finish_batch(batch)


@contextmanager
def made(folder: Path, size: int) -> Iterator[Ledger]:
    folder.mkdir()
    path = folder / "case.sqlite"
    with closing(SqliteDatabase(path)) as database, closing(SqlCaseReader(SqliteFile(path))) as rows:
        create_case(database, {"name": "flat"})
        recipe = Recipe(settings="", large_bytes=1 << 30)
        store = OpenStore(database, "w", recipe, limits=Limits(9, 9), prefix="RW")
        store.rows = rows
        yield Ledger(store, size)


def measured(folder: Path, mix: Callable[[Ledger], Ledger], size: int) -> dict[str, int]:
    with counted() as steps, made(folder / str(size), size) as empty:
        ledger = mix(empty)
        ledger.store.take_to_load(0)  # numbers are issued once
        return {name: steps.of(call) for name, call in calls(ledger)}


@pytest.mark.parametrize("mix", MIXES)
def test_what_is_asked_again_and_again_costs_the_same_in_a_large_case(
    mix: Callable[[Ledger], Ledger], tmp_path: Path
) -> None:
    small, large = (measured(tmp_path, mix, size) for size in (SMALL, LARGE))
    assert all(small[name] for name in ("standing 1", "claim 1", "a new batch")), "nothing was counted"
    assert {name: (small[name], large[name]) for name in small if large[name] > 1.2 * small[name] + 100} == {}


def test_how_finished_a_case_is_costs_the_same_however_much_is_in_it(tmp_path: Path) -> None:
    """Asked by every command that looks."""
    costs = []
    for size in (SMALL, LARGE):
        with counted() as steps, made(tmp_path / str(size), size) as ledger:
            batch = ledger.worked_on(ledger.read(ledger.begun(size)))
            while rows := ledger.store.take_to_load(1_000):
                ledger.store.loaded([row.id for row in rows])
            assert ledger.store.finish_batch(batch)
            costs.append(steps.of(lambda store=ledger.store: store.rows.completeness(at_work=False)))
    assert 0 < costs[1] <= 1.2 * costs[0] + 100, costs


def test_a_batch_that_is_not_in_the_index_yet_is_not_looked_for_again_and_again(tmp_path: Path) -> None:
    """Among the exhibits of a large one that came meanwhile."""
    with counted() as steps, made(tmp_path / "case", SMALL) as ledger:
        few = ledger.worked_on(ledger.read(ledger.begun(FEW)))
        many = ledger.worked_on(ledger.read(ledger.begun(SMALL)))
        first, second = (steps.of(lambda: ledger.store.standing(few)) for _ in range(2))
        assert second < 1.2 * steps.of(lambda: ledger.store.standing(many)) < first
        assert [ledger.store.standing(batch) for batch in (few, many)] == [Standing.UNINDEXED] * 2


def test_counting_the_documents_of_many_batches_reads_no_row_twice(tmp_path: Path) -> None:
    """`redwell jobs --all`: as many files in one batch or in twenty."""
    costs = []
    for batches in (1, 20):
        with counted() as steps, made(tmp_path / str(batches), SMALL) as ledger:
            keys = [ledger.begun(SMALL // batches) for _ in range(batches)]
            costs.append(steps.of(lambda store=ledger.store, keys=keys: store.rows.counts_by_batch(keys)))
    one, many = costs
    assert 0 < many < 1.5 * one, costs


def test_the_counts_of_a_finished_batch_cost_the_same_however_large_it_is(tmp_path: Path) -> None:
    """`redwell jobs`, `cases`, `report`, by a process that looks for the first time."""
    costs = []
    for size in (SMALL, LARGE):
        with counted() as steps, made(tmp_path / str(size), size) as ledger:
            batch = ledger.worked_on(ledger.read(ledger.begun(size)))
            while taken := ledger.store.take_to_load(1_000):
                ledger.store.loaded([each.id for each in taken])
            assert ledger.store.finish_batch(batch)
            costs.append(steps.of(lambda store=ledger.store: store.rows.counts()))
            assert ledger.store.rows.counts() == {Outcome.SUCCESS: size}
    small, large = costs
    assert 0 < large < 1.2 * small, costs


def test_a_full_step_of_settling_costs_the_same_however_many_came_before(tmp_path: Path) -> None:
    """What earlier steps have settled is not looked for again."""
    with counted() as steps, made(tmp_path / "case", 8 * ROWS_PER_STEP) as ledger:
        batch = ledger.read(ledger.begun(ledger.size))
        costs = [_step(steps, ledger, batch) for _ in range(8)]
    assert max(costs) < 1.2 * min(costs), costs


def test_a_chunk_of_members_costs_the_same_however_long_the_manifest_is(tmp_path: Path) -> None:
    with counted() as steps, made(tmp_path / "case", 1) as ledger:
        [claim] = ledger.claimed(ledger.read(ledger.begun(1)))
        chunks = [[member(claim, number) for number in range(start, start + 200)] for start in range(0, 2_000, 200)]
        ledger.store.record(chunks[0], [])  # of a new manifest nothing has to be looked up
        costs = [steps.of(lambda chunk=chunk: ledger.store.record(chunk, [])) for chunk in chunks[1:]]
    assert max(costs) < 1.2 * min(costs), costs


def _step(steps: Steps, ledger: Ledger, batch: int) -> int:
    claims = ledger.claimed(batch, ROWS_PER_STEP)
    assert len(claims) == ROWS_PER_STEP
    return steps.of(lambda: ledger.store.record([], [done(claim) for claim in claims]))
