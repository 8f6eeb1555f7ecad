"""The steps of a load but for the index, on a store that has no blobs: what the case says of its exhibits."""

from collections.abc import Sequence
from typing import Any, cast

from redwell.core.case.rows import ToLoad
from redwell.load.file_exhibits import note_custodians, note_sources, put_into_folders
from redwell.load.find_copies import find_copies
from redwell.load.loading import Loading
from redwell.ports.case_store import CaseStore


def run_steps(case: Loading, chunk: Sequence[ToLoad]) -> None:
    for step in (find_copies, note_sources, note_custodians, put_into_folders):
        step(case, chunk)


def load_all(store: CaseStore, at_once: int = 1_000) -> list[int]:
    """Until nothing waits; the exhibits, as often as each was loaded."""
    case, done = Loading(store, cast(Any, None), cast(Any, None)), []
    while chunk := store.take_to_load(at_once):
        run_steps(case, chunk)
        store.loaded([exhibit.id for exhibit in chunk])
        done += [exhibit.id for exhibit in chunk]
    return done
