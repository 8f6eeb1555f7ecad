"""Documents as data: schemas, ingestions for understanding, proposals, decisions; sources that bring more.

An ingestion's result reaches `document_data` by a trigger (SPEC B6): whoever writes it, the document follows.
"""

from sqlalchemy import DDL, Column, Index, MetaData, Table, UniqueConstraint, event, text

from redwell.adapters.sql.tables import Bytes, Integer, String

metadata = MetaData()

data_schema = Table(
    "data_schema",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String, nullable=False),
    Column("version", Integer, nullable=False),
    Column("body", String, nullable=False),
    Column("who", String, nullable=False),
    Column("at_ms", Integer, nullable=False),
    UniqueConstraint("name", "version"),
)

_is_open = text("status = 'in-progress'")
_needs_review = text("flagged = 1")
understanding = Table(
    "understanding",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("uid", Bytes, nullable=False, unique=True),
    Column("exhibit", Integer, nullable=False),  # the first one with this content: its text is read
    Column("document", Integer, nullable=False),
    Column("schema", Integer),  # none: not chosen yet, or none fits
    Column("source", Integer),  # one of these two says where the wish came from
    Column("uploader", String),
    Column("source_metadata", String, nullable=False),
    Column("status", String, nullable=False),
    Column("attempt", Integer, nullable=False, server_default="0"),
    Column("owner", String),
    Column("started_ms", Integer),  # none: nobody is at it
    Column("completed_ms", Integer),
    Column("quality", Integer),  # percent, of the recognition
    Column("structured_data", String),
    Column("flagged", Integer, nullable=False, server_default="0"),
    Column("doubt", Integer, nullable=False, server_default="0"),  # thousandths; the most doubtful first
    Column("model", String, nullable=False, server_default=""),
    Column("detail", String, nullable=False, server_default=""),
    Column("reviewer", String),
    Column("reviewed_until_ms", Integer, nullable=False, server_default="0"),
    Index("understanding_document", "document", "id"),
    Index("understanding_exhibit", "exhibit", "id"),
    Index("understanding_open", "started_ms", "id", sqlite_where=_is_open, postgresql_where=_is_open),
    Index("understanding_doubt", "doubt", "id", sqlite_where=_needs_review, postgresql_where=_needs_review),
)

document_data = Table(
    "document_data",
    metadata,
    Column("document", Integer, primary_key=True, autoincrement=False),
    Column("understanding", Integer, nullable=False),
    Column("schema", Integer),
    Column("structured_data", String),
    Column("needs_human_review", Integer, nullable=False),
    Column("created_ms", Integer, nullable=False),
    Column("updated_ms", Integer, nullable=False),
)

proposal = Table(
    "proposal",
    metadata,
    Column("understanding", Integer, primary_key=True, autoincrement=False),
    Column("path", String, primary_key=True),
    Column("place", Integer, nullable=False),  # in the order of the schema
    Column("body", String, nullable=False),  # core.understanding.proposals.Proposal
)

decision = Table(  # of a person about one field
    "decision",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("understanding", Integer, nullable=False),
    Column("path", String, nullable=False),
    Column("kind", String, nullable=False),
    Column("who", String, nullable=False),
    Column("at_ms", Integer, nullable=False),
    Column("before", String, nullable=False),
    Column("after", String, nullable=False),
    Column("score", Integer, nullable=False),  # thousandths, of what was proposed
    Column("confidence", Integer, nullable=False),
    Column("was_right", Integer, nullable=False),
    Column("schema", Integer, nullable=False),
    Index("decision_understanding", "understanding", "id"),
    Index("decision_schema", "schema"),
)

datum = Table(  # the values that hold now, for searching
    "datum",
    metadata,
    Column("document", Integer, primary_key=True, autoincrement=False),
    Column("path", String, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),  # of a line; 0: no line
    Column("name", String, nullable=False),  # of the schema
    Column("folded", String, nullable=False),
    Column("thousandths", Integer),  # of a sum or number
    Index("datum_value", "name", "path", "folded"),
    Index("datum_number", "name", "path", "thousandths"),
)

model_window = Table(
    "model_window",
    metadata,
    Column("understanding", Integer, primary_key=True, autoincrement=False),
    Column("start", Integer, primary_key=True, autoincrement=False),
    Column("stop", Integer, primary_key=True, autoincrement=False),
    Column("part", Integer, primary_key=True, autoincrement=False),  # of a schema that is too large for one answer
    Column("state", String, nullable=False),
    Column("detail", String, nullable=False),
)

model_answer = Table(  # the same question is not paid twice
    "model_answer",
    metadata,
    Column("key", Bytes, primary_key=True),
    Column("model", String, nullable=False),
    Column("answer", String, nullable=False),
    Column("tokens_in", Integer, nullable=False),
    Column("tokens_out", Integer, nullable=False),
    Column("cost", Integer, nullable=False),  # millionths
    Column("at_ms", Integer, nullable=False),
)

model_spent = Table(  # by the case in all, with what is reserved for questions that are being asked: one row
    "model_spent",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("tokens", Integer, nullable=False),
    Column("cost", Integer, nullable=False),  # millionths
)

model_choice = Table(  # of a case, by a person; the last one holds
    "model_choice",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("who", String, nullable=False),
    Column("at_ms", Integer, nullable=False),
    Column("body", String, nullable=False),  # core.understanding.models.ModelChoice; no secret is in it
)

source = Table(
    "source",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("kind", String, nullable=False),
    Column("name", String, nullable=False),
    Column("settings", String, nullable=False),
    Column("cursor", String, nullable=False, server_default=""),
    Column("state", String, nullable=False),
    Column("who", String, nullable=False),
    Column("at_ms", Integer, nullable=False),
    Column("last_arrival_ms", Integer),
    Column("detail", String, nullable=False, server_default=""),
)

arrival = Table(  # each once, by the key that its source gives it
    "arrival",
    metadata,
    Column("source", Integer, primary_key=True, autoincrement=False),
    Column("key", String, primary_key=True),
    Column("name", String, nullable=False),
    Column("sha256", Bytes, nullable=False),
    Column("said", String, nullable=False),  # by the source: sender, subject, when
    Column("at_ms", Integer, nullable=False),
    Column("batch", Integer),  # by which it came into the case; none: not yet
    Index("arrival_batch", "batch"),
    Index("arrival_open", "source", sqlite_where=text("batch IS NULL"), postgresql_where=text("batch IS NULL")),
)

acquisition = Table(  # seen by a watcher, and not brought yet; what can't be had stays, with the reason
    "acquisition",
    metadata,
    Column("source", Integer, primary_key=True, autoincrement=False),
    Column("key", String, primary_key=True),
    Column("name", String, nullable=False),
    Column("place", String, nullable=False),
    Column("is_again", Integer, nullable=False),
    Column("state", String, nullable=False),  # waiting, failed, gone
    Column("attempt", Integer, nullable=False, server_default="0"),
    Column("detail", String, nullable=False, server_default=""),
    Column("at_ms", Integer, nullable=False),
    Index("acquisition_next", "source", "state", "attempt", "at_ms"),
)

understanding_plan = Table(  # how far the documents of an import are asked about
    "understanding_plan",
    metadata,
    Column("batch", Integer, primary_key=True, autoincrement=False),
    Column("uploader", String),
    Column("cursor", String, nullable=False, server_default=""),
    Column("is_done", Integer, nullable=False, server_default="0"),
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
TRIGGERS = {
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
for _dialect, _statements in TRIGGERS.items():
    for _statement in _statements:
        _made = DDL(_statement)  # type: ignore[no-untyped-call]
        event.listen(metadata, "after_create", _made.execute_if(dialect=_dialect))
