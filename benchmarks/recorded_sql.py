"""What a program asks of SQLite, written down once and asked again by the driver alone: the ceiling of its own code.

Used by benchmarks.noop. The statements, their values and the transactions around them are those of the recorded run,
so nobody has to keep a copy of them in step with the product.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, event

from redwell.adapters.sqlite.database import PRAGMAS


@dataclass(frozen=True, slots=True)
class Asked:
    """A statement and its values as SQLite gets them; of `many` it is run once for each row."""

    sql: str
    values: Sequence[Any]
    many: bool = False

    @property
    def writes(self) -> bool:
        return not self.sql.startswith("SELECT")


class _Cursor(sqlite3.Cursor):
    """SQLAlchemy's own statements come through a cursor, those of the hot paths through the connection."""

    connection: "_Connection"

    def execute(self, sql: str, values: Any = ()) -> "_Cursor":
        self.connection.note(Asked(sql, _bound(values)))
        super().execute(sql, values)
        return self

    def executemany(self, sql: str, values: Iterable[Any]) -> "_Cursor":
        rows = [_bound(row) for row in values]
        self.connection.note(Asked(sql, rows, many=True))
        super().executemany(sql, rows)
        return self


class _Connection(sqlite3.Connection):
    asked: list[Asked] | None = None

    def note(self, asked: Asked) -> None:
        if self.asked is not None:
            self.asked.append(asked)

    def cursor(self, *_: Any) -> Any:
        return super().cursor(_Cursor)

    def execute(self, sql: str, values: Any = ()) -> Any:
        return self.cursor().execute(sql, values)

    def executemany(self, sql: str, values: Any) -> Any:
        return self.cursor().executemany(sql, values)


def _bound(values: Iterable[Any]) -> tuple[Any, ...]:
    """As plain values: to make text of lists and enums is the product's work, not SQLite's."""
    return tuple(_plain(sqlite3.adapt(value, sqlite3.PrepareProtocol, value)) for value in values)


def _plain(value: Any) -> Any:
    return str(value) if isinstance(value, str) else value


@contextmanager
def recording() -> Iterator[list[Asked]]:
    """What every SQLite connection that is opened meanwhile is asked."""
    asked: list[Asked] = []

    def connect(_dialect: object, _record: object, args: Any, options: Any) -> sqlite3.Connection:
        connection = sqlite3.connect(*args, **options, factory=_Connection)
        connection.asked = asked
        return connection

    event.listen(Engine, "do_connect", connect)
    try:
        yield asked
    finally:
        event.remove(Engine, "do_connect", connect)


def without_reads(asked: Iterable[Asked]) -> list[Asked]:
    return [each for each in asked if each.writes]


def transactions(asked: Iterable[Asked]) -> int:
    return sum(each.sql == "COMMIT" for each in asked)


def replayed(path: Path, asked: Iterable[Asked]) -> Iterator[None]:
    """The driver does them all, and stops after each transaction; rows are fetched, and nothing is made of them."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for pragma in PRAGMAS:
            connection.execute(f"PRAGMA {pragma}").fetchall()
        yield
        for each in asked:
            if each.many:
                connection.executemany(each.sql, each.values)
            else:
                connection.execute(each.sql, each.values).fetchall()
            if each.sql == "COMMIT":
                yield
