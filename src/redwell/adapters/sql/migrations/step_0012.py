"""Version 12: files that replace damaged ones, rounds of review, sets of terms, who has read what."""

from sqlalchemy import Connection

_TYPES = {
    "sqlite": {"key": "INTEGER", "int": "INTEGER", "str": "VARCHAR"},
    "postgresql": {"key": "BIGSERIAL", "int": "BIGINT", "str": 'TEXT COLLATE "C"'},
}
_STATEMENTS = (
    """CREATE TABLE replacement (id {key} NOT NULL, exhibit {int} NOT NULL, batch {int} NOT NULL, who {str} NOT NULL,
    at_ms {int} NOT NULL, PRIMARY KEY (id))""",
    "CREATE INDEX replacement_exhibit ON replacement (exhibit)",
    "CREATE INDEX replacement_batch ON replacement (batch)",
    """CREATE TABLE review_round (id {key} NOT NULL, name {str} NOT NULL, query {str} NOT NULL, who {str} NOT NULL,
    at_ms {int} NOT NULL, size {int} NOT NULL, lease_s {int} NOT NULL, second_of {int}, seed {int} NOT NULL,
    PRIMARY KEY (id))""",
    """CREATE TABLE review_item (round {int} NOT NULL, position {int} NOT NULL, exhibit {int} NOT NULL,
    family {int} NOT NULL, holder {str} DEFAULT '' NOT NULL, lease_ms {int} DEFAULT '0' NOT NULL,
    done_ms {int} DEFAULT '0' NOT NULL, first_by {str} DEFAULT '' NOT NULL, tags_before {str} DEFAULT '' NOT NULL,
    tags_after {str} DEFAULT '' NOT NULL, PRIMARY KEY (round, position))""",
    "CREATE UNIQUE INDEX review_item_exhibit ON review_item (round, exhibit)",
    "CREATE INDEX review_item_left ON review_item (round, done_ms, position)",
    """CREATE TABLE term_set (id {key} NOT NULL, name {str} NOT NULL, colour {str} NOT NULL, terms {str} NOT NULL,
    who {str} NOT NULL, at_ms {int} NOT NULL, PRIMARY KEY (id))""",
    "CREATE INDEX viewed_who ON viewed (who)",
)


def upgrade(tx: Connection) -> None:
    for statement in _STATEMENTS:
        tx.exec_driver_sql(statement.format(**_TYPES[tx.dialect.name]))
