"""The least that a queue in SQL can cost: the driver, one table, one claim and one delete for ten tasks."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Protocol

import psycopg

from redwell.adapters.sqlite.database import PRAGMAS

_TABLE = "CREATE TABLE IF NOT EXISTS floor (id {} PRIMARY KEY, taken BIGINT NOT NULL, body TEXT NOT NULL)"


class Floor(Protocol):
    def fill(self, where: str, tasks: int, body: str) -> None: ...

    def consume(self, where: str, batch: int) -> int: ...


class SqliteFloor:
    """With the settings of adapters.sqlite, full sync among them."""

    def fill(self, where: str, tasks: int, body: str) -> None:
        with closing(self._connect(where)) as tx:
            tx.execute(_TABLE.format("INTEGER"))
            tx.execute("CREATE INDEX IF NOT EXISTS floor_free ON floor (taken, id)")
            tx.execute("BEGIN IMMEDIATE")
            tx.executemany("INSERT INTO floor (taken, body) VALUES (0, ?)", [(body,)] * tasks)
            tx.execute("COMMIT")

    def consume(self, where: str, batch: int) -> int:
        done = 0
        with closing(self._connect(where)) as tx:
            while keys := self._claim(tx, batch):
                tx.execute("BEGIN IMMEDIATE")
                tx.execute(f"DELETE FROM floor WHERE id IN ({','.join(map(str, keys))})")
                tx.execute("COMMIT")
                done += len(keys)
        return done

    def _claim(self, tx: sqlite3.Connection, batch: int) -> list[int]:
        tx.execute("BEGIN IMMEDIATE")
        rows = tx.execute(
            "UPDATE floor SET taken = 1 WHERE id IN"
            " (SELECT id FROM floor WHERE taken = 0 ORDER BY id LIMIT ?) RETURNING id, body",
            (batch,),
        ).fetchall()
        tx.execute("COMMIT")
        return [key for key, _ in rows]

    def _connect(self, where: str) -> sqlite3.Connection:
        tx = sqlite3.connect(Path(where, "floor.sqlite"), timeout=60, isolation_level=None)
        for pragma in PRAGMAS:
            tx.execute(f"PRAGMA {pragma}").fetchall()
        return tx


class PostgresFloor:
    def fill(self, where: str, tasks: int, body: str) -> None:
        with psycopg.connect(where) as tx:
            tx.execute(_TABLE.format("BIGSERIAL"))
            tx.execute("CREATE INDEX IF NOT EXISTS floor_free ON floor (taken, id)")
            tx.execute("INSERT INTO floor (taken, body) SELECT 0, %s FROM generate_series(1, %s)", (body, tasks))

    def consume(self, where: str, batch: int) -> int:
        done = 0
        with psycopg.connect(where) as tx:
            while keys := self._claim(tx, batch):
                tx.execute("DELETE FROM floor WHERE id = ANY (%s)", (keys,))
                tx.commit()
                done += len(keys)
        return done

    def _claim(self, tx: "psycopg.Connection[tuple[int, str]]", batch: int) -> list[int]:
        rows = tx.execute(
            "WITH ready AS (SELECT id FROM floor WHERE taken = 0 ORDER BY id LIMIT %s FOR UPDATE SKIP LOCKED)"
            " UPDATE floor SET taken = 1 WHERE id IN (SELECT id FROM ready) RETURNING id, body",
            (batch,),
        ).fetchall()
        tx.commit()
        return [key for key, _ in rows]


FLOORS: dict[str, Floor] = {"sqlite": SqliteFloor(), "postgres": PostgresFloor()}
