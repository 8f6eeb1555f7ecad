"""From what a source has to what it brought: seen, queued by row with the cursor, fetched one by one, noted.

Killed anywhere, what was seen waits in its queue and is fetched by whoever comes next; what can't be fetched is tried
again behind the others, and in the end stays in the queue by name, so that it holds nothing up. One process at a time
does this for a source (the role `watch-…` of its case).
"""

import errno
import logging
from itertools import islice

from redwell.core.errors import Recoverable
from redwell.ports.sources import Sighted, Source, SourceStore, Watcher
from redwell.runtime.monitor.logs import timed
from redwell.runtime.sources.deliveries import Deliveries

_AT_ONCE = 500
_GONE = "it is not at its source any more"
log = logging.getLogger(__name__)


class Acquiring:
    def __init__(self, store: SourceStore, deliveries: Deliveries) -> None:
        self._store, self._deliveries = store, deliveries

    def __call__(self, source: Source, watcher: Watcher) -> int:
        """How many are new. The first failure is raised behind what could be had; it costs one of them an attempt."""
        self._look(source, watcher)
        found = 0
        while some := self._store.queued(source.id, _AT_ONCE):
            for sighted in some:
                with timed(log, "acquisition"):
                    found += self._fetch(source, watcher, sighted)
        return found

    def _look(self, source: Source, watcher: Watcher) -> None:
        """The cursor moves when everything waits: a look that is cut short is made again from the start."""
        cursor, seen = "", watcher.look(source.cursor)
        while some := list(islice(seen, _AT_ONCE)):
            self._store.queue(source.id, some)
            cursor = some[-1].cursor
        if cursor:
            self._store.queue(source.id, (), cursor)

    def _fetch(self, source: Source, watcher: Watcher, sighted: Sighted) -> bool:
        try:
            brought = watcher.fetch(sighted)
            arrival = self._deliveries.written(source, brought) if brought else None
        except (Recoverable, OSError) as error:
            if getattr(error, "errno", None) != errno.ENOSPC:
                self._store.not_acquired(source.id, sighted.key, str(error))
            raise
        if arrival is None:
            self._store.not_acquired(source.id, sighted.key, _GONE, is_gone=True)
            return False
        if sighted.is_again and self._store.has_content(source.id, arrival.sha256):
            self._store.acquired(source.id, sighted.key, None)
            self._deliveries.forget(source, arrival)
            return False
        return self._store.acquired(source.id, sighted.key, arrival)
