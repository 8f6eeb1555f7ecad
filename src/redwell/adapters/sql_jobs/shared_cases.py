"""The cases that machines share: a row each, in the database that has their ledgers. Used where cases are looked for.

A row tells a machine all that it needs to work on a case; the rest is in the case's own schema and bucket.
"""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Column, Connection, Index, MetaData, Table, bindparam, func, select, text, update
from sqlalchemy.dialects.postgresql import insert

from redwell.adapters.sql.database import Database
from redwell.adapters.sql.prepared import Prepared, constant
from redwell.adapters.sql.tables import Integer, String
from redwell.core.jobs.shared_cases import SharedCase

metadata = MetaData()
_entered = text("uid <> ''")

shared_case = Table(
    "shared_case",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("uid", String, nullable=False, server_default=""),  # empty: the number is taken, no more
    Column("name", String, nullable=False, server_default=""),
    Column("blobs", String, nullable=False, server_default=""),
    Column("keeper", String, nullable=False, server_default=""),
    Column("mark", Integer, nullable=False, server_default="0"),  # raised with each job
    Column("seen", Integer, nullable=False, server_default="0"),  # the mark at which no job was open
    Index("shared_case_name", "name", unique=True, sqlite_where=_entered, postgresql_where=_entered),
)

_FIELDS = ("number", "uid", "name", "blobs", "keeper")
_columns = [shared_case.c[name] for name in _FIELDS]
_known = select(*_columns).where(shared_case.c.uid != "")
_one = update(shared_case).where(shared_case.c.uid == bindparam("key"))
_MARK = Prepared(_one.values(mark=shared_case.c.mark + constant(1)))
_UNMARK = Prepared(_one.values(seen=bindparam("at", type_=Integer)))


class Directory:
    """Safe to use from several threads and processes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def prepare(self) -> None:
        """The table; one that is there stays as it is."""

        def work(tx: Connection) -> None:
            self._database.prepare(tx)
            metadata.create_all(tx)

        self._database.write(work)

    def reserve(self, above: int) -> int:
        """A number that no case of the installation has or will get, higher than this one."""

        def work(tx: Connection) -> int:
            highest = tx.execute(select(func.max(shared_case.c.number))).scalar() or 0
            number = max(highest, above) + 1
            tx.execute(insert(shared_case).values(number=number))
            return number

        return self._database.write(work)

    def enter(self, case: SharedCase) -> bool:
        """Others find it from now on. False: another case has its number or its name."""
        row = {name: getattr(case, name) for name in _FIELDS}

        def work(tx: Connection) -> bool:
            others = _known.where((shared_case.c.number == case.number) | (shared_case.c.name == case.name))
            if any(not _is_older(other, case) for other in tx.execute(others).mappings()):
                return False
            tx.execute(insert(shared_case).values(row).on_conflict_do_update(index_elements=["number"], set_=row))
            return True

        return self._database.write(work)

    def rename(self, uid: str, name: str) -> None:
        self._database.write(
            lambda tx: tx.execute(update(shared_case).where(shared_case.c.uid == uid).values(name=name))
        )

    def remove(self, uid: str) -> None:
        """Nobody finds it from now on; its number stays taken."""
        empty = {"uid": "", "name": "", "blobs": "", "keeper": "", "mark": 0, "seen": 0}
        self._database.write(lambda tx: tx.execute(update(shared_case).where(shared_case.c.uid == uid).values(**empty)))

    def find(self, name: str) -> SharedCase | None:
        with self._database.read() as tx:
            row = tx.execute(_known.where(shared_case.c.name == name)).mappings().first()
        return SharedCase(**row) if row else None

    def all(self) -> list[SharedCase]:
        with self._database.read() as tx:
            return [SharedCase(**row) for row in tx.execute(_known.order_by(shared_case.c.number)).mappings()]

    def mark(self, uid: str) -> None:
        """A hint for workers everywhere: this case has an open job."""
        self._database.write(lambda tx: _MARK.run(tx, key=uid))

    def unmark(self, uid: str, mark: int) -> None:
        """It had none when this mark was read; a newer one stays."""
        self._database.write(lambda tx: _UNMARK.run(tx, key=uid, at=mark))

    def marked(self) -> list[tuple[SharedCase, int]]:
        """Cases with work, and their marks."""
        query = select(*_columns, shared_case.c.mark).where(
            shared_case.c.uid != "", shared_case.c.mark > shared_case.c.seen
        )
        with self._database.read() as tx:
            rows = [dict(row) for row in tx.execute(query.order_by(shared_case.c.number)).mappings()]
        return [(SharedCase(**{name: row[name] for name in _FIELDS}), row["mark"]) for row in rows]

    def close(self) -> None:
        self._database.close()


def _is_older(row: Mapping[Any, Any], case: SharedCase) -> bool:
    """The same case, or one that its keeper has made anew."""
    return row["uid"] == case.uid or (row["number"], row["name"], row["keeper"]) == (
        case.number,
        case.name,
        case.keeper,
    )
