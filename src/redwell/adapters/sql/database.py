"""What the SQL case store asks of a database; adapters.sqlite and adapters.postgres give it."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Protocol, TypeVar

from sqlalchemy import Connection

T = TypeVar("T")


class Database(Protocol):
    @property
    def label(self) -> str:
        """What people know it by; no secret is in it."""
        ...

    def prepare(self, tx: Connection) -> None:
        """Make what the tables are put into."""
        ...

    def write(self, work: Callable[[Connection], T]) -> T:
        """One transaction, alone among the writers of the case: durable when this returns, or it never happened.

        `work` may be called again after a roll-back, so it changes nothing but rows.
        """
        ...

    def write_one(self, work: Callable[[Connection], T]) -> T:
        """One statement beside other writers, as far as the database lets them: it locks the rows it needs itself."""
        ...

    def read(self) -> AbstractContextManager[Connection]:
        """One consistent view; it never blocks a writer."""
        ...

    def look(self) -> AbstractContextManager[Connection]:
        """The same for what takes moments, such as rows by their keys: a writer of this process may wait for its end.

        What was written last is mostly looked for next, and the writer has it at hand.
        """
        ...

    def integrity(self, tx: Connection) -> Iterator[str]:
        """What the database itself finds wrong with its files."""
        ...

    def close(self) -> None: ...
