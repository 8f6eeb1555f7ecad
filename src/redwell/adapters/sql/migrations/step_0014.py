"""Version 14: a family begins below mail stores and archives; exhibits know their copies, threads and neighbours.

What was indexed before is loaded anew, with the index, by whoever works on the case next.
"""

from sqlalchemy import Connection

_TYPES = {
    "sqlite": {"int": "INTEGER", "str": "VARCHAR", "bytes": "BLOB", "end": " WITHOUT ROWID"},
    "postgresql": {"int": "BIGINT", "str": 'TEXT COLLATE "C"', "bytes": "BYTEA", "end": ""},
}
_STEPS = (
    "ALTER TABLE exhibit ADD COLUMN copy_key {bytes}",
    "ALTER TABLE exhibit ADD COLUMN copy_of {int}",
    "CREATE INDEX exhibit_copies ON exhibit (copy_key, copy_of) WHERE copy_key IS NOT NULL",
    """CREATE TABLE held_by (copy_key {bytes} NOT NULL, custodian {str} NOT NULL,
    PRIMARY KEY (copy_key, custodian)){end}""",
    "ALTER TABLE exhibit ADD COLUMN thread {int}",
    "ALTER TABLE exhibit ADD COLUMN inclusive {int}",
    "ALTER TABLE exhibit ADD COLUMN near {int}",
    "ALTER TABLE exhibit ADD COLUMN near_score {int}",
    "ALTER TABLE exhibit ADD COLUMN sketch {bytes}",
    "CREATE INDEX exhibit_thread ON exhibit (thread) WHERE thread IS NOT NULL",
    "CREATE INDEX exhibit_near ON exhibit (near) WHERE near IS NOT NULL",
    "CREATE TABLE thread_key (key {bytes} NOT NULL, thread {int} NOT NULL, PRIMARY KEY (key)){end}",
    "CREATE INDEX thread_key_thread ON thread_key (thread)",
    "UPDATE exhibit SET checkpoint = 1 WHERE checkpoint < 11",
)
_DEEPEST = "SELECT coalesce(max(depth), 0) FROM ingestion"
# from the top down: the parents of a level have their heads already
_HEADS = """UPDATE exhibit SET family = (
    SELECT CASE WHEN i.role = 'member' AND p.family = p.id THEN i.id ELSE p.family END
    FROM ingestion i JOIN exhibit p ON p.id = i.parent WHERE i.id = exhibit.id)
    WHERE id IN (SELECT id FROM ingestion WHERE depth = {0:d} AND source = 0)"""


def upgrade(tx: Connection) -> None:
    for statement in _STEPS:
        tx.exec_driver_sql(statement.format(**_TYPES[tx.dialect.name]))
    deepest = int(tx.exec_driver_sql(_DEEPEST).scalar_one())
    for depth in range(1, deepest + 1):
        tx.exec_driver_sql(_HEADS.format(depth))
