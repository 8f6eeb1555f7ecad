"""Version 7: what a case says of its exhibits has rows of its own, and the ledger's rows are sealed without it.

Numbers that were issued stay as they are. What ended and did not wait for the index has been loaded.
"""

from sqlalchemy import Connection

from redwell.adapters.sql.migrations.sealing import seal_anew

_BEFORE = (
    "uid batch parent locator whole source name path root number ordinal control depth role document derivation listed "
    "outcome detail problems size dates metadata"
).split()
_INGESTION = [column for column in _BEFORE if column not in {"number", "control"}]
_TYPES = {
    "sqlite": {"int": "INTEGER", "str": "VARCHAR"},
    "postgresql": {"int": "BIGINT", "str": 'TEXT COLLATE "C"'},
}
_EXHIBITS = """CREATE TABLE exhibit (
    id {int} NOT NULL, family {int} NOT NULL, number {int}, control {str}, document {int}, checkpoint {int} NOT NULL,
    PRIMARY KEY (id)
)"""
_REGISTERED, _LOADED = 3, 11
_MOVE = (
    f"""INSERT INTO exhibit (id, family, number, control, document, checkpoint)
    SELECT i.id, coalesce(i.root, i.id), i.number, i.control, i.document,
        CASE WHEN i.state = 'done' AND p.ingestion IS NULL THEN {_LOADED} ELSE {_REGISTERED} END
    FROM ingestion i LEFT JOIN index_pending p ON p.ingestion = i.id WHERE i.source = 0 ORDER BY i.id""",
    "CREATE UNIQUE INDEX exhibit_control ON exhibit (number, control)",
    "CREATE INDEX exhibit_content ON exhibit (document, number, control) WHERE document IS NOT NULL",
    "DROP INDEX ingestion_control",
    "DROP INDEX ingestion_document",
    "ALTER TABLE ingestion DROP COLUMN number",
    "ALTER TABLE ingestion DROP COLUMN control",
    "CREATE INDEX ingestion_document ON ingestion (document, root) WHERE document IS NOT NULL",
    "ALTER TABLE index_pending RENAME TO load_pending",
    "ALTER TABLE load_pending RENAME COLUMN ingestion TO exhibit",
)


def upgrade(tx: Connection) -> None:
    seal_anew(tx, "ingestion", _INGESTION, before=_BEFORE)
    tx.exec_driver_sql(_EXHIBITS.format(**_TYPES[tx.dialect.name]))
    for statement in _MOVE:
        tx.exec_driver_sql(statement)
