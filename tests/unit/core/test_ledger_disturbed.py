"""The ledger's rules against a plain model, while workers die, freeze and come back."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, multiple, rule

from redwell.core.errors import StaleClaim
from redwell.core.outcomes import Outcome
from redwell.core.work import transitions
from redwell.core.work.kinds import Attempts
from redwell.core.work.lanes import Lane
from redwell.core.work.transitions import ADVANCE, CLAIM, FINISH, RELEASE, Derivation, Work

TABLE = Attempts()
DEATHS_OF_A_CHILD = (Outcome.CRASHED, Outcome.TIMED_OUT, Outcome.OUT_OF_MEMORY)
GREEDY = {Outcome.TIMED_OUT, Outcome.OUT_OF_MEMORY}
SMALL, LARGE = Lane.SMALL, Lane.LARGE


@dataclass(frozen=True)
class Hold:
    """What a worker remembers of a claim, for ever: the worker may freeze and come back with it."""

    row: int
    worker: str
    attempt: int


class Disturbed(RuleBasedStateMachine):
    """Several workers on a few rows, each of which may die, freeze and come back at any moment.

    The model knows who holds a row and how much patience is left, not the rows' own fields.
    """

    holds = Bundle("holds")

    def __init__(self) -> None:
        super().__init__()
        self.rows = [Derivation(), Derivation(lane=LARGE), Derivation()]
        self.holders: list[Hold | None] = [None] * 3
        self.claims = [0] * 3
        self.ended: list[Outcome | None] = [None] * 3
        self.patience = [self.fresh_patience(row.lane) for row in self.rows]

    @staticmethod
    def fresh_patience(lane: Lane) -> dict[str, int]:
        small = TABLE.small if lane is SMALL else 0
        return {"small": small, "large": TABLE.large, "deaths": TABLE.deaths, "members": TABLE.lost_members}

    @rule(target=holds, row=st.integers(0, 2), worker=st.sampled_from("abc"))
    def claim(self, row: int, worker: str) -> object:
        if self.holders[row] or self.ended[row]:
            with pytest.raises(StaleClaim):
                transitions.moved(self.rows[row], CLAIM, worker)
            return multiple()
        self.rows[row] = transitions.moved(self.rows[row], CLAIM, worker)
        self.claims[row] += 1
        hold = Hold(row, worker, self.rows[row].attempt)
        self.holders[row] = hold
        return hold

    def write(self, hold: Hold, step: Callable[[Derivation], Derivation]) -> bool:
        """Only the present holder's write counts; every other is refused and changes nothing."""
        if self.holders[hold.row] != hold:
            with pytest.raises(StaleClaim):
                step(self.rows[hold.row])
            return False
        self.rows[hold.row] = step(self.rows[hold.row])
        return True

    @rule(hold=holds, outcome=st.sampled_from(Outcome))
    def finish(self, hold: Hold, outcome: Outcome) -> None:
        if self.write(hold, lambda row: replace(transitions.fenced(row, hold.attempt, FINISH), outcome=outcome)):
            self.holders[hold.row], self.ended[hold.row] = None, outcome

    @rule(hold=holds)
    def release(self, hold: Hold) -> None:
        if self.write(hold, lambda row: transitions.fenced(row, hold.attempt, RELEASE)):
            self.holders[hold.row] = None

    @rule(hold=holds)
    def advance(self, hold: Hold) -> None:
        if self.write(hold, lambda row: transitions.fenced(row, hold.attempt, ADVANCE)):
            self.patience[hold.row]["deaths"] = TABLE.deaths

    @rule(hold=holds, outcome=st.sampled_from(DEATHS_OF_A_CHILD), member=st.booleans())
    def blame(self, hold: Hold, outcome: Outcome, member: bool) -> None:
        if not self.write(hold, lambda row: transitions.blame(row, hold.attempt, outcome, TABLE, member=member)):
            return
        patience, self.holders[hold.row] = self.patience[hold.row], None
        if patience["small"] and outcome in GREEDY:
            patience["small"] = 0
        elif member and patience["members"]:
            patience["members"] -= 1
        elif patience["small"]:
            patience["small"] -= 1
        else:
            patience["large"] -= 1
            if outcome is Outcome.TIMED_OUT or not patience["large"]:
                self.ended[hold.row] = outcome

    @rule(worker=st.sampled_from("abc"))
    def kill(self, worker: str) -> None:
        for key, holder in enumerate(self.holders):
            if holder and holder.worker == worker:
                self.rows[key], self.holders[key] = transitions.sweep(self.rows[key], TABLE), None
                self.patience[key]["deaths"] -= 1
                self.ended[key] = Outcome.CRASHED if not self.patience[key]["deaths"] else None

    @rule(row=st.integers(0, 2), lane=st.sampled_from(Lane))
    def reopen(self, row: int, lane: Lane) -> None:
        if not self.ended[row]:
            with pytest.raises(StaleClaim):
                transitions.reopen(self.rows[row], lane)
            return
        generation = self.rows[row].generation
        self.rows[row], self.ended[row] = transitions.reopen(self.rows[row], lane), None
        self.patience[row] = self.fresh_patience(lane)
        assert self.rows[row].generation == generation + 1

    @invariant()
    def rows_are_as_the_model_says(self) -> None:
        for row, holder, outcome, claims in zip(self.rows, self.holders, self.ended, self.claims, strict=True):
            assert row.attempt == claims
            assert row.outcome is outcome
            assert row.owner == (holder.worker if holder else None)
            assert row.state is (Work.DONE if outcome else Work.LEASED if holder else Work.QUEUED)

    @invariant()
    def the_lane_is_small_while_it_has_tries_left(self) -> None:
        for row, patience, outcome in zip(self.rows, self.patience, self.ended, strict=True):
            if not outcome:
                assert row.lane is (SMALL if patience["small"] else LARGE)


TestDisturbed = Disturbed.TestCase
TestDisturbed.settings = settings(max_examples=100, stateful_step_count=50, deadline=None, derandomize=True)
