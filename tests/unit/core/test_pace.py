"""Documents over time as bars: pure."""

from redwell.core.jobs.pace import MOST, paced


def test_every_document_is_in_one_bar() -> None:
    points = [(1_000_000 + 250 * n, n % 3) for n in range(1000)]
    pace = paced(points)
    assert pace is not None
    assert sum(pace.bars) == sum(count for _, count in points)
    assert (pace.step_s, len(pace.bars)) == (5, 50)


def test_a_long_time_has_long_bars_and_no_time_has_none() -> None:
    pace = paced([(0, 1), (400 * 86_400_000, 2)])
    assert pace is not None
    assert (pace.bars[0], pace.bars[-1]) == (1, 2)
    assert len(pace.bars) <= MOST
    assert paced([]) is None
