"""Answers that cost more the larger a case is are kept for a while (cached_answer, served_jobs)."""

from redwell.runtime.worker.cached_answer import TIMES, CachedAnswer


class Ledger:
    """A clock, and answers that take as long as they are told to."""

    def __init__(self, takes_s: float) -> None:
        self.now, self.asked, self._takes_s = 100.0, 0, takes_s

    def clock(self) -> float:
        return self.now

    def ask(self) -> int:
        self.now += self._takes_s
        self.asked += 1
        return self.asked


def test_an_answer_that_took_long_is_not_asked_for_again_soon() -> None:
    ledger = Ledger(takes_s=0.5)
    backlog = CachedAnswer(ledger.ask, ledger.clock)
    assert [backlog(), backlog()] == [1, 1]
    ledger.now += TIMES * 0.5 - 0.1
    assert backlog() == 1
    ledger.now += 0.2
    assert backlog() == 2


def test_an_answer_that_took_no_time_is_asked_for_every_time() -> None:
    ledger = Ledger(takes_s=0.0)
    backlog = CachedAnswer(ledger.ask, ledger.clock)
    assert [backlog(), backlog()] == [1, 2]


def test_nothing_is_an_answer_too() -> None:
    ledger = Ledger(takes_s=0.5)
    backlog = CachedAnswer(lambda: ledger.ask() - 1, ledger.clock)
    assert [backlog(), backlog(), ledger.asked] == [0, 0, 1]
