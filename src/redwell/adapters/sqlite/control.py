"""The control file of a home: which cases there are. A case's own facts are in the case's folder."""

import time
from pathlib import Path

from sqlalchemy import Column, Connection, Integer, MetaData, String, Table, select
from sqlalchemy.dialects.sqlite import insert

from redwell.adapters.sqlite.database import SqliteDatabase

metadata = MetaData()
cases = Table(
    "cases",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String, nullable=False, unique=True),
    Column("created_ms", Integer, nullable=False),
)


class Control:
    def __init__(self, path: Path) -> None:
        self._database = SqliteDatabase(path)
        self._database.write(metadata.create_all)

    def find(self, name: str) -> int | None:
        with self._database.read() as tx:
            return tx.execute(select(cases.c.id).where(cases.c.name == name)).scalar()

    def add(self, name: str, key: int | None = None) -> int:
        """The case's id; a name that is there keeps the one it has."""
        row = {"name": name, "created_ms": time.time_ns() // 1_000_000, **({"id": key} if key else {})}

        def work(tx: Connection) -> int:
            tx.execute(insert(cases).values(row).on_conflict_do_nothing())
            return int(tx.execute(select(cases.c.id).where(cases.c.name == name)).scalar_one())

        return self._database.write(work)

    def names(self) -> list[str]:
        with self._database.read() as tx:
            return list(tx.execute(select(cases.c.name).order_by(cases.c.id)).scalars())

    def close(self) -> None:
        self._database.close()
