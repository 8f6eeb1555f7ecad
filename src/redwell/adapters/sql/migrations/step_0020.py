"""Version 20: folders, dates by which families are sorted, custodians and sources as rows; who loads what, until when.

What was indexed before is loaded anew, with the index, by whoever works on the case next.
"""

from sqlalchemy import Connection

_TYPES = {
    "sqlite": {"key": "INTEGER", "int": "INTEGER", "str": "VARCHAR"},
    "postgresql": {"key": "BIGSERIAL", "int": "BIGINT", "str": 'TEXT COLLATE "C"'},
}
_STATEMENTS = (
    "ALTER TABLE exhibit ADD COLUMN folder {int}",
    "ALTER TABLE exhibit ADD COLUMN sort_date {str}",
    "CREATE TABLE folder (id {key} NOT NULL, path {str} NOT NULL, PRIMARY KEY (id), UNIQUE (path))",
    "CREATE TABLE custodian (id {key} NOT NULL, name {str} NOT NULL, PRIMARY KEY (id), UNIQUE (name))",
    "CREATE TABLE batch_source (id {int} NOT NULL, batch {int} NOT NULL, path {str} NOT NULL, PRIMARY KEY (id))",
    "ALTER TABLE load_pending ADD COLUMN owner {str}",
    "ALTER TABLE load_pending ADD COLUMN until_ms {int} DEFAULT '0' NOT NULL",
)


def upgrade(tx: Connection) -> None:
    for statement in _STATEMENTS:
        tx.exec_driver_sql(statement.format(**_TYPES[tx.dialect.name]))
