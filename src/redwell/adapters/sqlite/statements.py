"""Statements of the hot paths: built by SQLAlchemy once, bound by sqlite3 itself at every run.

Compiling, expanding and converting parameters per row costs more than SQLite's own work on it.
"""

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any

import msgspec
from sqlalchemy import (
    ClauseElement,
    ColumnElement,
    Connection,
    ScalarSelect,
    Table,
    bindparam,
    func,
    literal_column,
    select,
)
from sqlalchemy.dialects import sqlite
from sqlalchemy.dialects.sqlite import Insert, insert

from redwell.core.records import Problem

_NEW = "new_"  # SQLAlchemy keeps a column's own name for itself in an UPDATE
_SHA256 = 32
_DIALECT = sqlite.dialect(paramstyle="named")


class Prepared:
    """Parameters are the statement's `bindparam`s by name; values of its own are written with `constant`."""

    def __init__(self, statement: ClauseElement) -> None:
        compiled = statement.compile(dialect=_DIALECT)
        self.sql = str(compiled).replace(f":{_NEW}", ":")
        self._own = {name: value for name, value in compiled.params.items() if value is not None}

    def all(self, tx: Connection, **values: Any) -> Sequence[Any]:
        """The rows as tuples."""
        return tx.exec_driver_sql(self.sql, {**self._own, **values}).all()

    def rows(self, tx: Connection, **values: Any) -> list[dict[str, Any]]:
        """The rows by column; plain dicts, since SQLAlchemy's own rows cost more to look into than to fetch."""
        result = tx.exec_driver_sql(self.sql, {**self._own, **values})
        columns = list(result.keys())
        return [dict(zip(columns, row, strict=True)) for row in result.all()]

    def run(self, tx: Connection, **values: Any) -> None:
        tx.exec_driver_sql(self.sql, {**self._own, **values})

    def many(self, tx: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
        """Once for each row; nothing for none."""
        assert not self._own, f"not among the rows: {self._own}"
        if rows:
            tx.exec_driver_sql(self.sql, list(rows))


def constant(value: StrEnum | int) -> ColumnElement[Any]:
    """Part of the SQL, not a parameter: SQLite uses a partial index only where it sees the value."""
    return literal_column(str(value) if isinstance(value, int) else f"'{value}'")


def listed(name: str) -> ScalarSelect[Any]:
    """For `column.in_(listed("ids"))`: a parameter made by `as_list`, of any length in one statement."""
    values = func.json_each(bindparam(name)).table_valued("value")
    return select(values.c.value).scalar_subquery()


def listed_hashes() -> ScalarSelect[Any]:
    """The same for SHA-256 values, with the parameters of `as_hashes`: they are cut from one run of bytes."""
    starts = func.json_each(bindparam("starts")).table_valued("value")
    return select(func.substr(bindparam("hashes"), starts.c.value, constant(_SHA256))).scalar_subquery()


def as_hashes(sha256s: Sequence[bytes]) -> dict[str, Any]:
    starts = range(1, _SHA256 * len(sha256s), _SHA256)
    return {"hashes": b"".join(sha256s), "starts": as_list(starts)}


def as_list(values: Iterable[int | str]) -> str:
    return msgspec.json.encode(list(values)).decode()


def insert_rows(table: Table, columns: Iterable[str]) -> Insert:
    return insert(table).values({column: bindparam(column) for column in columns})


def new_values(columns: Iterable[str]) -> dict[str, Any]:
    """For `update().values(...)`: each column takes the parameter of its name."""
    return {column: bindparam(f"{_NEW}{column}") for column in columns}


def as_json(value: object) -> str:
    """Compact, with sorted keys: equal values give equal text, so a seal holds."""
    return msgspec.json.encode(value, order="deterministic").decode()


def problems_json(problems: Sequence[Problem]) -> str:
    return as_json([{"code": p.code, "detail": p.detail} for p in problems]) if problems else "[]"
