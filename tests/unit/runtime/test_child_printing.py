"""Whatever is asked of the children for a volume is answered, however full their pool is."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from redwell.core import wire
from redwell.core.outcomes import Outcome
from redwell.ports.printing import Asked
from redwell.processing.results import Broken, Finished, Returned
from redwell.runtime.producing.child_printing import ChildPrinting


class PoolOfOne:
    """Takes one message; a child that has answered is free again after the next wait, as those of a real pool are."""

    unable: dict[Any, str] = {}

    def __init__(self, busy: bool, ends: Sequence[str] = ()) -> None:
        self._is_free, self._tasks, self._ends = not busy, list[int](), list(ends)

    def free(self, _profile: object) -> int:
        return int(self._is_free)

    def submit(self, tasks: Sequence[wire.Task], _lane: object, _profile: object) -> None:
        assert self._is_free
        self._is_free, self._tasks = False, [task.id for task in tasks]

    def wait(self, _timeout_s: float) -> list[Any]:
        self._is_free = not self._tasks
        tasks, self._tasks = self._tasks, []
        return [self._event(task) for task in tasks]

    def _event(self, task: int) -> Any:
        match self._ends.pop(0) if self._ends else "done":
            case "broken":
                return Broken(task, Outcome.CRASHED, "it died", None)
            case "returned":
                return Returned([task])
            case _:
                return Finished(task, wire.Done(task=task, outcome=Outcome.SUCCESS), [])


def _asked(number: int) -> Asked:
    return Asked(key=(number, 0), path=Path("x"), length=1, engine="e")


@pytest.mark.parametrize("busy", [False, True])
@pytest.mark.parametrize("ends", [(), ("returned", "broken"), ("broken", "broken", "returned")])
def test_every_order_has_one_answer_also_where_no_child_is_free_and_none_at_work(busy: bool, ends: list[str]) -> None:
    printing = ChildPrinting(PoolOfOne(busy, ends))  # type: ignore[arg-type]
    answers = [answer.key[0] for answer in printing.each(map(_asked, range(5)))]
    assert sorted(answers) == [0, 1, 2, 3, 4]
