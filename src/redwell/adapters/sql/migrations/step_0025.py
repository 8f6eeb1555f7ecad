"""Version 25: saved searches, sets of terms and rounds of review that were deleted are marked, not removed."""

from sqlalchemy import Connection

_INTEGERS = {"sqlite": "INTEGER", "postgresql": "BIGINT"}
_TABLES = ("saved_search", "review_round", "term_set")


def upgrade(tx: Connection) -> None:
    for table in _TABLES:
        kind = _INTEGERS[tx.dialect.name]
        tx.exec_driver_sql(f"ALTER TABLE {table} ADD COLUMN deleted_ms {kind} DEFAULT '0' NOT NULL")
