"""What a reader asks of a database, in plain SQL that SQLite and PostgreSQL both understand.

Parameters are written `:name`; `IN :name` takes a list. Nothing of SQLAlchemy is needed: to import it takes longer
than most looks. `adapters.sqlite.read_only` and `adapters.postgres.read_only` give this.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any, Protocol, TypeVar

from redwell.ports.audit import Overtaken

LIST = re.compile(r"\bIN :([a-z]\w*)")
PARAMETER = re.compile(r"(?<![:\w]):([a-z]\w*)")
Row = tuple[Any, ...]
T = TypeVar("T")


class Unreadable(Exception):
    """The database refused a query that is right: its files are damaged."""


class Session(Protocol):
    """One consistent state of a case. Any call may raise ports.audit.Overtaken."""

    def all(self, query: str, **values: object) -> list[Row]: ...
    def stream(self, query: str, **values: object) -> Iterator[Row]:
        """Rows come as they are asked for."""
        ...

    def guard(self) -> AbstractContextManager[None]:
        """Unreadable instead of the driver's own error; the session can be used further."""
        ...

    def integrity(self) -> Iterator[str]:
        """What the database itself finds wrong with its files."""
        ...


class ReadOnlyDatabase(Protocol):
    """Safe to use from several threads."""

    @property
    def label(self) -> str: ...
    def has_table(self, name: str) -> bool: ...

    def view(self) -> AbstractContextManager[Session]: ...
    def close(self) -> None: ...


def looked(database: ReadOnlyDatabase, work: Callable[[Session], T]) -> T:
    """Again where a writer came in between: what was read then is of no state."""
    while True:
        try:
            with database.view() as session:
                return work(session)
        except Overtaken:
            continue
