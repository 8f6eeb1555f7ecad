"""`redwell reindex`: makes the search index of a case anew from its rows and texts. Called by the command line.

An index that answers goes on answering meanwhile: each of its entries is as it was, or as it will be. One that is
gone, damaged or of another version is begun empty; the last of these also by whoever works on the case next.
"""

from collections.abc import Callable

from redwell.core.case.checkpoints import Checkpoint
from redwell.core.errors import Recoverable, RedwellError, UserError
from redwell.load.loader import Loader
from redwell.runtime.bootstrap.open_case import Case


def reindex(case: Case, on_commit: Callable[[int], None]) -> int:
    """How many exhibits can be found again. Killed on the way, the next import or reindex goes on."""
    if not case.is_kept_here:
        raise UserError(f"{case.reach.keeper} keeps the case and is at work on it: run this there, or add --here")
    lock = case.indexer_lock()
    if lock is None:
        raise Recoverable("another process writes the index of this case; try again when its import is over")
    try:
        if _answers(case):
            case.store.load_again(Checkpoint.DUPLICATION)
            total = _fill(case, on_commit)
            if total == sum(1 for _ in case.index.entries()):
                return total  # else it holds what no exhibit belongs to
        start_anew(case)
        return _fill(case, on_commit)
    finally:
        case.index.close()
        lock.release()


def catch_up(case: Case) -> bool:
    """What is pending is found; False where another process has the index, and does it."""
    lock = case.indexer_lock()
    if lock is None:
        return False
    try:
        if case.index.is_outdated():
            start_anew(case)
        _fill(case, lambda _: None)
        return True
    finally:
        case.index.close()
        lock.release()


def _answers(case: Case) -> bool:
    try:
        return case.index.is_there() and not case.index.is_outdated() and not any(case.index.damaged())
    except (RedwellError, ValueError):  # its own list of files is no good either
        return False


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
