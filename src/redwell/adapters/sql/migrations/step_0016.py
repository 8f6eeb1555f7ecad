"""Version 16: overlays, which change fields of exhibits by id."""

from sqlalchemy import Connection

_TYPES = {
    "sqlite": {"key": "INTEGER", "int": "INTEGER", "str": "VARCHAR"},
    "postgresql": {"key": "BIGSERIAL", "int": "BIGINT", "str": 'TEXT COLLATE "C"'},
}
_STATEMENTS = (
    "ALTER TABLE exhibit ADD COLUMN overlaid {str}",
    """CREATE TABLE overlay (id {key} NOT NULL, name {str} NOT NULL, sha256 {str} NOT NULL, who {str} NOT NULL,
    at_ms {int} NOT NULL, counts {str} DEFAULT '' NOT NULL, undone {int} DEFAULT '0' NOT NULL, PRIMARY KEY (id))""",
    """CREATE TABLE overlay_value (overlay {int} NOT NULL, exhibit {int} NOT NULL, name {str} NOT NULL,
    before {str} NOT NULL, after {str} NOT NULL, PRIMARY KEY (overlay, exhibit, name))""",
    "CREATE INDEX overlay_value_exhibit ON overlay_value (exhibit, overlay)",
)


def upgrade(tx: Connection) -> None:
    for statement in _STATEMENTS:
        tx.exec_driver_sql(statement.format(**_TYPES[tx.dialect.name]))
