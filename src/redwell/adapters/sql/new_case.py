"""The tables of a new case, made all at once."""

from collections.abc import Mapping

from sqlalchemy import Connection, inspect
from sqlalchemy.dialects.postgresql import insert

from redwell.adapters.sql import (
    case_tables,
    job_tables,
    overlay_tables,
    production_tables,
    review_tables,
    understanding_tables,
)
from redwell.adapters.sql.database import Database
from redwell.adapters.sql.schema_version import VERSION
from redwell.adapters.sql.tables import case_info
from redwell.adapters.sql_queues import queue_tables
from redwell.adapters.sql_queues.outbox import prepare_outbox

_TABLES = (
    case_tables,
    job_tables,
    review_tables,
    production_tables,
    understanding_tables,
    overlay_tables,
    queue_tables,
)


def create_case(database: Database, info: Mapping[str, str]) -> None:
    """The tables of a new case. One that is there stays as it is, also where it is of an older release."""

    def work(tx: Connection) -> None:
        database.prepare(tx)
        if inspect(tx).has_table(case_info.name):
            return
        for tables in _TABLES:
            tables.metadata.create_all(tx)
        prepare_outbox(tx)
        rows = [{"key": key, "value": value} for key, value in {**info, "schema": str(VERSION)}.items()]
        tx.execute(insert(case_info).on_conflict_do_nothing(), rows)

    database.write(work)
