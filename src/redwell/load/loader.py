"""Brings exhibits that ended through the steps of the plan. Runs in a thread of the importing process, or in reindex.

The rows are the truth. Exhibits that wait are taken, go through the steps, and are marked as loaded only when the index
has committed them: a kill costs work that is done again, never an entry.
"""

import logging
from collections.abc import Sequence

from redwell.core.case.rows import ToLoad
from redwell.core.errors import Permanent, is_of_one_thing
from redwell.core.trip import trip
from redwell.load.loading import Added, Loading
from redwell.load.plan import PLAN, Step
from redwell.ports.blob_store import BlobReader
from redwell.ports.load_queue import LoadQueue
from redwell.ports.search_index import SearchIndex

log = logging.getLogger(__name__)
AT_ONCE = 1_000


class Loader:
    def __init__(self, queue: LoadQueue, blobs: BlobReader, index: SearchIndex, plan: Sequence[Step] = PLAN) -> None:
        self._case, self._plan = Loading(queue, blobs, index), plan

    @property
    def added(self) -> Added:
        """What waits for `commit`."""
        return self._case.added

    def load_some(self, at_once: int = AT_ONCE) -> int:
        """Take some exhibits that wait through all steps that they have not had; how many were there."""
        chunk = self._case.queue.take_to_load(at_once)
        failures = self._load(chunk)
        while again := sorted(self._case.told_anew):  # whose batches may be over, so that nobody waits for them
            self._case.told_anew.clear()
            for start in range(0, len(again), at_once):
                failures |= self._load(self._case.queue.take_these(again[start : start + at_once]))
        if failures:  # the others of the chunk do not wait for these
            self.commit()
            raise next(iter(failures.values()))
        return len(chunk)

    def _load(self, chunk: Sequence[ToLoad]) -> dict[int, Permanent]:
        """Through all steps that they have not had; what failed, by exhibit."""
        failures: dict[int, Permanent] = {}
        self._case.texts.clear()
        self._case.filed.clear()
        for step in self._plan:
            todo = [e for e in chunk if e.checkpoint < step.checkpoint and e.id not in failures]
            failures |= self._run(step, todo)
        self.added.exhibits += [e.id for e in chunk if e.id not in failures]
        return failures

    def commit(self) -> int:
        """From now on they are found, whatever happens; how many."""
        trip("index.before_commit")
        self._case.index.commit()
        trip("index.after_commit")
        added, self._case.added = self._case.added, Added()
        self._case.queue.loaded(added.exhibits)
        return len(added.exhibits)

    def _run(self, step: Step, exhibits: Sequence[ToLoad]) -> dict[int, Permanent]:
        """A chunk that fails is done again one by one, so that one exhibit keeps no other from being loaded."""
        if step.run is None or not exhibits:
            return {}
        try:
            step.run(self._case, exhibits)
        except Exception as error:
            if not is_of_one_thing(error):
                raise
            if len(exhibits) > 1:
                return {key: e for exhibit in exhibits for key, e in self._run(step, [exhibit]).items()}
            return {exhibits[0].id: _failure(step, exhibits[0], error)}
        return {}


def _failure(step: Step, exhibit: ToLoad, error: Exception) -> Permanent:
    failure = Permanent(
        f"{exhibit.control_number} ({exhibit.path}) could not be loaded, in the step {step.name!r}:"
        f" {type(error).__name__}: {error}; all others go on. `redwell verify` tells what is wrong with the case"
    )
    failure.__cause__ = error
    log.error("%s", failure, exc_info=error)
    return failure
