"""The control file of a home: which cases there are, and which have work. A case's own facts are in its folder."""

import time
from pathlib import Path

from sqlalchemy import Column, Connection, Integer, MetaData, String, Table, delete, func, select, update
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

work = Table(
    "work",
    metadata,
    Column("case", Integer, primary_key=True, autoincrement=False),
    Column("mark", Integer, nullable=False),  # raised with each job, so that a newer one is not taken back by mistake
)


gone = Table(  # cases that were deleted: their numbers are given to no other one
    "gone",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("name", String, nullable=False),
    Column("deleted_ms", Integer, nullable=False),
    Column("account", String, nullable=False),
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
        row = {"name": name, "created_ms": time.time_ns() // 1_000_000}

        def work(tx: Connection) -> int:
            row["id"] = key or 1 + max(
                tx.execute(select(func.max(table.c.id))).scalar() or 0 for table in (cases, gone)
            )
            tx.execute(insert(cases).values(row).on_conflict_do_nothing())
            return int(tx.execute(select(cases.c.id).where(cases.c.name == name)).scalar_one())

        return self._database.write(work)

    def ids(self) -> set[int]:
        with self._database.read() as tx:
            return set(tx.execute(select(cases.c.id)).scalars())

    def names(self) -> list[str]:
        with self._database.read() as tx:
            return list(tx.execute(select(cases.c.name).order_by(cases.c.id)).scalars())

    def rename(self, key: int, name: str) -> None:
        self._database.write(lambda tx: tx.execute(update(cases).where(cases.c.id == key).values(name=name)))

    def remove(self, key: int, name: str, account: str) -> None:
        """The case is no more; what was told of its end is kept. Once more changes nothing."""
        row = {"id": key, "name": name, "deleted_ms": time.time_ns() // 1_000_000, "account": account}

        def end(tx: Connection) -> None:
            tx.execute(insert(gone).values(row).on_conflict_do_nothing())
            tx.execute(delete(work).where(work.c.case == key))
            tx.execute(delete(cases).where(cases.c.id == key))

        self._database.write(end)

    def removed(self) -> list[str]:
        """What was told of each, the oldest first."""
        with self._database.read() as tx:
            return list(tx.execute(select(gone.c.account).order_by(gone.c.deleted_ms, gone.c.id)).scalars())

    def mark(self, case: int) -> None:
        """A hint for workers: this case has an open job. The case itself knows for sure."""
        new = insert(work).values(case=case, mark=1)
        self._database.write(
            lambda tx: tx.execute(new.on_conflict_do_update(index_elements=["case"], set_={"mark": work.c.mark + 1}))
        )

    def unmark(self, case: int, mark: int) -> None:
        """It had none; unless it has been marked again since."""
        self._database.write(lambda tx: tx.execute(delete(work).where(work.c.case == case, work.c.mark == mark)))

    def marked(self) -> dict[str, tuple[int, int]]:
        """The cases with work: id and mark by name."""
        query = select(cases.c.name, cases.c.id, work.c.mark).join_from(cases, work, work.c.case == cases.c.id)
        with self._database.read() as tx:
            return {name: (key, mark) for name, key, mark in tx.execute(query.order_by(cases.c.id))}

    def close(self) -> None:
        self._database.close()
