"""A worker watches the machine that keeps a case, and its own machine keeps it when that one is silent for a lease.

Only where the index is nobody's own (OpenSearch): then nothing of a shared case lies on one machine alone. The fence of
ADR 19 holds off the old keeper if it was cut off and comes back. Used by the thread that works on a case as a guest.
"""

import logging
import time
from contextlib import closing

from redwell.core.jobs.succession import KeeperWatch
from redwell.runtime.bootstrap.cases.case_directory import Cases
from redwell.runtime.bootstrap.open_case import Case
from redwell.runtime.bootstrap.open_index import is_shared

log = logging.getLogger(__name__)


class Succession:
    def __init__(self, case: Case) -> None:
        self._case = case
        self._watch = KeeperWatch(case.settings.lease_s)
        self._is_possible = case.is_shared and not case.is_kept_here and is_shared(case.settings)
        self._number = case.rows.info().keeping if self._is_possible else 0

    def has_changed(self) -> bool:
        """Whether the case is kept by another machine now, perhaps this one: then it has to be opened anew."""
        if not self._is_possible:
            return False
        keeper = self._case.reach.keeper
        beats = {row.id: row.beat for row in self._case.store.workers() if row.host.partition("/")[0] == keeper}
        if not self._watch.is_gone(beats, time.monotonic()):
            return False
        with closing(Cases(self._case.home, self._case.settings)) as cases:
            if cases.succeed(self._case.name, self._number):
                log.warning("case %r is kept here now: %s has been silent for a lease", self._case.name, keeper)
        self._is_possible = False  # once: it is opened anew
        return True
