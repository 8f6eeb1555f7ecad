"""Version 18: control numbers come with the load; those that were issued before stay."""

from sqlalchemy import Connection

_STATEMENTS = (
    "INSERT INTO case_info (key, value) SELECT 'numbered', CAST(coalesce(max(id), 0) AS TEXT) FROM exhibit",
    """INSERT INTO case_info (key, value) SELECT 'files', CAST(coalesce(max(ordinal), 0) AS TEXT) FROM ingestion
    WHERE depth = 0 AND source = 0""",
)


def upgrade(tx: Connection) -> None:
    for statement in _STATEMENTS:
        tx.exec_driver_sql(statement)
