"""Files that programs send to a served home: noted as arrivals of their source, and imported by a worker.

The same steps as for what is watched (deliveries, taking): bytes first, then the row, then the import, each once.
"""

import time
from pathlib import Path

from redwell.core.errors import ServiceUnavailable
from redwell.ports.case_folder import Lock
from redwell.ports.sources import Brought, Source, SourceStore
from redwell.runtime.bootstrap.open_case import Case, open_case
from redwell.runtime.bootstrap.settings import Settings
from redwell.runtime.sources import taking
from redwell.runtime.sources.deliveries import Deliveries

_TRIES, _PAUSE_S = 100, 0.1


class Posting:
    def __init__(self, home: Path, settings: Settings, store: SourceStore) -> None:
        self._home, self._settings, self._store = home, settings, store

    def take(self, case_name: str, source: Source, brought: Brought) -> tuple[bool, list[int]]:
        """Whether it is new, and the imports that were begun; a key that came before brings nothing."""
        with open_case(self._home, case_name, self._settings) as case:
            deliveries = Deliveries(case.home, case.number, self._store)
            lock = _turn(case, source)
            try:
                is_new = deliveries.note(source, brought)
                begun = taking.begin(case, source, self._store, deliveries)
                self._clear_finished(case, source, deliveries)
            finally:
                lock.release()
        return is_new, begun

    def _clear_finished(self, case: Case, source: Source, deliveries: Deliveries) -> None:
        """What earlier imports have read is in the case."""
        for batch in case.rows.batches():
            if batch.finished_ms is not None and batch.custodian == source.name:
                taking.clear(deliveries, source, batch.id, self._store)


def _turn(case: Case, source: Source) -> Lock:
    """One at a time takes from a source."""
    for _ in range(_TRIES):
        if lock := case.place.try_role(f"watch-{source.id}"):
            return lock
        time.sleep(_PAUSE_S)
    raise ServiceUnavailable("others are sending to this source just now: try again in a moment")
