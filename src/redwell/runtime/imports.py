"""Imports as their users see them: begin one, go on with one, and what became of it."""

import os
import stat
from collections.abc import Sequence
from typing import Any

from redwell.core.errors import UserError
from redwell.core.events import Event, EventType
from redwell.core.names import display, quoted
from redwell.core.outcomes import Outcome
from redwell.ports.case_store import NewBatch
from redwell.runtime.bootstrap import Case
from redwell.runtime.sieving import checked
from redwell.runtime.verify import imbalances


class NoSuchSource(UserError):
    pass


def check_sources(sources: Sequence[str], home: str) -> list[str]:
    """Absolute, quoted paths; a source that is missing, unreadable or the home itself is refused at once."""
    checked = []
    for source in sources:
        path = os.path.abspath(os.fsencode(source))
        try:
            info = os.stat(path)
            if stat.S_ISDIR(info.st_mode):
                os.close(os.open(path, os.O_RDONLY | os.O_DIRECTORY))
                path = os.path.realpath(path)
        except OSError as error:
            raise NoSuchSource(f"{display(path)}: {error.strerror}; nothing was imported") from None
        inside = os.path.commonpath([os.fsencode(os.path.realpath(home)), path])
        if inside in {path, os.fsencode(os.path.realpath(home))}:
            raise UserError(
                f"{display(path)} and REDWELL_HOME ({home}) contain each other; choose another REDWELL_HOME"
            )
        checked.append(quoted(path))
    if len(set(checked)) != len(checked):
        raise UserError("the same source is named twice")
    return checked


def begin(case: Case, sources: Sequence[str], type_: str, custodian: str | None) -> int:
    batch = case.store.create_batch(
        NewBatch(
            type=type_, custodian=custodian, settings=case.settings.shown() | checked(case.settings), sources=sources
        )
    )
    case.store.add_event(Event(event_type=EventType.JOB_QUEUED, batch=batch))
    return batch


def unfinished(case: Case) -> list[int]:
    return [row["id"] for row in case.store.batches() if row["finished_ms"] is None]


def summary(case: Case, batch: int, seconds: float) -> dict[str, Any]:
    """The closing account of a batch; `balanced` is what verify would say of its rows."""
    counts = case.store.counts(batch)
    left = case.store.open_rows(batch)
    return {
        "case": case.name,
        "batch": batch,
        "job": batch,
        "finished": left.finished,
        "documents": sum(counts.values()),
        "outcomes": dict(sorted(counts.items())),
        "duplicates": case.store.duplicates(batch),
        "filtered": counts.get(Outcome.FILTERED, 0),
        "processed": case.store.derived(batch),
        "seconds": round(seconds, 3),
        "balanced": left.finished and not any(True for _ in imbalances(case.store, batch)),
    }
