"""Results of any size: rows come from the database as they are asked for."""

from collections.abc import Iterator, Mapping
from typing import Any

from sqlalchemy import Connection, Executable


def streamed(tx: Connection, query: Executable, values: Mapping[str, object] | None = None) -> Iterator[Any]:
    """The rows; the cursor is closed when they are over or nobody wants more."""
    with tx.execute(query, dict(values or {}), execution_options={"stream_results": True}) as result:
        yield from result
