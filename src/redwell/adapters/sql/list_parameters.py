"""Lists as one parameter, of any length in one statement, spelled as each database likes it.

A value is made by `as_list` or `as_hashes`; the adapters teach their drivers how to send it.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import ColumnElement, TableValuedAlias, Text, bindparam
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.types import NullType

SHA256_BYTES = 32
_ARRAYS = {int: "BIGINT[]", str: "TEXT[]", bytes: "BYTEA[]"}


class Values(list[int | str]):
    """Sent to SQLite as JSON, to PostgreSQL as an array."""


class Hashes(list[bytes]):
    """Sent to SQLite as one run of bytes, which JSON can't hold; to PostgreSQL as an array."""


def as_list(values: Iterable[int | str]) -> Values:
    return Values(values)


def as_hashes(sha256s: Sequence[bytes]) -> dict[str, Any]:
    """The parameters of `among_hashes`."""
    return {"hashes": Hashes(sha256s), "starts": Values(range(1, SHA256_BYTES * len(sha256s), SHA256_BYTES))}


class among(FunctionElement[Any]):  # noqa: N801  # a function to those who use it
    """True where the column has one of the values of the parameter."""

    type = NullType()  # of a Boolean SQLAlchemy asks whether it "= 1" in SQLite, which then uses no index
    inherit_cache = False

    def __init__(self, column: ColumnElement[Any], name: str) -> None:
        super().__init__(column, bindparam(name))


@compiles(among, "sqlite")
def _among_json(element: among, compiler: SQLCompiler, **kw: Any) -> str:
    column, values = (compiler.process(clause, **kw) for clause in element.clauses)
    return f"{column} IN (SELECT value FROM json_each({values}))"


@compiles(among, "postgresql")
def _among_array(element: among, compiler: SQLCompiler, **kw: Any) -> str:
    column, values = element.clauses
    kind = _ARRAYS[column.type.python_type]
    return f"{compiler.process(column, **kw)} = ANY ({compiler.process(values, **kw)}::{kind})"


class among_hashes(FunctionElement[Any]):  # noqa: N801
    """The same for SHA-256 values."""

    type = NullType()
    inherit_cache = False

    def __init__(self, column: ColumnElement[Any]) -> None:
        super().__init__(column, bindparam("hashes"), bindparam("starts"))


@compiles(among_hashes, "sqlite")
def _among_slices(element: among_hashes, compiler: SQLCompiler, **kw: Any) -> str:
    column, hashes, starts = (compiler.process(clause, **kw) for clause in element.clauses)
    return f"{column} IN (SELECT substr({hashes}, value, {SHA256_BYTES}) FROM json_each({starts}))"


@compiles(among_hashes, "postgresql")
def _among_bytes(element: among_hashes, compiler: SQLCompiler, **kw: Any) -> str:
    column, hashes, _ = element.clauses
    return f"{compiler.process(column, **kw)} = ANY ({compiler.process(hashes, **kw)}::BYTEA[])"


class _each(FunctionElement[Any]):  # noqa: N801
    inherit_cache = False

    def __init__(self, name: str, kind: type[int] | type[str]) -> None:
        super().__init__(bindparam(name))
        self.array = _ARRAYS[kind]


def rows_of(name: str, kind: type[int] | type[str] = str) -> TableValuedAlias:
    """The values of the parameter as rows with the one column `value`."""
    # both databases know the one column of a function that is called `value` as `value.value`
    return _each(name, kind).table_valued("value", name="value")


@compiles(_each, "sqlite")
def _each_of_json(element: _each, compiler: SQLCompiler, **kw: Any) -> str:
    return f"json_each({compiler.process(element.clauses, **kw)})"


@compiles(_each, "postgresql")
def _each_of_array(element: _each, compiler: SQLCompiler, **kw: Any) -> str:
    return f"unnest({compiler.process(element.clauses, **kw)}::{element.array})"


class distinct_json(FunctionElement[str]):  # noqa: N801
    """Every value of the group once, as the text of a JSON list."""

    type = Text()
    inherit_cache = False


@compiles(distinct_json, "sqlite")
def _json_group_array(element: distinct_json, compiler: SQLCompiler, **kw: Any) -> str:
    return f"json_group_array(DISTINCT {compiler.process(element.clauses, **kw)})"


@compiles(distinct_json, "postgresql")
def _json_agg(element: distinct_json, compiler: SQLCompiler, **kw: Any) -> str:
    return f"json_agg(DISTINCT {compiler.process(element.clauses, **kw)})::TEXT"
