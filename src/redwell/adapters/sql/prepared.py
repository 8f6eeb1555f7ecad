"""Statements of the hot paths: built by SQLAlchemy once per database, bound by the driver itself at every run.

Compiling, expanding and converting parameters per row costs more than the database's own work on it.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import starmap
from operator import itemgetter
from typing import Any, TypeVar

import msgspec
from sqlalchemy import ClauseElement, ColumnElement, Connection, Table, bindparam, literal_column
from sqlalchemy.dialects import sqlite
from sqlalchemy.dialects.postgresql import Insert, insert, psycopg

from redwell.core.reading import Problem

T = TypeVar("T")
_NEW = "new_"  # SQLAlchemy keeps a column's own name for itself in an UPDATE
_psycopg: Any = psycopg.dialect  # untyped
_PROBLEMS = msgspec.json.Decoder(list[Problem])
_VALUES = re.compile(r" VALUES \((.*)\)((?: ON CONFLICT(?: \([^)]*\))?(?: WHERE [^%]*)? DO NOTHING)?)$", re.DOTALL)
_VALUE = re.compile(r'%\((\w+)\)s(?:::\w+(?: COLLATE "C")?)?')
_DIALECTS = {"sqlite": sqlite.dialect(), "postgresql": _psycopg()}


class _Text:
    """A statement for one database; SQLite takes its parameters in order, which is cheaper than by name."""

    def __init__(self, statement: ClauseElement, database: str) -> None:
        compiled: Any = statement.compile(dialect=_DIALECTS[database])
        self.sql = str(compiled).replace(f"%({_NEW}", "%(")
        self.own = {name: value for name, value in compiled.params.items() if value is not None}
        self.arrays = _arrays(statement, self.sql) if database == "postgresql" else None
        self.names = [name.removeprefix(_NEW) for name in compiled.positiontup or ()]
        self.in_order: Callable[[Mapping[str, Any]], tuple[Any, ...]] = (
            itemgetter(*self.names) if len(self.names) > 1 else lambda row: tuple(row[name] for name in self.names)
        )


class _Arrays:
    """Rows of a plain INSERT as one statement for PostgreSQL, a list for each column: to bind and run a statement for
    each row costs both sides three times as much."""

    def __init__(self, statement: Insert, sql: str, values: re.Match[str]) -> None:
        names = _VALUE.findall(values[1])
        columns = [statement.table.c[name].type for name in names]
        self.kinds: dict[str, Callable[[Any], Any]] = dict(zip(names, (c.python_type for c in columns), strict=True))
        types = [c.compile(dialect=_DIALECTS["postgresql"]).partition(" COLLATE")[0] for c in columns]
        lists = ", ".join(f"%({name})s::{kind}[]" for name, kind in zip(names, types, strict=True))
        self.sql = f"{sql[: values.start()]} SELECT * FROM unnest({lists}){values[2]}"

    def of(self, rows: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
        """An array has values of one type: no enums beside plain ones."""
        return {
            name: [None if (v := row[name]) is None else kind(v) for row in rows] for name, kind in self.kinds.items()
        }


def _arrays(statement: ClauseElement, sql: str) -> _Arrays | None:
    """None where a row has more than its parameters, or may meet another one of the same statement."""
    found = _VALUES.search(sql) if isinstance(statement, Insert) else None
    if found is None or _VALUE.sub("", found[1]).strip(", "):
        return None
    assert isinstance(statement, Insert)
    return _Arrays(statement, sql, found)


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
            elif text.arrays and len(rows) > 1:
                _driver(tx).execute(text.arrays.sql, text.arrays.of(rows))
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
    return {column: bindparam(f"{_NEW}{column}") for column in columns}


def as_json(value: object) -> str:
    """Compact, with sorted keys: equal values give equal text, so a seal holds."""
    return msgspec.json.encode(value, order="deterministic").decode()


def problems_json(problems: Sequence[Problem]) -> str:
    return as_json(problems) if problems else "[]"


def problems_of(stored: str) -> list[Problem]:
    return _PROBLEMS.decode(stored) if stored != "[]" else []
