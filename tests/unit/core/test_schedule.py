"""Who gets the next slot: priority, age, and equal shares of slot time between cases and between jobs."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redwell.core.jobs.priority import LOWEST, effective, order
from redwell.core.jobs.schedule import Schedule, Waiting

pytestmark = pytest.mark.requirement("A4")

HOUR_MS = 3_600_000
priorities = st.integers(0, LOWEST)
stamps = st.integers(0, 1 << 55)


def waiting(case: str, job: int, priority: int = 50, *, created_ms: int = 0, served_ms: int | None = None) -> Waiting:
    served = created_ms if served_ms is None else served_ms
    return Waiting(case=case, job=job, priority=priority, created_ms=created_ms, served_ms=served)


def served(schedule: Schedule, jobs: list[Waiting], turns: int, cost_s: dict[int, float] | None = None) -> list[int]:
    """The job of each turn, when every message takes its time before the next turn."""
    taken = []
    for _ in range(turns):
        first = schedule.ranked(jobs, 0)[0]
        schedule.charge(first.case, first.job, (cost_s or {}).get(first.job, 1.0))
        taken.append(first.job)
    return taken


@given(priorities, stamps, priorities, stamps)
def test_a4_strict_priority_then_the_older_one(one: int, then: int, other: int, later: int) -> None:
    assert (order(one, then) < order(other, later)) == ((one, then) < (other, later))


@given(priorities, st.integers(-HOUR_MS, 1 << 45), st.integers(1, HOUR_MS))
def test_a4_a_waiting_job_gains_a_step_each_interval_until_it_is_first(priority: int, waited: int, step: int) -> None:
    now = effective(priority, waited, step)
    assert 0 <= now <= priority
    assert now == priority if waited < step else effective(priority, waited - step, step) in {now + 1, now}
    assert effective(priority, max(waited, 0) + priority * step, step) == 0
    assert effective(priority, waited, 0) == priority


def test_a_more_urgent_job_goes_first_whatever_it_has_had() -> None:
    schedule = Schedule(0)
    urgent, other = waiting("a", 1, priority=10), waiting("b", 2, priority=50)
    schedule.charge("a", 1, 1_000)
    assert served(schedule, [other, urgent], 3) == [1, 1, 1]


def test_a_starving_job_gets_its_turn_when_it_has_aged_enough() -> None:
    schedule = Schedule(HOUR_MS)
    urgent = waiting("a", 1, priority=10, served_ms=41 * HOUR_MS)
    old = waiting("b", 2, priority=50)
    assert schedule.ranked([urgent, old], 39 * HOUR_MS)[0] is urgent
    assert schedule.ranked([urgent, old], 41 * HOUR_MS)[0] is old


def test_ten_files_never_wait_behind_a_million_in_another_case_or_in_the_same() -> None:
    for case in ("other", "big"):
        schedule = Schedule(0)
        million, ten = waiting("big", 1), waiting(case, 2, created_ms=5)
        served(schedule, [million], 500)
        assert served(schedule, [million, ten], 4).count(2) >= 2


def test_a_pause_saves_nothing_up() -> None:
    schedule = Schedule(0)
    one, other = waiting("a", 1), waiting("b", 2)
    served(schedule, [one, other], 10)
    served(schedule, [one], 1_000)
    assert Counter(served(schedule, [one, other], 100)) == {1: 50, 2: 50}


def test_what_is_on_its_way_counts_before_its_time_is_known() -> None:
    schedule = Schedule(0)
    one, other = waiting("a", 1), waiting("a", 2)
    assert schedule.ranked([one, other], 0)[0] is one
    schedule.begin("a", 1)
    assert schedule.ranked([one, other], 0)[0] is other
    schedule.end("a", 1)
    assert schedule.ranked([one, other], 0)[0] is one


@given(st.lists(st.tuples(st.sampled_from("abc"), st.floats(0.1, 5)), min_size=2, max_size=8))
def test_slot_time_is_shared_equally_between_cases_and_between_their_jobs(found: list[tuple[str, float]]) -> None:
    schedule = Schedule(0)
    jobs = [waiting(case, number) for number, (case, _) in enumerate(found)]
    cost_s = {number: cost for number, (_, cost) in enumerate(found)}
    turns = Counter(served(schedule, jobs, 600, cost_s))
    by_case: dict[str, list[float]] = {}
    for job in jobs:
        by_case.setdefault(job.case, []).append(turns[job.job] * cost_s[job.job])
    totals = [sum(times) for times in by_case.values()]
    dearest = max(cost_s.values())
    assert max(totals) - min(totals) <= dearest + 1e-6
    for times in by_case.values():
        assert max(times) - min(times) <= dearest + 1e-6
