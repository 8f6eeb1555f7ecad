"""A case's database whose every transaction also posts what it made claimable or gave up. For cases with queues."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import TypeVar

from sqlalchemy import Connection

from redwell.adapters.sql.database import Database
from redwell.adapters.sql.dispatching import post_due

T = TypeVar("T")


class PostingDatabase:
    """Rows and the messages that name them commit together, whoever writes the rows, and however."""

    def __init__(self, database: Database, case: str, dead_letters: str) -> None:
        self.plain, self.case, self._dead_letters = database, case, dead_letters
        self.on_posted: Callable[[], None] = lambda: None  # after the commit; in the thread that wrote

    @property
    def label(self) -> str:
        return self.plain.label

    def prepare(self, tx: Connection) -> None:
        self.plain.prepare(tx)

    def write(self, work: Callable[[Connection], T]) -> T:
        def posting(tx: Connection) -> tuple[T, int]:
            return work(tx), post_due(tx, self.case, self._dead_letters)

        result, posted = self.plain.write(posting)
        if posted:
            self.on_posted()
        return result

    def write_one(self, work: Callable[[Connection], T]) -> T:
        return self.plain.write_one(work)

    def read(self) -> AbstractContextManager[Connection]:
        return self.plain.read()

    def integrity(self, tx: Connection) -> Iterator[str]:
        return self.plain.integrity(tx)

    def close(self) -> None:
        self.plain.close()
