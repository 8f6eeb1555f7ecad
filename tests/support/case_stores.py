"""The case stores that the contract suite runs over. An adapter joins by an entry in STORES."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.support.ledger_model import LARGE_BYTES, MAX_DEPTH

from redwell.adapters.sqlite.contents import Recipe
from redwell.adapters.sqlite.occurrences import Limits
from redwell.adapters.sqlite.store import SqliteCaseStore
from redwell.core.ledger import Attempts
from redwell.ports.case_store import CaseStore

Opener = Callable[[str], CaseStore]  # for a worker; all of them on one case


@contextmanager
def sqlite(folder: Path, attempts: Attempts) -> Iterator[Opener]:
    path = folder / "case.sqlite"
    SqliteCaseStore.create(path, {"name": "contract"})
    recipe = Recipe("engine/1", "settings", LARGE_BYTES)
    with ExitStack() as stack:

        def opened(worker: str) -> CaseStore:
            store = SqliteCaseStore(
                path, worker, recipe, limits=Limits(MAX_DEPTH, 1_000), prefix="RW", attempts=attempts
            )
            stack.callback(store.close)
            return store

        yield opened


STORES = {"sqlite": sqlite}
