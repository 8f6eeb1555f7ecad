"""The tables of one case. Integer keys inside; a uid (UUIDv7) where an id leaves the system.

`seal` is a short hash over a row's terminal values: `redwell verify` sees a row changed by hand.
"""

from sqlalchemy import (
    BLOB,
    BigInteger,
    Column,
    ForeignKey,
    Index,
    MetaData,
    Table,
    UniqueConstraint,
    text,
)
from sqlalchemy import Integer as SqliteInteger
from sqlalchemy import String as SqliteString
from sqlalchemy.dialects.postgresql import BYTEA, TEXT

metadata = MetaData()

# In PostgreSQL every number has 64 bits as in SQLite, and every text is ordered by its code points as in SQLite.
Integer = SqliteInteger().with_variant(BigInteger(), "postgresql")
String = SqliteString().with_variant(TEXT(collation="C"), "postgresql")
Bytes = BLOB().with_variant(BYTEA(), "postgresql")


def _queue(name: str, *columns: str) -> tuple[Index, Index]:
    """The open rows in order of their ids; SQLite's index ends with the id anyway."""
    open_rows = text("state <> 'done'")
    return (
        Index(name, *columns, sqlite_where=open_rows).ddl_if(dialect="sqlite"),
        Index(name, *columns, "id", postgresql_where=open_rows).ddl_if(dialect="postgresql"),
    )


def partial_index(name: str, *columns: str, where: str) -> Index:
    return Index(name, *columns, sqlite_where=text(where), postgresql_where=text(where))


case_info = Table(
    "case_info", metadata, Column("key", String, primary_key=True), Column("value", String, nullable=False)
)

batch = Table(
    "batch",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("uid", Bytes, nullable=False),
    Column("type", String, nullable=False),
    Column("custodian", String),
    Column("settings", String, nullable=False),
    Column("sources", Integer, nullable=False),
    Column("jobs", Integer, nullable=False, server_default="0"),  # how many it has had
    Column("created_ms", Integer, nullable=False),
    Column("finished_ms", Integer),
    Column("seal", Bytes, nullable=False),
)

blob = Table(
    "blob",
    metadata,
    Column("sha256", Bytes, primary_key=True),
    Column("pack", String, nullable=False),
    Column("offset", Integer, nullable=False),
    Column("length", Integer, nullable=False),
    sqlite_with_rowid=False,
)

document = Table(
    "document",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("uid", Bytes, nullable=False),
    Column("sha256", Bytes, nullable=False, unique=True),
    Column("sha1", Bytes, nullable=False),
    Column("md5", Bytes, nullable=False),
    Column("size", Integer, nullable=False),
    Column("hash_kind", String, nullable=False, server_default="bytes"),
    Column("seal", Bytes, nullable=False),
)

derivation = Table(
    "derivation",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("document", ForeignKey("document.id"), nullable=False),
    Column("purpose", String, nullable=False, server_default="read"),
    Column("task", String, nullable=False, server_default="extract-text"),
    Column("input", Bytes),  # the artifact that it is about; none: the document itself
    Column("engine", String, nullable=False),
    Column("settings", String, nullable=False),
    Column("context", String, nullable=False),
    Column("profile", String, nullable=False, server_default="parser"),  # of the children that do it
    Column("batch", Integer),  # that asked for it first; others may wait on it too
    Column("state", String, nullable=False, server_default="queued"),
    Column("owner", String),
    Column("lane", String, nullable=False, server_default="small"),
    Column("attempt", Integer, nullable=False, server_default="0"),
    Column("tries", Integer, nullable=False, server_default="0"),
    Column("lost", Integer, nullable=False, server_default="0"),
    Column("deaths", Integer, nullable=False, server_default="0"),
    Column("generation", Integer, nullable=False, server_default="1"),
    Column("outcome", String),
    Column("detail", String, nullable=False, server_default=""),
    Column("media_type", String),
    Column("kind", String),
    Column("handler", String),
    Column("pages", Integer),
    Column("container", Integer, nullable=False, server_default="0"),
    Column("declared", Integer),
    Column("members", Integer, nullable=False, server_default="0"),
    Column("metadata", String, nullable=False, server_default="{}"),
    Column("problems", String, nullable=False, server_default="[]"),
    Column("seal", Bytes),
    Column("posted", Integer, nullable=False, server_default="0"),  # the claim that a message is out for (task_posts)
    Column("given_up", Integer, nullable=False, server_default="0"),  # past the table of attempts
    UniqueConstraint("document", "purpose", "engine", "settings", "context", name="derivation_key"),
    *_queue("derivation_open", "state", "batch", "task", "profile", "lane"),
    partial_index("derivation_parked", "id", where="given_up = 1"),
)

wanted = Table(  # renditions that a batch waits for, though another one asked for them first
    "wanted",
    metadata,
    Column("batch", Integer, primary_key=True, autoincrement=False),
    Column("derivation", Integer, primary_key=True, autoincrement=False),
    Index("wanted_derivation", "derivation"),
    sqlite_with_rowid=False,
)

artifact = Table(
    "artifact",
    metadata,
    Column("derivation", Integer, primary_key=True, autoincrement=False),
    Column("kind", String, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("last", Integer),
    Column("media_type", String, nullable=False),
    Column("sha256", Bytes, nullable=False),
    Column("size", Integer, nullable=False),
    Column("amount", Integer, nullable=False),
    Column("figures", String, nullable=False),
    Column("seal", Bytes, nullable=False),
    sqlite_with_rowid=False,
)

volume = Table(  # the contents that the work on a set's head is about, besides its own
    "volume",
    metadata,
    Column("derivation", Integer, primary_key=True, autoincrement=False),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("document", Integer, nullable=False),
    sqlite_with_rowid=False,
)

member = Table(
    "member",
    metadata,
    Column("derivation", Integer, primary_key=True),
    Column("ordinal", Integer, primary_key=True),
    Column("locator", String, nullable=False),
    Column("whole", String),  # the locator, where it is too long for an index (long_locators)
    Column("generation", Integer, nullable=False),
    Column("state", String, nullable=False),
    Column("name", String, nullable=False),
    Column("role", String, nullable=False),
    Column("document", Integer),
    Column("outcome", String),
    Column("detail", String, nullable=False),
    Column("metadata", String, nullable=False),
    Column("seal", Bytes, nullable=False),
    # for PostgreSQL the other way round: it would read a whole manifest by this index as readily as by the first key
    UniqueConstraint("derivation", "locator").ddl_if(dialect="sqlite"),
    Index("member_locator", "locator", "derivation", unique=True).ddl_if(dialect="postgresql"),
    sqlite_with_rowid=False,
)

ingestion = Table(
    "ingestion",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("uid", Bytes, nullable=False),
    Column("batch", Integer, nullable=False),
    Column("parent", Integer),
    Column("locator", String, nullable=False),
    Column("whole", String),
    Column("source", Integer, nullable=False, server_default="0"),  # 1: the walk of a source, no exhibit
    Column("name", String, nullable=False),
    Column("path", String, nullable=False),
    Column("root", Integer),
    Column(
        "ordinal", Integer, nullable=False
    ),  # of a file in walking order over the case, of a member in its container
    Column("depth", Integer, nullable=False),
    Column("role", String, nullable=False),
    Column("state", String, nullable=False),
    Column("owner", String),
    Column("attempt", Integer, nullable=False, server_default="0"),
    Column("document", Integer),
    Column("derivation", Integer),
    Column("replayed", Integer, nullable=False, server_default="0"),
    Column("listed", Integer),  # of a source: files found, written when the walk is over
    Column("outcome", String),
    Column("detail", String, nullable=False, server_default=""),
    Column("problems", String, nullable=False, server_default="[]"),
    Column("size", Integer),
    Column("dates", String, nullable=False, server_default="{}"),
    Column("metadata", String, nullable=False, server_default="{}"),
    Column("seal", Bytes),
    UniqueConstraint("parent", "locator"),
    *_queue("ingestion_open", "state", "source", "batch"),
    partial_index("ingestion_waiting", "derivation", where="state = 'waiting'"),
    partial_index("ingestion_gathered", "parent", where="state = 'gathered'"),
    partial_index("ingestion_document", "document", "root", where="document IS NOT NULL"),
)

load_pending = Table(  # exhibits that ended, or changed since, and whose load is not complete
    "load_pending",
    metadata,
    Column("exhibit", Integer, primary_key=True, autoincrement=False),
    # 1: the loader has seen this version of the exhibit; a change while it works sets 0 again
    Column("taken", Integer, nullable=False, server_default="0"),
    # who has taken it, and until when nobody else does; a loader marks what it has itself alone
    Column("owner", String),
    Column("until_ms", Integer, nullable=False, server_default="0"),
)
