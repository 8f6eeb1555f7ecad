"""The steps of a load but for the index, on a store that has no blobs: what the case says of its exhibits."""

from typing import Any, cast

from redwell.load.find_copies import find_copies
from redwell.load.loading import Loading
from redwell.ports.case_store import CaseStore


def load_all(store: CaseStore, at_once: int = 1_000) -> list[int]:
    """Until nothing waits; the exhibits, as often as each was loaded."""
    case, done = Loading(store, cast(Any, None), cast(Any, None)), []
    while chunk := store.take_to_load(at_once):
        find_copies(case, chunk)
        store.loaded([exhibit.id for exhibit in chunk])
        done += [exhibit.id for exhibit in chunk]
    return done
