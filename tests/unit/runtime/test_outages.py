"""A service that is away is told once, waited for, and told once more when all that failed goes well again."""

import logging

import pytest

from redwell.core.errors import ServiceUnavailable
from redwell.runtime.monitor.outages import PAUSE_S, Outages, Patient


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def away() -> str:
    raise ServiceUnavailable("connection refused")


def here() -> str:
    return "here"


def patient(clock: Clock, patience_s: float = 10) -> Patient:
    return Patient("the queues", Outages(), patience_s, clock)


def test_a_call_that_asked_nobody_is_no_sign_that_the_service_is_back(caplog: pytest.LogCaptureFixture) -> None:
    clock = Clock()
    ask = patient(clock)
    with caplog.at_level(logging.WARNING):
        for _ in range(5):
            assert ask("look", away, "nothing") == "nothing"
            clock.now += PAUSE_S
            assert ask("claim", here, "nothing") == "here"
        assert len(caplog.records) == 1, "it is said once"
        assert ask("look", here, "nothing") == "here"
    assert [record.getMessage().split(" after")[0] for record in caplog.records[1:]] == ["the queues: back"]


def test_patience_is_over_though_other_calls_go_well() -> None:
    clock = Clock()
    ask = patient(clock, patience_s=3)
    for _ in range(3):
        assert ask("look", away, "nothing") == "nothing"
        clock.now += PAUSE_S
        ask("claim", here, "nothing")
    with pytest.raises(ServiceUnavailable):
        ask("look", away, "nothing")


def test_nobody_is_asked_within_the_pause_behind_a_failure() -> None:
    clock = Clock()
    ask = patient(clock)
    assert ask("look", away, "nothing") == "nothing"
    assert ask("claim", here, "nothing") == "nothing"
    clock.now += PAUSE_S
    assert ask("claim", here, "nothing") == "here"
