"""Version 19: contents that were handed to a viewing engine."""

from sqlalchemy import Connection

_TYPES = {
    "sqlite": {"int": "INTEGER", "str": "VARCHAR", "end": " WITHOUT ROWID"},
    "postgresql": {"int": "BIGINT", "str": 'TEXT COLLATE "C"', "end": ""},
}
_TABLE = """CREATE TABLE uploaded (batch {int} NOT NULL, document {int} NOT NULL, file {str} NOT NULL,
    at_ms {int} NOT NULL, PRIMARY KEY (batch, document)){end}"""


def upgrade(tx: Connection) -> None:
    tx.exec_driver_sql(_TABLE.format(**_TYPES[tx.dialect.name]))
