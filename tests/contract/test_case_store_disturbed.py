"""Whatever is killed on the way, the same exhibits come out: random evidence, random workers, random deaths.

Two or three workers share a real store. At any moment one may die with all it had in memory; it is swept some
time later, and then its ghost comes back and tries to write. In the end a last worker does what is left.
"""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule
from tests.support.case_stores import DATABASES, OpenStore
from tests.support.ledger_case import PATIENT, Case
from tests.support.ledger_model import LARGE_BYTES, LOCKED, World, worlds
from tests.support.ledger_worker import Worker

from redwell.core.outcomes import Outcome
from redwell.core.work.records import Selection

WORKERS = st.integers(0, 2)
FEW = st.integers(1, 4)


quick = settings(deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
EXAMPLES = {"sqlite": 30, "postgres": 10}  # a schema takes longer to make than a file


@pytest.mark.parametrize("adapter", DATABASES)
def test_an_undisturbed_run_brings_out_what_the_model_says_and_works_on_each_content_once(adapter: str) -> None:
    @settings(quick, max_examples=EXAMPLES[adapter])
    @given(world=worlds())
    def run(world: World) -> None:
        with closing(Case(adapter, world)) as case:
            case.begin()
            worker = case.worker("alone")
            case.finish(worker)
            case.check()
            assert set(worker.finished.values()) <= {1}

    run()


@pytest.mark.parametrize("adapter", DATABASES)
def test_workers_that_write_at_the_same_time_bring_out_the_same(adapter: str) -> None:
    @settings(quick, max_examples=EXAMPLES[adapter])
    @given(world=worlds())
    def run(world: World) -> None:
        with closing(Case(adapter, world)) as case, ThreadPoolExecutor(3) as pool:
            case.begin()
            workers = [case.worker(f"at-once-{number}") for number in range(3)]
            for done in [pool.submit(worker.complete, case.batches) for worker in workers]:
                done.result()
            last = case.worker("last")
            case.finish(last)
            case.check()
            assert set(_finished([*workers, last]).values()) <= {1}

    run()


def _finished(workers: list[Worker]) -> Counter[tuple[bytes, str]]:
    return sum((worker.finished for worker in workers), Counter())


class Disturbed(RuleBasedStateMachine):
    adapter = "sqlite"

    def __init__(self) -> None:
        super().__init__()
        self.case: Case | None = None
        self.names = 0
        self.reopened = 0
        self.hiccups: Counter[int] = Counter()
        self.swept: list[Worker] = []  # dead, and everybody knows
        self.dead: list[Worker] = []
        self.taken: list[tuple[int, tuple[Any, ...]]] = []

    @initialize(world=worlds())
    def import_evidence(self, world: World) -> None:
        self.case = Case(self.adapter, world)
        self.case.begin()
        self.workers = [self.new_worker() for _ in range(3)]
        self.bustle(0, rounds=4)

    def new_worker(self) -> Worker:
        assert self.case
        self.names += 1
        return self.case.worker(f"worker-{self.names}")

    @property
    def store(self) -> OpenStore:
        assert self.case
        return self.case.store

    @property
    def batch(self) -> int:
        assert self.case
        return self.case.batches[-1]

    @rule(which=WORKERS, size=FEW)
    def walk(self, which: int, size: int) -> None:
        self.workers[which].walk(self.batch, size)

    @rule(which=WORKERS, limit=FEW)
    def claim_reads(self, which: int, limit: int) -> None:
        self.workers[which].claim_reads(self.batch, limit)

    @rule(which=WORKERS, count=FEW)
    def record_reads(self, which: int, count: int) -> None:
        self.workers[which].record_reads(count)

    @rule(which=WORKERS, limit=FEW)
    def claim_work(self, which: int, limit: int) -> None:
        self.workers[which].claim_work(limit)
        self.haunt()

    @rule(which=WORKERS, steps=FEW, flush=st.booleans())
    def work(self, which: int, steps: int, flush: bool) -> None:
        if self.workers[which].tasks:
            self.workers[which].work(steps, flush=flush)

    @rule(which=WORKERS, rounds=FEW)
    def bustle(self, which: int, rounds: int) -> None:
        """What a worker does most of the time, so that a run gets somewhere."""
        worker = self.workers[which]
        for _ in range(rounds):
            worker.walk(self.batch, 3)
            worker.claim_reads(self.batch, 4)
            worker.record_reads(3)
            worker.claim_work(4)
            if worker.tasks:
                worker.work(2, flush=True)

    @rule(which=WORKERS)
    def hiccup(self, which: int) -> None:
        tasks = self.workers[which].tasks
        if tasks and self._may_hiccup(tasks[0].claim.id, tasks[0].claim.sha256):
            self.hiccups[self.workers[which].hiccup().id] += 1

    def _may_hiccup(self, key: int, sha256: bytes) -> bool:
        """Fewer deaths than a healthy document may have; one that dies by itself has none to spare."""
        assert self.case
        number = self.case.world.by_sha[sha256]
        content, size = self.case.world.contents[number], self.case.world.stored(number).size
        greedy = any(part.kills and part.lost is not Outcome.CRASHED for part in content.parts)
        small = 0 if greedy or size > LARGE_BYTES else PATIENT.small
        return not content.dies and self.hiccups[key] < small + PATIENT.large - 1

    @rule(which=WORKERS)
    def release(self, which: int) -> None:
        self.workers[which].release()

    @rule(which=WORKERS)
    def kill(self, which: int) -> None:
        self.dead.append(self.workers[which])
        self.workers[which] = self.new_worker()

    @rule()
    def sweep(self) -> None:
        dead = {worker.name for worker in self.dead}
        self.store.sweep(lambda name: name not in dead)
        self.swept, self.dead = self.swept + self.dead, []
        self.haunt()

    def haunt(self) -> None:
        """Frozen workers that were taken for dead wake up, when their work is free and when others have it."""
        for ghost in self.swept:
            ghost.haunt()

    @rule()
    def settle(self) -> None:
        self.store.settle_some()

    @rule(limit=FEW)
    def take_pending(self, limit: int) -> None:
        """An indexer that was killed before it committed leaves what it took to the next one."""
        assert self.case
        self.taken = self.case.take(limit)

    @rule()
    def commit_index(self) -> None:
        assert self.case
        self.case.commit(self.taken)
        self.taken = []

    @precondition(lambda self: self.reopened < 3)
    @rule(outcome=st.sampled_from([LOCKED, LOCKED, Outcome.PARTIAL, Outcome.CRASHED, Outcome.SUCCESS]))
    def reopen(self, outcome: Outcome) -> None:
        assert self.case
        self.reopened += 1
        self.case.world.unlocked |= outcome is LOCKED
        self.store.reopen(Selection(outcome=outcome))

    @precondition(lambda self: self.case and len(self.case.batches) == 1 and not self.walking())
    @rule()
    def import_the_same_again(self) -> None:
        assert self.case
        self.case.begin()

    def walking(self) -> int:
        return self.store.open_rows(self.batch).walks

    def teardown(self) -> None:
        if self.case is None:
            return
        try:
            last = self.new_worker()
            self.store.sweep(lambda name: name == last.name)
            for ghost in (*self.swept, *self.dead, *self.workers):
                ghost.haunt()
            self.case.finish(last)
            self.case.check()
            self._check_once(last)
        finally:
            self.case.close()

    def _check_once(self, last: Worker) -> None:
        """Only a retry works on a content again."""
        if not self.reopened:
            assert set(_finished([*self.swept, *self.dead, *self.workers, last]).values()) <= {1}


class DisturbedOnPostgres(Disturbed):
    adapter = "postgres"


disturbed = settings(
    max_examples=60,
    stateful_step_count=40,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
TestDisturbed, TestDisturbedOnPostgres = Disturbed.TestCase, DisturbedOnPostgres.TestCase
TestDisturbed.settings = disturbed
TestDisturbedOnPostgres.settings = settings(disturbed, max_examples=15)
