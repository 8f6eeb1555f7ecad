"""Figures of the specification are settings: their defaults are its own, and each comes to whoever needs it."""

import pytest

from redwell.core.errors import UserError
from redwell.core.patience import Patience, Pool
from redwell.core.work.kinds import KINDS, Attempts, Purpose, TaskType, by_table
from redwell.runtime.bootstrap.settings import Settings, load_settings


@pytest.mark.requirement("A5", "D12")
def test_a5_by_default_documents_are_tried_as_the_table_of_attempts_says() -> None:
    assert {task: Settings().attempts(task) for task in KINDS} == {task: by_table(task) for task in KINDS}
    assert Settings().attempts(TaskType.EXTRACT_TEXT) == Attempts(small=2, large=2, plain=0)


@pytest.mark.requirement("A5", "D12")
def test_a5_who_wants_more_attempts_says_so_and_only_pdfs_have_a_plain_one() -> None:
    attempts = load_settings(["small_tries=1", "large_tries=4"], {}).attempts
    printed = {Purpose.PDF, Purpose.SHEETS}
    assert {(attempts(task).small, attempts(task).large) for task in KINDS} == {(1, 4)}
    assert {KINDS[task].purpose for task in KINDS if attempts(task).plain} == printed
    assert not any(load_settings(["plain_tries=0"], {}).attempts(task).plain for task in KINDS)


@pytest.mark.requirement("D12")
def test_d12_polls_pools_and_time_outs_begin_with_the_specifications() -> None:
    usual = Settings()
    assert usual.pool == Pool(kept=5, more=5, wait_s=60, life_s=1800)
    assert usual.patience == Patience(connect_s=10, read_s=30, tries=5)
    assert [usual.pace.delay_s(left) for left in (0, 500, 1_000, 2_000, 5_000)] == [60, 120, 180, 240, 300]
    changed = load_settings(["poll_first_s=7", "pool_connections=2", "aws_tries=1"], {})
    assert (changed.pace.delay_s(600), changed.pool.kept, changed.patience.tries) == (14, 2, 1)


@pytest.mark.requirement("D12")
@pytest.mark.parametrize(
    "assignment", ["small_tries=0", "plain_tries=2", "pool_connections=0", "aws_read_s=20", "poll_stalls=0"]
)
def test_d12_a_figure_with_which_nothing_would_go_on_is_refused(assignment: str) -> None:
    with pytest.raises(UserError, match=assignment.partition("=")[0]):
        load_settings([assignment], {})
