"""Statements of the hot paths: built by SQLAlchemy once per database, bound by the driver itself at every run.

Compiling, expanding and converting parameters per row costs more than the database's own work on it.
"""

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any

import msgspec
from sqlalchemy import ClauseElement, ColumnElement, Connection, CursorResult, Table, bindparam, literal_column
from sqlalchemy.dialects import sqlite
from sqlalchemy.dialects.postgresql import Insert, insert, psycopg

from redwell.core.records import Problem

_NEW = "new_"  # SQLAlchemy keeps a column's own name for itself in an UPDATE
_psycopg: Any = psycopg.dialect  # untyped
_DIALECTS = {"sqlite": sqlite.dialect(paramstyle="named"), "postgresql": _psycopg()}
_OPENERS = {"sqlite": ":", "postgresql": "%("}  # what a parameter begins with


class Prepared:
    """Parameters are the statement's `bindparam`s by name; values of its own are written with `constant`."""

    def __init__(self, statement: ClauseElement) -> None:
        self._statement = statement
        self._compiled: dict[str, tuple[str, dict[str, Any]]] = {}

    def sql(self, database: str) -> tuple[str, dict[str, Any]]:
        """The text for a database, by SQLAlchemy's name of it, and what SQLAlchemy puts in by itself."""
        if database not in self._compiled:
            compiled = self._statement.compile(dialect=_DIALECTS[database])
            own = {name: value for name, value in compiled.params.items() if value is not None}
            opener = _OPENERS[database]
            self._compiled[database] = str(compiled).replace(f"{opener}{_NEW}", opener), own
        return self._compiled[database]

    def all(self, tx: Connection, **values: Any) -> Sequence[Any]:
        """The rows as tuples."""
        return self._run(tx, values).all()

    def rows(self, tx: Connection, **values: Any) -> list[dict[str, Any]]:
        """The rows by column; plain dicts, since SQLAlchemy's own rows cost more to look into than to fetch."""
        result = self._run(tx, values)
        columns = list(result.keys())
        cursor: Any = result.cursor
        found = [dict(zip(columns, row, strict=True)) for row in cursor.fetchall()]
        result.close()
        return found

    def run(self, tx: Connection, **values: Any) -> None:
        self._run(tx, values)

    def _run(self, tx: Connection, values: dict[str, Any]) -> CursorResult[Any]:
        sql, own = self.sql(tx.dialect.name)
        return tx.exec_driver_sql(sql, {**own, **values})

    def many(self, tx: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
        """Once for each row; nothing for none."""
        if rows:
            sql, own = self.sql(tx.dialect.name)
            assert not own, f"not among the rows: {own}"
            tx.exec_driver_sql(sql, list(rows))


def constant(value: StrEnum | int) -> ColumnElement[Any]:
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
    return as_json([{"code": p.code, "detail": p.detail} for p in problems]) if problems else "[]"
