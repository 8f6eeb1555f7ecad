"""Chunk dispatch and the polling machine, and the polls of an empty queue."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redwell.core.work.message_ranges import MOST, SIZE, dispatch
from redwell.core.work.polling import USUAL_PACE, EmptyPolls, Poll, Verdict, polled

pytestmark = pytest.mark.requirement("A8", "C1", "C2", "C3", "C4", "C5", "C6")


@given(st.sets(st.integers(1, 10_000)), st.integers(1, 20), st.integers(1, 10))
def test_c1_c2_every_item_is_in_exactly_one_chunk_however_often_it_is_continued(
    items: set[int], size: int, most: int
) -> None:
    ids, at = sorted(items), 0
    while True:
        sent = dispatch(ids[at:], size, most)
        assert len(sent.chunks) <= most
        for chunk in sent.chunks:
            inside = [each for each in ids if chunk.start <= each < chunk.end]
            assert inside == ids[at : at + len(inside)]
            assert 0 < len(inside) <= size
            at += len(inside)
        if sent.rest is None:
            break
        assert sent.rest == ids[at]
    assert at == len(ids)


def test_c1_c2_a_dispatch_is_a_thousand_chunks_of_a_hundred() -> None:
    sent = dispatch(range(7, 200_007))
    assert len(sent.chunks) == MOST == 1_000
    assert {chunk.end - chunk.start for chunk in sent.chunks} == {SIZE} == {100}
    assert sent.rest == 100_007


@given(st.lists(st.integers(0, 50), min_size=1, max_size=60))
def test_c3_a_poll_ends_at_zero_or_after_five_stalls_in_a_row_and_begins_anew(counts: list[int]) -> None:
    poll, stalls, lowest = Poll(), 0, None
    for count in counts:
        seen = polled(poll, count)
        stalls = 0 if lowest is None or count < lowest else stalls + 1
        lowest = count if lowest is None else min(lowest, count)
        over = count == 0 or stalls >= USUAL_PACE.stalls
        assert (seen.verdict is Verdict.ALL_PROCESSED) == (count == 0)
        assert (seen.verdict is Verdict.RETRIES_EXHAUSTED) == (count > 0 and stalls >= USUAL_PACE.stalls)
        assert (seen.verdict is Verdict.PROGRESS_MADE) == (count > 0 and stalls == 0)
        assert seen.stalled == (count > 0 and stalls > 0)
        assert seen.following == (Poll() if over else Poll(previous_count=lowest, retry_count=stalls))
        poll = seen.following
        if over:
            stalls, lowest = 0, None


@pytest.mark.parametrize(
    ("left", "delay"), [(1, 60), (499, 60), (500, 120), (1_000, 180), (2_000, 240), (5_000, 300), (10**6, 300)]
)
def test_c4_the_delay_grows_with_what_is_left(left: int, delay: int) -> None:
    assert USUAL_PACE.delay_s(left) == delay


@pytest.mark.requirement("C3")
@given(st.lists(st.integers(0, 60), max_size=30), st.integers(0, 50))
def test_c3_a_count_that_rises_to_its_target_is_the_same_poll_as_one_that_falls_to_zero(
    counts: list[int], target: int
) -> None:
    rising, falling = Poll(), Poll()
    for count in counts:
        up, down = polled(rising, count, target), polled(falling, max(0, target - count))
        seen = [(each.verdict, each.delay_s, each.following.retry_count) for each in (up, down)]
        assert seen[0] == seen[1]
        rising, falling = up.following, down.following


def test_c5_another_poller_goes_on_from_where_one_died() -> None:
    poll = polled(polled(Poll(), 9).following, 9).following
    assert (poll.previous_count, poll.retry_count) == (9, 1)
    assert polled(Poll(previous_count=9, retry_count=USUAL_PACE.stalls - 1), 9).verdict is Verdict.RETRIES_EXHAUSTED
    assert polled(Poll(previous_count=9, retry_count=USUAL_PACE.stalls - 1), 8).following.retry_count == 0


def test_a8_the_pause_between_empty_polls_grows_and_work_ends_it() -> None:
    polls = EmptyPolls(0.5, 4.0)
    assert [polls.nothing(idle=True) for _ in range(5)] == [0.5, 1.0, 2.0, 4.0, 4.0]
    polls.found()
    assert polls.nothing(idle=True) == 0.5
    assert not polls.over


@given(st.lists(st.sampled_from(["idle", "busy", "found"]), max_size=20))
def test_a8_a_worker_of_a_cluster_leaves_after_three_empty_polls_with_all_slots_free(seen: list[str]) -> None:
    polls, empty = EmptyPolls(0.1, 1.0, leave_after=3), 0
    for poll in seen:
        if poll == "found":
            polls.found()
        else:
            polls.nothing(idle=poll == "idle")
        empty = empty + 1 if poll == "idle" else 0
        assert polls.over == (empty >= 3)
