"""Version 13: productions, their documents, the numbers that were issued, and redactions."""

from sqlalchemy import Connection

_TYPES = {
    "sqlite": {"key": "INTEGER", "int": "INTEGER", "str": "VARCHAR"},
    "postgresql": {"key": "BIGSERIAL", "int": "BIGINT", "str": 'TEXT COLLATE "C"'},
}
_STATEMENTS = (
    """CREATE TABLE production (id {key} NOT NULL, name {str} NOT NULL, folded {str} NOT NULL, query {str} NOT NULL,
    who {str} NOT NULL, created_ms {int} NOT NULL, terms {str} NOT NULL, first {int} NOT NULL, last {int} NOT NULL,
    documents {int} NOT NULL, pages {int} NOT NULL, left_out {str} NOT NULL, redactions {str},
    manifest {str} DEFAULT '' NOT NULL, PRIMARY KEY (id), UNIQUE (folded))""",
    """CREATE TABLE production_member (production {int} NOT NULL, ordinal {int} NOT NULL, exhibit {int} NOT NULL,
    control {str} NOT NULL, family {int} NOT NULL, parent {int}, treatment {str} NOT NULL, reason {str} NOT NULL,
    pages {int} NOT NULL, first {int} NOT NULL, PRIMARY KEY (production, ordinal))""",
    "CREATE INDEX production_member_exhibit ON production_member (exhibit, production)",
    """CREATE TABLE bates_range (prefix {str} NOT NULL, last {int} NOT NULL, first {int} NOT NULL,
    production {int} NOT NULL, PRIMARY KEY (prefix, last))""",
    """CREATE TABLE redaction_change (id {key} NOT NULL, who {str} NOT NULL, at_ms {int} NOT NULL, note {str} NOT NULL,
    undone {int} DEFAULT '0' NOT NULL, PRIMARY KEY (id))""",
    """CREATE TABLE redaction (id {key} NOT NULL, exhibit {int} NOT NULL, page {int} NOT NULL, "left" {int} NOT NULL,
    top {int} NOT NULL, "right" {int} NOT NULL, bottom {int} NOT NULL, reason {str} NOT NULL, change {int} NOT NULL,
    removed {int}, PRIMARY KEY (id))""",
    "CREATE INDEX redaction_exhibit ON redaction (exhibit, page)",
    "CREATE INDEX redaction_of_change ON redaction (change)",
    "CREATE INDEX redaction_removed ON redaction (removed)",
)


def upgrade(tx: Connection) -> None:
    for statement in _STATEMENTS:
        tx.exec_driver_sql(statement.format(**_TYPES[tx.dialect.name]))
