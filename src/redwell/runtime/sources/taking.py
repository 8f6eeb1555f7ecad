"""What has arrived comes into the case as an import, once: a batch that has an arrival as its source is that import."""

import os
import shutil

from redwell.core.jobs.job import NewJob
from redwell.core.names import quoted
from redwell.core.trip import trip
from redwell.ports.sources import Arrival, Source, SourceStore
from redwell.runtime.bootstrap.open_case import Case
from redwell.runtime.sources.deliveries import Deliveries
from redwell.runtime.upkeep import batches


def begin(case: Case, source: Source, store: SourceStore, deliveries: Deliveries) -> list[int]:
    """The batches by which all that is open comes in; one that a kill left without a note is found again."""
    waiting = {_locator(deliveries, source, each): each for each in store.open_arrivals(source.id)}
    begun = list[int]()
    for batch in reversed(case.rows.batches()) if waiting else ():
        taken = [waiting.pop(row.path) for row in case.rows.sources(batch.id) if row.path in waiting]
        if taken:
            store.taken(source.id, [each.key for each in taken], batch.id)
            begun.append(batch.id)
    if waiting:
        new = batches.begin(case, sorted(waiting), "files", source.name, NewJob())
        trip("arrive.after_batch")
        store.taken(source.id, [each.key for each in waiting.values()], new)
        begun.append(new)
    return begun


def _locator(deliveries: Deliveries, source: Source, arrival: Arrival) -> str:
    return quoted(os.fsencode(deliveries.path_of(source, arrival).resolve()))


def clear(deliveries: Deliveries, source: Source, batch: int, store: SourceStore) -> None:
    """The case has the bytes now; the import is over."""
    for each in store.arrivals(source.id, batch):
        shutil.rmtree(deliveries.path_of(source, each), ignore_errors=True)
