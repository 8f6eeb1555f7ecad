"""Version 11: documents as data: schemas, ingestions for understanding, decisions; sources that bring more."""

from sqlalchemy import Connection

_TYPES = {
    "sqlite": {"key": "INTEGER", "int": "INTEGER", "str": "VARCHAR", "bytes": "BLOB"},
    "postgresql": {"key": "BIGSERIAL", "int": "BIGINT", "str": 'TEXT COLLATE "C"', "bytes": "BYTEA"},
}
_STATEMENTS = (
    """CREATE TABLE arrival (source {int} NOT NULL, key {str} NOT NULL, name {str} NOT NULL, sha256 {bytes} NOT NULL,
    said {str} NOT NULL, at_ms {int} NOT NULL, batch {int}, PRIMARY KEY (source, key))""",
    "CREATE INDEX arrival_open ON arrival (source) WHERE batch IS NULL",
    """CREATE TABLE data_schema (id {key} NOT NULL, name {str} NOT NULL, version {int} NOT NULL, body {str} NOT NULL,
    who {str} NOT NULL, at_ms {int} NOT NULL, PRIMARY KEY (id), UNIQUE (name, version))""",
    """CREATE TABLE datum (document {int} NOT NULL, path {str} NOT NULL, number {int} NOT NULL, name {str} NOT NULL,
    folded {str} NOT NULL, thousandths {int}, PRIMARY KEY (document, path, number))""",
    "CREATE INDEX datum_number ON datum (name, path, thousandths)",
    "CREATE INDEX datum_value ON datum (name, path, folded)",
    """CREATE TABLE decision (id {key} NOT NULL, understanding {int} NOT NULL, path {str} NOT NULL, kind {str} NOT
    NULL, who {str} NOT NULL, at_ms {int} NOT NULL, "before" {str} NOT NULL, "after" {str} NOT NULL, score {int}
    NOT NULL, confidence {int} NOT NULL, was_right {int} NOT NULL, schema {int} NOT NULL, PRIMARY KEY (id))""",
    "CREATE INDEX decision_schema ON decision (schema)",
    "CREATE INDEX decision_understanding ON decision (understanding, id)",
    """CREATE TABLE document_data (document {int} NOT NULL, understanding {int} NOT NULL, schema {int},
    structured_data {str}, needs_human_review {int} NOT NULL, created_ms {int} NOT NULL, updated_ms {int} NOT
    NULL, PRIMARY KEY (document))""",
    """CREATE TABLE model_answer (key {bytes} NOT NULL, model {str} NOT NULL, answer {str} NOT NULL, tokens_in {int}
    NOT NULL, tokens_out {int} NOT NULL, cost {int} NOT NULL, at_ms {int} NOT NULL, PRIMARY KEY (key))""",
    """CREATE TABLE model_choice (id {key} NOT NULL, who {str} NOT NULL, at_ms {int} NOT NULL, body {str} NOT NULL,
    PRIMARY KEY (id))""",
    """CREATE TABLE model_window (understanding {int} NOT NULL, start {int} NOT NULL, stop {int} NOT NULL, part {int}
    NOT NULL, state {str} NOT NULL, detail {str} NOT NULL, PRIMARY KEY (understanding, start, stop, part))""",
    """CREATE TABLE proposal (understanding {int} NOT NULL, path {str} NOT NULL, place {int} NOT NULL, body {str} NOT
    NULL, PRIMARY KEY (understanding, path))""",
    """CREATE TABLE source (id {key} NOT NULL, kind {str} NOT NULL, name {str} NOT NULL, settings {str} NOT NULL,
    cursor {str} DEFAULT '' NOT NULL, state {str} NOT NULL, who {str} NOT NULL, at_ms {int} NOT NULL,
    last_arrival_ms {int}, detail {str} DEFAULT '' NOT NULL, PRIMARY KEY (id))""",
    """CREATE TABLE understanding (id {key} NOT NULL, uid {bytes} NOT NULL, exhibit {int} NOT NULL, document {int}
    NOT NULL, schema {int}, source {int}, uploader {str}, source_metadata {str} NOT NULL, status {str} NOT NULL,
    attempt {int} DEFAULT '0' NOT NULL, owner {str}, started_ms {int}, completed_ms {int}, quality {int},
    structured_data {str}, flagged {int} DEFAULT '0' NOT NULL, doubt {int} DEFAULT '0' NOT NULL, model {str}
    DEFAULT '' NOT NULL, detail {str} DEFAULT '' NOT NULL, reviewer {str}, reviewed_until_ms {int} DEFAULT '0' NOT
    NULL, PRIMARY KEY (id), UNIQUE (uid))""",
    "CREATE INDEX understanding_document ON understanding (document, id)",
    "CREATE INDEX understanding_doubt ON understanding (doubt, id) WHERE flagged = 1",
    "CREATE INDEX understanding_exhibit ON understanding (exhibit, id)",
    "CREATE INDEX understanding_open ON understanding (started_ms, id) WHERE status = 'in-progress'",
)
_FOLLOWS = """INSERT INTO document_data
    (document, understanding, schema, structured_data, needs_human_review, created_ms, updated_ms)
    VALUES (NEW.document, NEW.id, NEW.schema, NEW.structured_data,
        CASE WHEN NEW.status = 'failed' OR NEW.flagged = 1 THEN 1 ELSE 0 END, NEW.completed_ms, NEW.completed_ms)
    ON CONFLICT (document) DO UPDATE SET understanding = excluded.understanding,
        schema = COALESCE(excluded.schema, document_data.schema),
        structured_data = COALESCE(excluded.structured_data, document_data.structured_data),
        needs_human_review = excluded.needs_human_review, updated_ms = excluded.updated_ms
    WHERE excluded.understanding >= document_data.understanding;"""
_WHEN = "WHEN (NEW.status <> 'in-progress')"
_TRIGGERS = {
    "sqlite": (
        "CREATE TRIGGER understanding_ended AFTER UPDATE OF status, structured_data, flagged ON understanding "
        f"{_WHEN} BEGIN {_FOLLOWS} END",
    ),
    "postgresql": (
        "CREATE FUNCTION document_follows() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN {_FOLLOWS} RETURN NULL; END $$",
        "CREATE TRIGGER understanding_ended AFTER UPDATE OF status, structured_data, flagged ON understanding "
        f"FOR EACH ROW {_WHEN} EXECUTE FUNCTION document_follows()",
    ),
}


def upgrade(tx: Connection) -> None:
    for statement in _STATEMENTS:
        tx.exec_driver_sql(statement.format(**_TYPES[tx.dialect.name]))
    for statement in _TRIGGERS[tx.dialect.name]:
        tx.exec_driver_sql(statement)
