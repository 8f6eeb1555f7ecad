"""A bounded number of open cases."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redwell.runtime.serving.recently_used import IN_USE_S, RecentlyUsed


@pytest.mark.requirement("D4")
@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 200)), max_size=60), st.integers(1, 4))
def test_d4_no_more_are_open_than_are_allowed_or_in_use_and_each_is_closed_once(
    asked: list[tuple[int, int]], most: int
) -> None:
    now, closed, opened = 0.0, list[str](), list[str]()
    kept = RecentlyUsed[str](most, closed.append, lambda: now)
    last: dict[int, float] = {}
    for key, pause in asked:
        now += pause
        if kept.get(key) is None:
            opened.append(f"{key} {len(opened)}")
            kept.put(key, opened[-1])
            in_use = [each for each, at in last.items() if now - at <= IN_USE_S and each != key]
            assert len(opened) - len(closed) <= max(most, len(in_use) + 1)
        last[key] = now
    kept.close()
    assert sorted(closed) == sorted(opened)
