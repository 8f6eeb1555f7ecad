"""Version 24: what watchers of sources have seen and not brought yet, as rows of a queue."""

from sqlalchemy import Connection

_TYPES = {
    "sqlite": {"int": "INTEGER", "str": "VARCHAR"},
    "postgresql": {"int": "BIGINT", "str": 'TEXT COLLATE "C"'},
}
_STEPS = (
    """CREATE TABLE acquisition (source {int} NOT NULL, key {str} NOT NULL, name {str} NOT NULL,
    place {str} NOT NULL, is_again {int} NOT NULL, state {str} NOT NULL, attempt {int} DEFAULT '0' NOT NULL,
    detail {str} DEFAULT '' NOT NULL, at_ms {int} NOT NULL, PRIMARY KEY (source, key))""",
    "CREATE INDEX acquisition_next ON acquisition (source, state, attempt, at_ms)",
)


def upgrade(tx: Connection) -> None:
    for statement in _STEPS:
        tx.exec_driver_sql(statement.format(**_TYPES[tx.dialect.name]))
