"""Statements of the hot paths: built by SQLAlchemy once per database, bound by the driver itself at every run.

Compiling, expanding and converting parameters per row costs more than the database's own work on it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import starmap
from operator import itemgetter
from typing import Any, TypeVar

import msgspec
from sqlalchemy import ClauseElement, ColumnElement, Connection, Table, bindparam, literal_column
from sqlalchemy.dialects import sqlite
from sqlalchemy.dialects.postgresql import Insert, insert, psycopg

from redwell.adapters.sql.row_arrays import NEW, row_arrays
from redwell.core.reading import Problem

T = TypeVar("T")
_psycopg: Any = psycopg.dialect  # untyped
_PROBLEMS = msgspec.json.Decoder(list[Problem])
_DIALECTS = {"sqlite": sqlite.dialect(), "postgresql": _psycopg()}


class _Text:
    """A statement for one database; SQLite takes its parameters in order, which is cheaper than by name."""

    def __init__(self, statement: ClauseElement, database: str) -> None:
        compiled: Any = statement.compile(dialect=_DIALECTS[database])
        self.sql = str(compiled).replace(f"%({NEW}", "%(")
        self.own = {name: value for name, value in compiled.params.items() if value is not None}
        self.arrays = row_arrays(compiled) if database == "postgresql" else None
        self.names = [name.removeprefix(NEW) for name in compiled.positiontup or ()]
        self.in_order: Callable[[Mapping[str, Any]], tuple[Any, ...]] = (
            itemgetter(*self.names) if len(self.names) > 1 else lambda row: tuple(row[name] for name in self.names)
        )


class Prepared:
    """Parameters are the statement's `bindparam`s by name; values of its own are written with `constant`."""

    def __init__(self, statement: ClauseElement) -> None:
        self._statement = statement
        self._texts: dict[str, _Text] = {}

    def text(self, database: str) -> _Text:
        """By SQLAlchemy's name of the database."""
        if database not in self._texts:
            self._texts[database] = _Text(self._statement, database)
        return self._texts[database]

    def all(self, tx: Connection, **values: Any) -> list[tuple[Any, ...]]:
        found: list[tuple[Any, ...]] = self._run(tx, values).fetchall()
        return found

    def rows(self, tx: Connection, **values: Any) -> list[dict[str, Any]]:
        """The rows by column; plain dicts, since SQLAlchemy's own rows cost more to look into than to fetch."""
        cursor = self._run(tx, values)
        columns = [column[0] for column in cursor.description]
        return [dict(zip(columns, row, strict=False)) for row in cursor.fetchall()]

    def of(self, tx: Connection, kind: Callable[..., T], **values: Any) -> list[T]:
        """The rows as values of a class that has a field for each column: made at a tenth of what a dict costs."""
        return list(starmap(kind, self._run(tx, values).fetchall()))

    def run(self, tx: Connection, **values: Any) -> None:
        self._run(tx, values)

    def _run(self, tx: Connection, values: dict[str, Any]) -> Any:
        """The driver's cursor. It is asked directly: a statement takes as long in SQLAlchemy as in itself."""
        text = self.text(tx.dialect.name)
        values = {**text.own, **values}
        if tx.dialect.name == "sqlite":
            return _driver(tx).execute(text.sql, text.in_order(values))
        return _driver(tx).execute(text.sql, values)

    def many(self, tx: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
        """Once for each row; nothing for none."""
        if rows:
            text = self.text(tx.dialect.name)
            assert not text.own, f"not among the rows: {text.own}"
            if tx.dialect.name == "sqlite":
                _driver(tx).executemany(text.sql, map(text.in_order, rows))
            elif text.arrays and len(rows) > 1 and (lists := text.arrays.of(rows)):
                _driver(tx).execute(text.arrays.sql, lists)
            else:
                with _driver(tx).cursor() as cursor:
                    cursor.executemany(text.sql, rows)


def _driver(tx: Connection) -> Any:
    return tx.connection.driver_connection


def constant(value: str | int) -> ColumnElement[Any]:
    """Part of the SQL, not a parameter: a partial index is used only where the database sees the value."""
    return literal_column(str(value) if isinstance(value, int) else f"'{value}'")


def insert_rows(table: Table, columns: Iterable[str]) -> Insert:
    """PostgreSQL's INSERT: its ON CONFLICT is understood by SQLite too, not so the other way round."""
    return insert(table).inline().values({column: bindparam(column) for column in columns})


def new_values(columns: Iterable[str]) -> dict[str, Any]:
    """For `update().values(...)`: each column takes the parameter of its name."""
    return {column: bindparam(f"{NEW}{column}") for column in columns}


def as_json(value: object) -> str:
    """Compact, with sorted keys: equal values give equal text, so a seal holds."""
    return msgspec.json.encode(value, order="deterministic").decode()


def problems_json(problems: Sequence[Problem]) -> str:
    return as_json(problems) if problems else "[]"


def problems_of(stored: str) -> list[Problem]:
    return _PROBLEMS.decode(stored) if stored != "[]" else []
