"""The control file of a home: which cases there are. A case's own facts are in the case's folder."""

import time
from pathlib import Path

from sqlalchemy import Column, Integer, MetaData, String, Table, select
from sqlalchemy.dialects.sqlite import insert

from redwell.adapters.sqlite.database import Database

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
        self._database = Database(path)
        with self._database.write() as tx:
            metadata.create_all(tx)

    def find(self, name: str) -> int | None:
        with self._database.read() as tx:
            return tx.execute(select(cases.c.id).where(cases.c.name == name)).scalar()

    def add(self, name: str, key: int | None = None) -> int:
        """The case's id; a name that is there keeps the one it has."""
        row = {"name": name, "created_ms": time.time_ns() // 1_000_000, **({"id": key} if key else {})}
        with self._database.write() as tx:
            tx.execute(insert(cases).values(row).on_conflict_do_nothing())
            return int(tx.execute(select(cases.c.id).where(cases.c.name == name)).scalar_one())

    def names(self) -> list[str]:
        with self._database.read() as tx:
            return list(tx.execute(select(cases.c.name).order_by(cases.c.id)).scalars())

    def close(self) -> None:
        self._database.close()
