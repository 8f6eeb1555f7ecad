"""Version 9: work names the kind of children that do it; exhibits may be shown otherwise than the ledger says.

Whatever an older release asked for was read by parsers.
"""

from sqlalchemy import Connection

_TYPES = {
    "sqlite": {"int": "INTEGER", "str": "VARCHAR", "bytes": "BLOB", "id": ""},
    "postgresql": {"int": "BIGINT", "str": 'TEXT COLLATE "C"', "bytes": "BYTEA", "id": ", id"},
}
_STEPS = (
    "ALTER TABLE derivation ADD COLUMN profile {str} DEFAULT 'parser' NOT NULL",
    "DROP INDEX derivation_open",
    "CREATE INDEX derivation_open ON derivation (state, batch, task, profile, lane{id}) WHERE state <> 'done'",
    "CREATE INDEX wanted_derivation ON wanted (derivation)",
    "ALTER TABLE exhibit ADD COLUMN outcome {str}",
    "ALTER TABLE exhibit ADD COLUMN problems {str}",
    "ALTER TABLE exhibit ADD COLUMN recognised {int}",
    "ALTER TABLE exhibit ADD COLUMN text_chars {int}",
    "ALTER TABLE exhibit ADD COLUMN ocr {bytes}",
)


def upgrade(tx: Connection) -> None:
    for statement in _STEPS:
        tx.exec_driver_sql(statement.format(**_TYPES[tx.dialect.name]))
