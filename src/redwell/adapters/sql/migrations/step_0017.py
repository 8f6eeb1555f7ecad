"""Version 17: how far the documents of each import are asked about, and by whom it was uploaded."""

from sqlalchemy import Connection

_TYPES = {
    "sqlite": {"int": "INTEGER", "str": "VARCHAR"},
    "postgresql": {"int": "BIGINT", "str": 'TEXT COLLATE "C"'},
}
_STEPS = (
    """CREATE TABLE understanding_plan (batch {int} NOT NULL, uploader {str}, cursor {str} DEFAULT '' NOT NULL,
    is_done {int} DEFAULT '0' NOT NULL, PRIMARY KEY (batch))""",
    "CREATE INDEX arrival_batch ON arrival (batch)",
)


def upgrade(tx: Connection) -> None:
    for statement in _STEPS:
        tx.exec_driver_sql(statement.format(**_TYPES[tx.dialect.name]))
