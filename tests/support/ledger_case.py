"""One case on a real store with made-up evidence: imported in steps, indexed, and compared with the model."""

import os
import tempfile
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from typing import Any, cast

from tests.support.case_stores import case_stores
from tests.support.ledger_model import LOCKED, Exhibit, World, stored
from tests.support.ledger_worker import Worker, begin
from tests.support.load_steps import run_steps

from redwell.core.case import rows
from redwell.core.case.filing import folder_of
from redwell.core.outcomes import Outcome
from redwell.core.work.kinds import Attempts
from redwell.core.work.records import Selection
from redwell.load.loading import Loading

# deaths of workers are the test's doing, so they must not count against a document
PATIENT = Attempts(deaths=10_000)
MEMORY = next((folder for folder in ("/dev/shm",) if os.access(folder, os.W_OK)), None)  # no disk to wait for


class Case:
    """One case on a real store, in a folder of its own."""

    def __init__(self, adapter: str, world: World) -> None:
        self.world = world
        self.batches: list[int] = []
        self.index: dict[int, tuple[Any, ...]] = {}
        self.numbers: dict[int, str] = {}  # as they were issued first
        self._resources = ExitStack()
        folder = self._resources.enter_context(tempfile.TemporaryDirectory(dir=MEMORY))
        self._open = self._resources.enter_context(case_stores(adapter, Path(folder), PATIENT))
        self.store = self._open("onlooker")
        self.loading = Loading(self.store, cast(Any, None), cast(Any, None))

    def worker(self, name: str) -> Worker:
        return Worker(name, self._open(name), self.world, reads_members=True)

    def begin(self) -> int:
        self.batches.append(begin(self.store, self.world))
        return self.batches[-1]

    def take(self, limit: int) -> list[tuple[int, tuple[Any, ...]]]:
        """As an indexer does that has just got the lock."""
        self.store.begin_loading()
        taken = self.store.take_to_load(limit)
        for each in taken:
            assert each.control_number == self.numbers.setdefault(each.id, each.control_number), "it never changes"
        run_steps(self.loading, taken)
        self.loading.told_anew.clear()  # it waits in the queue, too
        return [(each.id, searchable(each)) for each in taken]

    def commit(self, taken: list[tuple[int, tuple[Any, ...]]]) -> None:
        self.index.update(taken)
        self.store.loaded([key for key, _ in taken])

    def finish(self, worker: Worker) -> None:
        """To the end, and after a password was found: until nothing is locked any more."""
        worker.complete(self.batches)
        while self.world.unlocked and self.store.reopen(Selection(outcome=LOCKED)):
            worker.complete(self.batches)
        while taken := self.take(50):
            self.commit(taken)

    def check(self) -> None:
        """Everything came out once, is searchable as it is, and the store's own account agrees."""
        for batch in self.batches:
            self.store.finish_batch(batch)
            assert self.store.open_rows(batch).finished
        assert all(row.finished_ms for row in self.store.rows.batches())
        exhibits = list(self.store.rows.exhibits())
        paths = {row.id: row.path for row in exhibits}
        found = Counter(as_expected(row, paths[row.family]) for row in exhibits)
        assert found == Counter(
            {each: times * len(self.batches) for each, times in Counter(self.world.exhibits()).items()}
        )
        self._check_numbers(exhibits)
        self._check_copies([row for row in exhibits if row.family == row.id and row.sha256])
        assert all(row.folder == folder_of(paths[row.family]) for row in exhibits)
        assert self.index == {e.id: searchable(e) for e in exhibits}
        assert stored("poison").digests.sha256 not in {sha256 for sha256, _ in self.store.rows.blobs()}
        self._audit()

    def _check_numbers(self, exhibits: list[rows.Exhibit]) -> None:
        """Heads by the rule, whatever came first, and without a gap; what belongs to one has its number."""
        heads = [row for row in sorted(exhibits, key=lambda row: row.control_number) if row.family == row.id]
        assert [row.control_number for row in heads] == [f"RW{number:08d}" for number in range(1, len(heads) + 1)]
        if not self.world.unlocked:
            for batch in self.batches:
                assert [row.path for row in heads if row.batch == batch] == self.world.in_order_of_numbers()
        assert all(row.control_number.partition(".")[0] == row.family_number for row in exhibits)
        assert len({row.control_number for row in exhibits}) == len(exhibits)
        assert all(row.control_number == self.numbers.setdefault(row.id, row.control_number) for row in exhibits)

    def _check_copies(self, heads: list[rows.Exhibit]) -> None:
        """Of each content one is in front of all others, and as long as nothing was opened again it is the first."""
        for digest in {row.sha256 for row in heads}:
            group = [row for row in heads if row.sha256 == digest]
            [front] = [row for row in group if row.duplicate_of is None]
            assert {row.duplicate_of for row in group} <= {None, front.id}
            if len(self.batches) == 1 and not self.world.unlocked:
                assert front == min(group, key=lambda row: (row.source, row.path, row.ordinal))

    def _audit(self) -> None:
        with self.store.rows.audit() as audit:
            assert list(audit.imbalances()) == []
            assert list(audit.seals()) == []

    def close(self) -> None:
        self._resources.close()


def as_expected(row: rows.Exhibit, family: str) -> Exhibit:
    place = row.control_number.removeprefix(row.family_number)
    return Exhibit(row.path, family, place, row.depth, Outcome(row.outcome), row.sha256)


def searchable(row: rows.Exhibit | rows.ToLoad) -> tuple[Any, ...]:
    return row.outcome, row.name, row.sha256, row.text
