"""Cases that have a name and no tables yet: whoever makes them is at it, or was stopped. Of bootstrap's joining."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from redwell.adapters.sql_jobs.job_store import JobStore
from redwell.core.jobs.job import Job
from redwell.runtime.bootstrap.cases.case_notes import has_ledger
from redwell.runtime.bootstrap.cases.case_places import unmade
from redwell.runtime.bootstrap.open_ledger import open_ledger
from redwell.runtime.bootstrap.settings import Settings


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
