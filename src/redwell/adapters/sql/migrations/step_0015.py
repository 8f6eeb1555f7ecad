"""Version 15: a thread is called by the lowest control number in it, which an index finds."""

from sqlalchemy import Connection


def upgrade(tx: Connection) -> None:
    tx.exec_driver_sql("DROP INDEX exhibit_thread")
    tx.exec_driver_sql("CREATE INDEX exhibit_thread ON exhibit (thread, number, control) WHERE thread IS NOT NULL")
