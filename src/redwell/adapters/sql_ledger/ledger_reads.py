"""What those who work on a case ask of its ledger again and again. Each method sees one consistent state of it.

Whoever only looks has a reader (adapters.sql_reader).
"""

from collections.abc import Sequence

from sqlalchemy import Connection, bindparam, inspect, select

from redwell.adapters.sql.database import Database
from redwell.adapters.sql.long_locators import whole_locator
from redwell.adapters.sql.prepared import Prepared, constant
from redwell.adapters.sql.schema_version import check_version
from redwell.adapters.sql.tables import case_info, ingestion
from redwell.adapters.sql_ledger import batches, blob_rows
from redwell.adapters.sql_ledger.open_renditions import open_renditions
from redwell.core.blobs import Location
from redwell.core.names import unquoted
from redwell.core.work.transitions import OpenRows, Stage, Standing

_A_PATH = Prepared(
    select(ingestion.c.path)
    .where(ingestion.c.derivation == bindparam("work"), ingestion.c.state == constant(Stage.WAITING))
    .limit(constant(1))
)
_SOURCES = Prepared(
    # only sources are below nothing, and by that they are found
    select(whole_locator(ingestion))
    .where(ingestion.c.parent.is_(None), ingestion.c.batch == bindparam("batch"))
    .order_by(ingestion.c.id)
)


def a_path_of(tx: Connection, work: int) -> str | None:
    """One of the places where the content of a derivation lies, for people who want to know what is in work."""
    return next((path for (path,) in _A_PATH.all(tx, work=work)), None)


class LedgerReads:
    def __init__(self, database: Database) -> None:
        self.database = database
        self._unindexed: dict[int, int] = {}  # of each batch an exhibit that was in the index's queue

    def is_made(self) -> bool:
        """False while whoever makes the case has not made its tables yet; they come all at once."""
        with self.database.read() as tx:
            return inspect(tx).has_table(case_info.name)

    def info(self) -> dict[str, str]:
        with self.database.read() as tx:
            info = {row.key: row.value for row in tx.execute(select(case_info))}
        check_version(int(info["schema"]), info["name"])
        return info

    def known_blobs(self, sha256s: Sequence[bytes]) -> dict[bytes, Location]:
        with self.database.look() as tx:
            return blob_rows.known_blobs(tx, sha256s)

    def open_rows(self, batch: int) -> OpenRows:
        with self.database.read() as tx:
            return batches.open_rows(tx, batch)

    def open_parts(self, batch: int) -> tuple[int, int]:
        with self.database.read() as tx:
            return open_renditions(tx, batch)

    def waits_for_more_than(self, batch: int, count: int) -> bool:
        with self.database.look() as tx:
            return batches.waits_for_more_than(tx, batch, count)

    def standing(self, batch: int) -> Standing:
        with self.database.look() as tx:
            return batches.standing(tx, batch, self._unindexed)

    def a_path_of(self, derivation: int) -> str | None:
        with self.database.read() as tx:
            return a_path_of(tx, derivation)

    def source_paths(self, batch: int) -> list[bytes]:
        with self.database.read() as tx:
            return [unquoted(locator) for (locator,) in _SOURCES.all(tx, batch=batch)]

    def close(self) -> None:
        self.database.close()
