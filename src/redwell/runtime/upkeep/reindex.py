"""`redwell reindex`: makes the search index of a case anew from its rows and texts. Called by the command line.

An index of another version is made anew like this by whoever works on the case next.
"""

from collections.abc import Callable

from redwell.core.case.checkpoints import Checkpoint
from redwell.core.errors import Recoverable
from redwell.load.loader import Loader
from redwell.runtime.bootstrap.open_case import Case


def reindex(case: Case, on_commit: Callable[[int], None]) -> int:
    """How many exhibits can be found again. Killed on the way, the next import or reindex goes on."""
    lock = case.indexer_lock()
    if lock is None:
        raise Recoverable("another process writes the index of this case; try again when its import is over")
    try:
        start_anew(case)
        return _fill(case, on_commit)
    finally:
        case.index.close()
        lock.release()


def start_anew(case: Case) -> None:
    """An empty index, and everything that belongs into it pending; for whoever holds the indexer's lock."""
    # from the first step on: a case of an older release has had fewer of them
    case.store.load_again(Checkpoint.DUPLICATION)  # before that: an index that is gone must be pending already
    case.index.forget()


def _fill(case: Case, on_commit: Callable[[int], None]) -> int:
    case.store.begin_loading()
    loader = Loader(case.store, case.blobs, case.index)
    total = 0
    more = True
    while more:
        while more and not loader.added.is_much(case.settings.index_documents):
            more = loader.load_some() > 0
        total += loader.commit()
        on_commit(total)
    return total
