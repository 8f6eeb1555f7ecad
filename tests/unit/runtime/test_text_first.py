"""What a process may begin of a batch, by how far it is and what it found of it before."""

from types import SimpleNamespace

import pytest
from msgspec import structs
from tests.unit.runtime.test_claims_in_flight import claim

from redwell.core.work.kinds import KINDS, Phase, TaskType
from redwell.core.work.renderers import TURNS
from redwell.core.work.text_first import LOAD_S, TEXT_S
from redwell.core.work.transitions import Standing
from redwell.runtime.worker import text_first
from redwell.runtime.worker.text_first import TextFirst

pytestmark = pytest.mark.requirement("A4")

BATCH = 7
TEXT = tuple(turn for turn in TURNS if KINDS[turn[0]].phase is Phase.TEXT)


class Clock:
    now = 0.0


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(text_first, "time", SimpleNamespace(monotonic=lambda: made.now))
    return made


def test_a4_while_text_is_open_text_alone_is_taken(clock: Clock) -> None:
    order = TextFirst()
    assert order.allowed(BATCH, TURNS) == TEXT, "nothing is known yet"
    order.look({BATCH: Standing.OPEN})
    assert order.allowed(BATCH, TURNS) == TEXT
    order.look({BATCH: Standing.UNINDEXED})
    assert order.allowed(BATCH, TURNS) == ()
    order.look({BATCH: Standing.RENDERING})
    assert order.allowed(BATCH, TURNS) == TURNS
    assert clock.now == 0.0


def test_what_renditions_bring_into_the_index_again_does_not_stop_them(clock: Clock) -> None:
    order = TextFirst()
    order.look({BATCH: Standing.RENDERING})
    order.look({BATCH: Standing.UNINDEXED})
    assert order.allowed(BATCH, TURNS) == TURNS
    order.look({BATCH: Standing.OPEN})  # a retry
    order.look({BATCH: Standing.UNINDEXED})
    assert order.allowed(BATCH, TURNS) == ()
    assert clock.now == 0.0


@pytest.mark.parametrize(("standing", "after_s"), [(Standing.OPEN, TEXT_S), (Standing.UNINDEXED, LOAD_S)])
def test_a_worker_that_finds_no_text_goes_on_after_a_while(clock: Clock, standing: Standing, after_s: float) -> None:
    order = TextFirst()
    order.look({BATCH: standing})
    assert order.allowed(BATCH, TURNS) != TURNS
    clock.now = after_s - 1
    order.began(BATCH, [claim(1)])
    clock.now = after_s
    assert order.allowed(BATCH, TURNS) != TURNS, "it found some a second ago"
    order.began(BATCH, [structs.replace(claim(2), task=TaskType.RENDER_PDF)])
    clock.now = 2 * after_s - 1
    assert order.allowed(BATCH, TURNS) == TURNS


def test_who_asked_for_renditions_does_not_wait_for_the_text_of_others(clock: Clock) -> None:
    order = TextFirst(waits=False)
    order.look({BATCH: Standing.OPEN})
    assert order.allowed(BATCH, TURNS) == TURNS
    assert clock.now == 0.0
