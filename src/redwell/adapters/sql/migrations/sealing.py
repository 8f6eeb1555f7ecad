"""Rows of a large case, some at a time, and their seals written anew. Used by the steps of a migration."""

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import Connection, text

from redwell.core.case.seals import seal

_AT_ONCE = 2_000


def parts(tx: Connection, query: str) -> Iterator[Sequence[Any]]:
    """The rows by their ids, each part read before anything is written; the query has :last and :most."""
    last = 0
    while rows := tx.execute(text(query), {"last": last, "most": _AT_ONCE}).mappings().all():
        yield rows
        last = rows[-1]["id"]


def seal_anew(tx: Connection, table: str, columns: Sequence[str], before: Sequence[str] = ()) -> None:
    """Of every row that is done. One whose seal over the columns of `before` did not hold stays broken, and found."""
    query = f"SELECT * FROM {table} WHERE state = 'done' AND id > :last ORDER BY id LIMIT :most"
    update = text(f"UPDATE {table} SET seal = :seal WHERE id = :id")
    for rows in parts(tx, query):
        whole = [row for row in rows if not before or row["seal"] == _seal_of(row, before)]
        if whole:
            tx.execute(update, [{"id": row["id"], "seal": _seal_of(row, columns)} for row in whole])


def _seal_of(row: Any, columns: Sequence[str]) -> bytes:
    return seal(tuple(row[column] for column in columns))
