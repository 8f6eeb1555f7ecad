"""Version 5: work has a kind and gives artifacts. Texts become artifacts; results of version 4 get their new keys.

The newest result of each content stands under the key that reading has from now on, so that the same evidence is not
parsed again; what older releases made besides keeps its own.
"""

from typing import Any

from sqlalchemy import Connection, text

from redwell.adapters.sql.migrations.sealing import parts, seal_anew
from redwell.core.case.seals import seal

_DERIVATION = (
    "document purpose task input engine settings context generation members outcome detail media_type kind handler "
    "pages container declared metadata problems"
).split()
_ARTIFACT = "derivation kind number last media_type sha256 size amount figures".split()
_KEPT = (
    "id document engine settings context batch state owner lane attempt tries lost deaths generation outcome detail "
    "media_type kind handler pages container declared members metadata problems seal posted"
)
_TABLE = """CREATE TABLE derivation_5 (
    id INTEGER NOT NULL, document INTEGER NOT NULL, purpose VARCHAR DEFAULT 'read' NOT NULL,
    task VARCHAR DEFAULT 'extract-text' NOT NULL, input BLOB, engine VARCHAR NOT NULL, settings VARCHAR NOT NULL,
    context VARCHAR NOT NULL, batch INTEGER, state VARCHAR DEFAULT 'queued' NOT NULL, owner VARCHAR,
    lane VARCHAR DEFAULT 'small' NOT NULL, attempt INTEGER DEFAULT '0' NOT NULL, tries INTEGER DEFAULT '0' NOT NULL,
    lost INTEGER DEFAULT '0' NOT NULL, deaths INTEGER DEFAULT '0' NOT NULL, generation INTEGER DEFAULT '1' NOT NULL,
    outcome VARCHAR, detail VARCHAR DEFAULT '' NOT NULL, media_type VARCHAR, kind VARCHAR, handler VARCHAR,
    pages INTEGER, container INTEGER DEFAULT '0' NOT NULL, declared INTEGER, members INTEGER DEFAULT '0' NOT NULL,
    metadata VARCHAR DEFAULT '{}' NOT NULL, problems VARCHAR DEFAULT '[]' NOT NULL, seal BLOB,
    posted INTEGER DEFAULT '0' NOT NULL, given_up INTEGER DEFAULT '0' NOT NULL, PRIMARY KEY (id),
    CONSTRAINT derivation_key UNIQUE (document, purpose, engine, settings, context),
    FOREIGN KEY(document) REFERENCES document (id)
)"""
_WANTED = "CREATE TABLE wanted (batch {int} NOT NULL, derivation {int} NOT NULL, PRIMARY KEY (batch, derivation)){end}"
_ARTIFACTS = """CREATE TABLE artifact (
    derivation {int} NOT NULL, kind {str} NOT NULL, number {int} NOT NULL, last {int}, media_type {str} NOT NULL,
    sha256 {bytes} NOT NULL, size {int} NOT NULL, amount {int} NOT NULL, figures {str} NOT NULL,
    seal {bytes} NOT NULL, PRIMARY KEY (derivation, kind, number)
){end}"""
_TYPES = {
    "sqlite": {"int": "INTEGER", "str": "VARCHAR", "bytes": "BLOB", "end": " WITHOUT ROWID"},
    "postgresql": {"int": "BIGINT", "str": 'TEXT COLLATE "C"', "bytes": "BYTEA", "end": ""},
}
_REBUILD = (  # SQLite has no other way to change a constraint
    "DROP INDEX IF EXISTS derivation_open",
    "DROP INDEX IF EXISTS derivation_parked",
    "DROP INDEX IF EXISTS derivation_unposted",
    "DROP INDEX IF EXISTS derivation_given_up",
    _TABLE,
    f"INSERT INTO derivation_5 ({_KEPT.replace(' ', ', ')}) SELECT {_KEPT.replace(' ', ', ')} FROM derivation",
    "DROP TABLE derivation",
    "ALTER TABLE derivation_5 RENAME TO derivation",
    "CREATE INDEX derivation_open ON derivation (state, batch, task, lane) WHERE state <> 'done'",
)
_ALTER = (
    "DROP INDEX IF EXISTS derivation_open, derivation_parked, derivation_unposted, derivation_given_up",
    """ALTER TABLE derivation
    ADD COLUMN purpose TEXT COLLATE "C" DEFAULT 'read' NOT NULL,
    ADD COLUMN task TEXT COLLATE "C" DEFAULT 'extract-text' NOT NULL,
    ADD COLUMN input BYTEA,
    ADD COLUMN given_up BIGINT DEFAULT '0' NOT NULL,
    DROP CONSTRAINT IF EXISTS derivation_document_engine_settings_context_key,
    ADD CONSTRAINT derivation_key UNIQUE (document, purpose, engine, settings, context)""",
    "CREATE INDEX derivation_open ON derivation (state, batch, task, lane, id) WHERE state <> 'done'",
)
_FILL = (
    """UPDATE derivation SET task = CASE WHEN kind = 'mailbox' THEN 'unpack-mailbox' ELSE 'unpack-document' END
    WHERE container = 1 OR members > 0""",
    "UPDATE derivation SET given_up = 1 WHERE state = 'done' AND handler IS NULL",
    """UPDATE derivation SET engine = 'read/1' WHERE id IN (
        SELECT max(id) FROM derivation GROUP BY document, settings, context)""",
    "CREATE INDEX derivation_parked ON derivation (id) WHERE given_up = 1",
)
_TEXTS = "SELECT d.id, d.text, d.text_chars, b.length FROM derivation d LEFT JOIN blob b ON b.sha256 = d.text "


def upgrade(tx: Connection) -> None:
    types = _TYPES[tx.dialect.name]
    for statement in (_ARTIFACTS, _WANTED):
        tx.exec_driver_sql(statement.format(**types))
    _move_texts(tx)
    for statement in (*(_REBUILD if tx.dialect.name == "sqlite" else _ALTER), *_FILL):
        tx.exec_driver_sql(statement)
    if tx.dialect.name == "postgresql":
        tx.exec_driver_sql("ALTER TABLE derivation DROP COLUMN text, DROP COLUMN text_chars")
    seal_anew(tx, "derivation", _DERIVATION)


def _move_texts(tx: Connection) -> None:
    columns = (*_ARTIFACT, "seal")
    insert = text(f"INSERT INTO artifact ({', '.join(columns)}) VALUES ({', '.join(f':{c}' for c in columns)})")
    query = _TEXTS + "WHERE d.text IS NOT NULL AND d.id > :last ORDER BY d.id LIMIT :most"
    for rows in parts(tx, query):
        tx.execute(insert, [_text_of(row) for row in rows])


def _text_of(row: Any) -> dict[str, Any]:
    made = {
        "derivation": row["id"],
        "kind": "text",
        "number": 0,
        "last": None,
        "media_type": "text/plain",
        "sha256": row["text"],
        "size": row["length"] or 0,
        "amount": row["text_chars"],
        "figures": "{}",
    }
    return {**made, "seal": seal(tuple(made[column] for column in _ARTIFACT))}
