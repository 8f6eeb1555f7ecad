"""Cases that have a name and no tables yet: whoever makes them is at it, or was stopped. Of bootstrap's joining."""

import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from redwell.adapters.sql_jobs.job_store import JobStore
from redwell.core.jobs.job import Job
from redwell.runtime.bootstrap.cases.case_notes import has_ledger
from redwell.runtime.bootstrap.cases.case_places import unmade
from redwell.runtime.bootstrap.open_ledger import open_ledger
from redwell.runtime.bootstrap.settings import Settings

_TRIES, _PAUSE_S = 20, 0.1


@contextmanager
def ledger_of(folder: Path, settings: Settings) -> Iterator[JobStore | None]:
    """The rows of a case that need not be opened as a whole; None while it is in the making."""
    if not has_ledger(folder):
        yield None
        return
    with closing(JobStore(open_ledger(folder, settings))) as store:
        yield store if store.is_made() else None


def open_jobs_of(folder: Path, settings: Settings) -> list[Job]:
    with ledger_of(folder, settings) as store:
        return store.open_jobs() if store else []


@contextmanager
def told_if_unmade(name: str, folder: Path, settings: Settings) -> Iterator[None]:
    """What fails on a case that has no tables says that, and nothing else."""
    try:
        yield
    except Exception:
        with ledger_of(folder, settings) as store:
            is_made = store is not None
        if not is_made:
            raise unmade(name) from None
        raise


def wait_for_folder(folder: Path) -> None:
    """Whoever makes a case just now has its name before its folder."""
    for _ in range(_TRIES):
        if folder.exists():
            return
        time.sleep(_PAUSE_S)
