"""The loader: steps in order behind each exhibit's checkpoint, and one that fails keeps no other back (SPEC D3)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import pytest

from redwell.core.case.checkpoints import LOADED, REGISTERED, Checkpoint, before
from redwell.core.case.rows import ToLoad
from redwell.core.errors import DiskFull, KeptElsewhere, Permanent, RedwellError, UserError
from redwell.load.loader import Loader
from redwell.load.loading import Loading
from redwell.load.plan import PLAN, Step

pytestmark = pytest.mark.requirement("D3")
EARLY, LATE = Checkpoint.PAGES, Checkpoint.INDEX


def to_load(number: int, checkpoint: int) -> ToLoad:
    known = {"control_number": f"RW{number}", "path": f"{number}.txt", "name": f"{number}.txt"}
    unknown = dict.fromkeys(("size", "custodian", "kind", "media_type", "outcome", "sha256", "md5", "text"))
    alone = {"family": number, "family_number": f"RW{number}", "depth": 0, "has_members": False, "problems": []}
    return ToLoad(id=number, checkpoint=checkpoint, batch=1, metadata={}, **known, **unknown, **alone)


@dataclass
class Store:
    """Exhibits by their checkpoints; those that are taken wait on until they are loaded."""

    waiting: dict[int, int]
    done: list[int] = field(default_factory=list)

    def take_to_load(self, limit: int) -> list[ToLoad]:
        taken, self.waiting = self.waiting, {}
        return [to_load(number, checkpoint) for number, checkpoint in taken.items()]

    def loaded(self, exhibits: Sequence[int]) -> None:
        self.done += exhibits


class Index:
    commits = 0

    def commit(self) -> None:
        self.commits += 1


@dataclass
class Steps:
    """Two steps that note what they are run over, and fail on some."""

    error: Exception = field(default_factory=lambda: KeyError("no text"))
    bad: frozenset[int] = frozenset()
    runs: list[tuple[str, list[int]]] = field(default_factory=list)

    def plan(self) -> list[Step]:
        first = Step("number", Checkpoint.STARTED, None)
        return [first, *(Step(name, point, self._noting(name)) for name, point in (("early", EARLY), ("late", LATE)))]

    def _noting(self, name: str) -> Any:
        def run(_: Loading, exhibits: Sequence[ToLoad]) -> None:
            keys = [exhibit.id for exhibit in exhibits]
            self.runs.append((name, keys))
            if name == "early" and self.bad & set(keys):
                raise self.error

        return run


def loader_of(store: Store, steps: Steps) -> Loader:
    return Loader(cast(Any, store), cast(Any, None), cast(Any, Index()), steps.plan())


def test_the_steps_of_the_plan_come_in_the_order_of_their_checkpoints_and_indexing_is_the_last() -> None:
    points = [step.checkpoint for step in PLAN]
    assert points == sorted(set(points)) and points[0] is Checkpoint.STARTED and PLAN[-1].checkpoint is Checkpoint.INDEX
    assert points[-1] < LOADED and len(Checkpoint) == 11


def test_each_exhibit_goes_on_behind_the_checkpoint_it_has_reached() -> None:
    store, steps = Store({1: REGISTERED, 2: before(LATE), 3: EARLY}), Steps()
    loader = loader_of(store, steps)
    assert loader.load_some() == 3
    assert steps.runs == [("early", [1]), ("late", [1, 2, 3])]
    assert store.done == [] and loader.added.exhibits == [1, 2, 3]
    assert loader.commit() == 3 and store.done == [1, 2, 3] and loader.added.exhibits == []
    assert loader.load_some() == 0


def test_a_chunk_that_fails_is_done_again_one_by_one_and_only_the_bad_one_waits_on() -> None:
    store, steps = Store(dict.fromkeys([1, 2, 3], REGISTERED)), Steps(bad=frozenset({2}))
    with pytest.raises(Permanent, match=r"RW2 \(2.txt\) could not be loaded, in the step 'early': KeyError: 'no text'"):
        loader_of(store, steps).load_some()
    assert steps.runs == [("early", [1, 2, 3]), ("early", [1]), ("early", [2]), ("early", [3]), ("late", [1, 3])]
    assert store.done == [1, 3]


@pytest.mark.parametrize(
    "error", [DiskFull("full"), KeptElsewhere("machine-b keeps the case"), UserError("the server refuses")]
)
def test_a_machine_in_trouble_is_no_exhibits_fault(error: RedwellError, caplog: pytest.LogCaptureFixture) -> None:
    """Nor is one that was frozen in the middle of a chunk, while another machine took the case over."""
    store, steps = Store(dict.fromkeys([1, 2], REGISTERED)), Steps(error=error, bad=frozenset({2}))
    with pytest.raises(type(error)):
        loader_of(store, steps).load_some()
    assert steps.runs == [("early", [1, 2])] and store.done == [] and not caplog.records
