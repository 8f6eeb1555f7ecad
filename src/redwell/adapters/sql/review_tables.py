"""What reviewers add to a case, beside its exhibits. Nothing of the ledger or the load depends on it.

`audit_entry` is only ever added to; each entry's hash covers the one before (core.review.audit_chain).
"""

from sqlalchemy import Column, Index, MetaData, Table

from redwell.adapters.sql.tables import Bytes, Integer, String

metadata = MetaData()

tag = Table(
    "tag",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String, nullable=False),
    Column("folded", String, nullable=False, unique=True),
    Column("key", String, nullable=False),  # on the keyboard; empty: none
)

tagging = Table(
    "tagging",
    metadata,
    Column("exhibit", Integer, primary_key=True, autoincrement=False),
    Column("tag", Integer, primary_key=True, autoincrement=False),
    Column("who", String, nullable=False),
    Column("at_ms", Integer, nullable=False),
    Index("tagging_tag", "tag", "exhibit"),
)

coding = Table(  # one change by one person, which is undone as one
    "coding",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("who", String, nullable=False),
    Column("at_ms", Integer, nullable=False),
    Column("tag", Integer, nullable=False),
    Column("is_on", Integer, nullable=False),
    Column("undone", Integer, nullable=False, server_default="0"),
    Index("coding_who", "who", "id"),
)

coded = Table(  # the exhibits that it changed
    "coded",
    metadata,
    Column("exhibit", Integer, primary_key=True, autoincrement=False),
    Column("coding", Integer, primary_key=True, autoincrement=False),
    Index("coded_coding", "coding"),
)

note = Table(
    "note",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("exhibit", Integer, nullable=False),
    Column("who", String, nullable=False),
    Column("at_ms", Integer, nullable=False),
    Column("text", String, nullable=False),
    Index("note_exhibit", "exhibit"),
)

saved_search = Table(
    "saved_search",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String, nullable=False),
    Column("query", String, nullable=False),
    Column("who", String, nullable=False),
    Column("at_ms", Integer, nullable=False),
)

viewed = Table(  # who has read what
    "viewed",
    metadata,
    Column("exhibit", Integer, primary_key=True, autoincrement=False),
    Column("who", String, primary_key=True),
    Column("at_ms", Integer, nullable=False),
)

audit_entry = Table(
    "audit_entry",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),  # 1, 2, 3: a gap is seen
    Column("at_ms", Integer, nullable=False),
    Column("who", String, nullable=False),
    Column("action", String, nullable=False),
    Column("exhibit", Integer),
    Column("detail", String, nullable=False),
    Column("hash", Bytes, nullable=False),
    Index("audit_entry_exhibit", "exhibit", "id"),
)
