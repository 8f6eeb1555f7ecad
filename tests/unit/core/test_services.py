"""Rules of the worker registry (core.jobs.worker_services), and names of queues (core.jobs.queue_names)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redwell.core.jobs.queue_names import LONGEST, checked, failed_tasks, task_queue
from redwell.core.jobs.worker_services import Service, Status, claimed, joined, left, released

STEPS = st.lists(st.tuples(st.sampled_from(["start", "end"]), st.integers(1, 4), st.integers(1, 3)), max_size=30)


@given(STEPS)
def test_a_service_serves_one_case_and_is_free_when_its_last_job_ends(steps: list[tuple[str, int, int]]) -> None:
    service, open_jobs, case = Service(id="a"), set[int](), None
    for kind, job, wanted in steps:
        before = service
        if kind == "start" and service.status is Status.FREE:
            service, open_jobs, case = claimed(service, wanted, job, worker_limit=job), {job}, wanted
        elif kind == "start":
            service = joined(service, job)
            open_jobs.add(job)
        elif job in open_jobs:
            open_jobs.remove(job)
            service = left(service, job, min(open_jobs), 9) if open_jobs else released(service)
        assert service.jobs == open_jobs
        assert service.case == (case if open_jobs else None)
        assert (service.job in open_jobs) == bool(open_jobs)
        assert service.version == before.version + (service != before)


def test_a_job_that_is_not_the_current_one_leaves_without_a_rotation() -> None:
    service = joined(claimed(Service(id="a"), case=7, job=1, worker_limit=5), job=2)
    after = left(service, 2, following=1, worker_limit=99)
    assert (after.job, after.jobs, after.worker_limit) == (1, {1}, 5)


@pytest.mark.requirement("A2")
def test_queues_have_the_names_of_the_specification() -> None:
    assert task_queue("eu", 7, 70, "small") == "eu_nptasks_7_70_small"
    assert task_queue("eu", 7, 70, "large", attempt=2) == "eu_nptasks_7_70_large-2"
    assert failed_tasks("eu") == "eu-failed-extraction-tasks"


@given(st.integers(1, 2**31), st.integers(1, 2**31), st.integers(1, 999))
def test_a_name_fits_and_the_next_attempt_has_another(case: int, job: int, attempt: int) -> None:
    name = task_queue("production-eu-central-1", case, job, "small", attempt)
    assert len(name) <= LONGEST
    assert name != task_queue("production-eu-central-1", case, job, "small", attempt + 1)


@pytest.mark.parametrize("name", ["", "a" * 81, "a.b", "a b", "ü"])
def test_what_is_no_name_is_refused(name: str) -> None:
    with pytest.raises(ValueError):
        checked(name)
