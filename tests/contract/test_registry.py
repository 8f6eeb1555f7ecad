"""What every worker registry promises (ports.messaging.registry), and what jobs make of it."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.support.services import Services

from redwell.core.jobs.worker_services import Service, Status, claimed, joined, released
from redwell.ports.messaging.registry import Registry
from redwell.runtime.cluster.service_claims import Races, claim, finish

pytestmark = pytest.mark.requirement("A3")


@pytest.fixture
def registry(services: Services) -> Registry:
    return services.registry()


def add(registry: Registry, *names: str) -> list[Service]:
    made = [Service(id=name, service_ref=f"workers/{name}", scaling_ref=f"scaling/{name}") for name in names]
    for each in made:
        registry.add(each)
    return made


def oldest_first(jobs: frozenset[int]) -> tuple[int, int]:
    return min(jobs), 4


def test_a_row_comes_back_as_it_was_written(registry: Registry) -> None:
    [free] = add(registry, "a")
    assert registry.get("a") == free
    busy = joined(claimed(free, case=7, job=70, worker_limit=3), job=71)
    assert registry.replace(free, busy)
    assert registry.get("a") == busy
    assert (busy.status, busy.job, busy.jobs) == (Status.BUSY, 70, {70, 71})
    assert registry.get("b") is None


def test_services_are_found_by_status_and_by_case(registry: Registry) -> None:
    one, two, three = add(registry, "a", "b", "c")
    busy = claimed(two, case=7, job=1, worker_limit=0)
    assert registry.replace(two, busy)
    assert registry.find() == [one, busy, three]
    assert registry.find(status=Status.FREE) == [one, three]
    assert registry.find(status=Status.BUSY) == registry.find(case=7) == [busy]
    assert registry.find(case=8) == registry.find(case=7, status=Status.FREE) == []


def test_adding_a_service_again_leaves_it_as_it_is(registry: Registry) -> None:
    [free] = add(registry, "a")
    busy = claimed(free, case=7, job=1, worker_limit=0)
    assert registry.replace(free, busy)
    add(registry, "a")
    assert registry.get("a") == busy


def test_a_service_that_is_removed_frees_its_case(registry: Registry) -> None:
    one, two = add(registry, "a", "b")
    assert registry.replace(one, claimed(one, case=7, job=1, worker_limit=0))
    registry.remove("a")
    registry.remove("a")
    assert registry.find() == [two]
    assert registry.replace(two, claimed(two, case=7, job=1, worker_limit=0))


def test_only_one_of_two_who_saw_the_same_row_replaces_it(services: Services, registry: Registry) -> None:
    [free] = add(registry, "a")
    first, second = (claimed(free, case, job=1, worker_limit=0) for case in (7, 8))
    assert registry.replace(free, first)
    assert not services.registry().replace(free, second)
    assert registry.get("a") == first


def test_a_case_never_has_two_services(registry: Registry) -> None:
    one, two = add(registry, "a", "b")
    busy = claimed(one, case=7, job=1, worker_limit=0)
    assert registry.replace(one, busy)
    assert not registry.replace(two, claimed(two, case=7, job=2, worker_limit=0))
    assert registry.get("b") == two
    assert registry.replace(busy, released(busy))
    assert registry.replace(two, claimed(two, case=7, job=2, worker_limit=0))


def test_a_job_claims_a_free_service_and_further_jobs_of_its_case_join_it(registry: Registry) -> None:
    add(registry, "a", "b")
    first = claim(registry, case=7, job=1, worker_limit=5)
    assert first and first.job == 1 and first.worker_limit == 5
    second = claim(registry, case=7, job=2, worker_limit=9)
    assert second and (second.id, second.job, second.jobs) == (first.id, 1, {1, 2})
    assert claim(registry, case=7, job=2, worker_limit=9) == second
    other = claim(registry, case=8, job=3, worker_limit=0)
    assert other and other.id != first.id
    assert claim(registry, case=9, job=4, worker_limit=0) is None


def test_a_service_rotates_to_the_next_job_and_is_free_after_the_last(registry: Registry) -> None:
    add(registry, "a")
    for job in (3, 2, 1):
        claim(registry, case=7, job=job, worker_limit=9)
    after = finish(registry, "a", 2, oldest_first)
    assert after and (after.job, after.jobs, after.worker_limit) == (3, {1, 3}, 9)
    after = finish(registry, "a", 3, oldest_first)
    assert after and (after.job, after.jobs, after.worker_limit) == (1, {1}, 4)
    assert finish(registry, "a", 3, oldest_first) == after
    after = finish(registry, "a", 1, oldest_first)
    assert after and (after.status, after.case, after.job, after.jobs) == (Status.FREE, None, None, frozenset())
    assert after.service_ref == "workers/a"
    assert finish(registry, "gone", 1, oldest_first) is None


def test_jobs_of_many_cases_at_once_get_a_service_each_and_one_case_gets_one(services: Services) -> None:
    add(services.registry(), "a", "b", "c", "d")
    jobs = [(case, 10 * case + n) for case in (1, 2, 3) for n in range(2)]

    def start(job: tuple[int, int]) -> Service | None:
        return claim(services.registry(), *job, worker_limit=0, races=Races(sleep=lambda _: None))

    with ThreadPoolExecutor(len(jobs)) as pool:
        list(pool.map(start, jobs))
    for job in jobs:  # who lost every race waits in order, and comes again
        start(job)
    found = {each.case: each.jobs for each in services.registry().find(status=Status.BUSY)}
    assert found == {case: {10 * case, 10 * case + 1} for case in (1, 2, 3)}


class Racing:
    """A registry in which somebody else is always quicker."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self.lost = 0

    def replace(self, old: Service, new: Service) -> bool:
        self.lost += 1
        return False

    def __getattr__(self, name: str) -> object:
        return getattr(self._registry, name)


def test_a_lost_race_is_run_five_times_with_growing_pauses(registry: Registry) -> None:
    """5 attempts, 250 ms base, exponential, jittered."""
    add(registry, "a")
    racing, pauses = Racing(registry), list[float]()
    assert claim(racing, case=7, job=1, worker_limit=0, races=Races(sleep=pauses.append)) is None  # type: ignore[arg-type]
    assert racing.lost == Races().tries == 5
    assert all(0.125 * 2**n <= pause <= 0.25 * 2**n for n, pause in enumerate(pauses))
