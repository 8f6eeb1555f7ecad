"""A case's database around another one, whose transactions do something more. For keeper_fence and posting_database."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import TypeVar

from sqlalchemy import Connection

from redwell.adapters.sql.database import Database

T = TypeVar("T")


class WrappedDatabase:
    """All of `Database` but `write`, which is what a subclass is for."""

    def __init__(self, plain: Database) -> None:
        self.plain = plain

    @property
    def label(self) -> str:
        return self.plain.label

    def prepare(self, tx: Connection) -> None:
        self.plain.prepare(tx)

    def write_one(self, work: Callable[[Connection], T]) -> T:
        return self.plain.write_one(work)

    def read(self) -> AbstractContextManager[Connection]:
        return self.plain.read()

    def look(self) -> AbstractContextManager[Connection]:
        return self.plain.look()

    def integrity(self, tx: Connection) -> Iterator[str]:
        return self.plain.integrity(tx)

    def close(self) -> None:
        self.plain.close()
