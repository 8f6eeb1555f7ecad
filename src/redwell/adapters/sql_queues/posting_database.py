"""A case's database whose every transaction also posts what it made claimable or gave up. For cases with queues."""

from collections.abc import Callable
from typing import TypeVar

from sqlalchemy import Connection

from redwell.adapters.sql.database import Database
from redwell.adapters.sql.database_wrapper import WrappedDatabase
from redwell.adapters.sql_queues.task_posts import post_due

T = TypeVar("T")


class PostingDatabase(WrappedDatabase):
    """Rows and the messages that name them commit together, whoever writes the rows, and however."""

    def __init__(self, database: Database, case: str, dead_letters: str) -> None:
        super().__init__(database)
        self.case, self._dead_letters = case, dead_letters
        self.on_posted: Callable[[], None] = lambda: None  # after the commit; in the thread that wrote

    def write(self, work: Callable[[Connection], T]) -> T:
        def posting(tx: Connection) -> tuple[T, int]:
            return work(tx), post_due(tx, self.case, self._dead_letters)

        result, posted = self.plain.write(posting)
        if posted:
            self.on_posted()
        return result
