"""The database's own time in milliseconds: one clock for all workers that share it."""

from typing import Any

from sqlalchemy import BigInteger
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement


class now_ms(FunctionElement[int]):  # noqa: N801  # a function to those who use it
    """The same throughout a statement, so that an index can be searched by it."""

    type = BigInteger()
    inherit_cache = True


@compiles(now_ms, "sqlite")
def _by_days(element: now_ms, compiler: SQLCompiler, **kw: Any) -> str:
    return "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)"


@compiles(now_ms, "postgresql")
def _by_epoch(element: now_ms, compiler: SQLCompiler, **kw: Any) -> str:
    return "(extract(epoch FROM statement_timestamp()) * 1000)::BIGINT"
