"""Version 10: reviewers' tags, notes, saved searches, what they have read, and the audit log."""

from sqlalchemy import Connection

_TYPES = {
    "sqlite": {"key": "INTEGER", "int": "INTEGER", "str": "VARCHAR", "bytes": "BLOB"},
    "postgresql": {"key": "BIGSERIAL", "int": "BIGINT", "str": 'TEXT COLLATE "C"', "bytes": "BYTEA"},
}
_STATEMENTS = (
    """CREATE TABLE tag (id {key} NOT NULL, name {str} NOT NULL, folded {str} NOT NULL, key {str} NOT NULL,
    PRIMARY KEY (id), UNIQUE (folded))""",
    """CREATE TABLE tagging (exhibit {int} NOT NULL, tag {int} NOT NULL, who {str} NOT NULL, at_ms {int} NOT NULL,
    PRIMARY KEY (exhibit, tag))""",
    "CREATE INDEX tagging_tag ON tagging (tag, exhibit)",
    """CREATE TABLE coding (id {key} NOT NULL, who {str} NOT NULL, at_ms {int} NOT NULL, tag {int} NOT NULL,
    is_on {int} NOT NULL, undone {int} DEFAULT '0' NOT NULL, PRIMARY KEY (id))""",
    "CREATE INDEX coding_who ON coding (who, id)",
    "CREATE TABLE coded (exhibit {int} NOT NULL, coding {int} NOT NULL, PRIMARY KEY (exhibit, coding))",
    "CREATE INDEX coded_coding ON coded (coding)",
    """CREATE TABLE note (id {key} NOT NULL, exhibit {int} NOT NULL, who {str} NOT NULL, at_ms {int} NOT NULL,
    text {str} NOT NULL, PRIMARY KEY (id))""",
    "CREATE INDEX note_exhibit ON note (exhibit)",
    """CREATE TABLE saved_search (id {key} NOT NULL, name {str} NOT NULL, query {str} NOT NULL, who {str} NOT NULL,
    at_ms {int} NOT NULL, PRIMARY KEY (id))""",
    """CREATE TABLE viewed (exhibit {int} NOT NULL, who {str} NOT NULL, at_ms {int} NOT NULL,
    PRIMARY KEY (exhibit, who))""",
    """CREATE TABLE audit_entry (id {int} NOT NULL, at_ms {int} NOT NULL, who {str} NOT NULL, action {str} NOT NULL,
    exhibit {int}, detail {str} NOT NULL, hash {bytes} NOT NULL, PRIMARY KEY (id))""",
    "CREATE INDEX audit_entry_exhibit ON audit_entry (exhibit, id)",
)


def upgrade(tx: Connection) -> None:
    for statement in _STATEMENTS:
        tx.exec_driver_sql(statement.format(**_TYPES[tx.dialect.name]))
