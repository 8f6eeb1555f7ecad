"""Version 23: texts that overlays gave, and which one an exhibit has now."""

from sqlalchemy import Connection

_TYPES = {
    "sqlite": {"int": "INTEGER", "bytes": "BLOB"},
    "postgresql": {"int": "BIGINT", "bytes": "BYTEA"},
}
_STATEMENTS = (
    "ALTER TABLE exhibit ADD COLUMN given_text {bytes}",
    "ALTER TABLE exhibit ADD COLUMN given_chars {int}",
    "ALTER TABLE overlay_value ADD COLUMN blob {bytes}",
    "CREATE INDEX overlay_value_blob ON overlay_value (blob) WHERE blob IS NOT NULL",
)


def upgrade(tx: Connection) -> None:
    for statement in _STATEMENTS:
        tx.exec_driver_sql(statement.format(**_TYPES[tx.dialect.name]))
