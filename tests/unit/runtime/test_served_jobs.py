"""The open jobs of a case as one process brings them forward (runtime.worker.served_jobs)."""

from types import SimpleNamespace
from typing import cast

import pytest
from tests.unit.runtime.test_job_reach import JOB

from redwell.core.work.transitions import Standing
from redwell.runtime.bootstrap.open_case import Case
from redwell.runtime.worker import served_jobs


class Store:
    """Of a case in which everything waits for somebody else; to see that takes as long as it is told to."""

    def __init__(self) -> None:
        self.now, self.takes_s = 0.0, 0.5
        self.searches: list[int] = []

    def settle_some(self, batch: int) -> int:
        self.now += self.takes_s
        self.searches.append(batch)
        return 0

    def standing(self, _batch: int) -> Standing:
        return Standing.OPEN


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> Store:
    made = Store()
    monkeypatch.setattr(served_jobs, "time", SimpleNamespace(monotonic=lambda: made.now))
    return made


def looked(store: Store, seconds: float) -> None:
    """Twice a second, as a busy process does."""
    jobs = served_jobs.ServedJobs(cast(Case, SimpleNamespace(store=store)), None, "worker")
    while store.now < seconds:
        store.now += 0.5
        jobs.bring_on(JOB, at_rest=True)


def test_a_large_batch_at_rest_is_not_looked_through_over_and_over(store: Store) -> None:
    looked(store, 100)
    assert store.takes_s * len(store.searches) < 10


def test_a_small_batch_at_rest_is_looked_through_at_every_look(store: Store) -> None:
    store.takes_s = 0.0
    looked(store, 10)
    assert len(store.searches) == 1 + 20  # the first of them since a dead worker may have left something behind
