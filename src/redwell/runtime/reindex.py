"""`redwell reindex`: makes the search index of a case anew from its rows and texts. Called by the command line."""

from collections.abc import Callable

from redwell.core.errors import Recoverable
from redwell.load.project import Added, add_pending, commit
from redwell.runtime.bootstrap import Case


def reindex(case: Case, on_commit: Callable[[int], None]) -> int:
    """How many exhibits can be found again. Killed on the way, the next import or reindex goes on."""
    lock = case.indexer_lock()
    if lock is None:
        raise Recoverable("another process writes the index of this case; try again when its import is over")
    try:
        case.store.index_again()  # first: an index that is gone must be pending already
        case.index.forget()
        return _fill(case, on_commit)
    finally:
        case.index.close()
        lock.release()


def _fill(case: Case, on_commit: Callable[[int], None]) -> int:
    case.store.begin_indexing()
    total = 0
    more = True
    while more:
        added = Added()
        while more and not added.is_much(case.settings.index_documents):
            more = add_pending(case.store, case.blobs, case.index, added) > 0
        commit(case.store, case.index, added)
        total += len(added.exhibits)
        on_commit(total)
    return total
