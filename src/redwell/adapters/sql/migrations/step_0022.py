"""Version 22: how many exhibits of a finished batch have which outcome, as rows."""

from sqlalchemy import Connection

_TYPES = {
    "sqlite": {"int": "INTEGER", "str": "VARCHAR"},
    "postgresql": {"int": "BIGINT", "str": 'TEXT COLLATE "C"'},
}
_STATEMENTS = (
    "CREATE TABLE batch_outcome (batch {int} NOT NULL, outcome {str} NOT NULL, exhibits {int} NOT NULL,"
    " PRIMARY KEY (batch, outcome))",
    """INSERT INTO batch_outcome (batch, outcome, exhibits)
    SELECT i.batch, coalesce(e.outcome, i.outcome), count(*)
    FROM ingestion i JOIN exhibit e ON e.id = i.id JOIN batch b ON b.id = i.batch
    WHERE i.source = 0 AND b.finished_ms IS NOT NULL AND b.id NOT IN (
        SELECT o.batch FROM ingestion o JOIN exhibit x ON x.id = o.id
        WHERE o.source = 0 AND coalesce(x.outcome, o.outcome) IS NULL)
    GROUP BY i.batch, coalesce(e.outcome, i.outcome)""",
)


def upgrade(tx: Connection) -> None:
    for statement in _STATEMENTS:
        tx.exec_driver_sql(statement.format(**_TYPES[tx.dialect.name]))
