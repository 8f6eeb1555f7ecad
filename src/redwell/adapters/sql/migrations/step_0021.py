"""Version 21: what a case has spent on models is one row; to ask for it costs the same however much that was."""

from sqlalchemy import Connection

_TYPES = {"sqlite": {"int": "INTEGER"}, "postgresql": {"int": "BIGINT"}}
_STEPS = (
    "CREATE TABLE model_spent (id {int} NOT NULL, tokens {int} NOT NULL, cost {int} NOT NULL, PRIMARY KEY (id))",
    """INSERT INTO model_spent (id, tokens, cost)
    SELECT 1, COALESCE(SUM(tokens_in + tokens_out), 0), COALESCE(SUM(cost), 0) FROM model_answer""",
)


def upgrade(tx: Connection) -> None:
    for statement in _STEPS:
        tx.exec_driver_sql(statement.format(**_TYPES[tx.dialect.name]))
