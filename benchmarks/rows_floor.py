"""The floor under the rows of an import: those that it has left, put into the same tables again, by the driver alone.

Nobody asks what is there already, makes anything out of the values, or reads them again; as the store floor, each
hundred documents are a transaction that is synced. The row for each content of the store floor is counted there, too.
Used by benchmarks.run.
"""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from redwell.adapters.sqlite.database import PRAGMAS

CHUNK = 100  # documents


def rows_floor(case: Path, place: Path, documents: int) -> float:
    """Seconds for the rows of the case in this file, into a new one."""
    with closing(sqlite3.connect(case)) as left, closing(sqlite3.connect(place, isolation_level=None)) as new:
        for pragma in PRAGMAS:
            new.execute(f"PRAGMA {pragma}").fetchall()
        for (made,) in left.execute("SELECT sql FROM sqlite_schema WHERE type IN ('table', 'index') AND sql NOT NULL"):
            if "sqlite_sequence" not in made:
                new.execute(made)
        chunks = list(_chunks(left, -(-documents // CHUNK)))
        began = time.monotonic()
        for chunk in chunks:
            new.execute("BEGIN IMMEDIATE")
            for statement, rows in chunk:
                new.executemany(statement, rows)
            new.execute("COMMIT")
        return time.monotonic() - began


def _chunks(left: sqlite3.Connection, count: int) -> Iterator[list[tuple[str, list[Any]]]]:
    """A part of every table each, as an import fills all of them side by side."""
    tables = {}
    for (name,) in left.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"):
        rows = left.execute(f'SELECT * FROM "{name}"').fetchall()
        if rows:
            tables[f'INSERT INTO "{name}" VALUES ({", ".join("?" * len(rows[0]))})'] = rows
    for part in range(count):
        yield [
            (statement, rows[len(rows) * part // count : len(rows) * (part + 1) // count])
            for statement, rows in tables.items()
        ]
