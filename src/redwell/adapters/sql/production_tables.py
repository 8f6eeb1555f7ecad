"""What goes out of a case: productions, their documents, numbers that were issued, and redactions.

Nothing of the ledger or the load depends on it. Members and ranges are written once and never changed.
"""

from sqlalchemy import Column, Index, MetaData, Table

from redwell.adapters.sql.tables import Integer, String

metadata = MetaData()

production = Table(
    "production",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String, nullable=False),
    Column("folded", String, nullable=False, unique=True),
    Column("query", String, nullable=False),
    Column("who", String, nullable=False),
    Column("created_ms", Integer, nullable=False),
    Column("terms", String, nullable=False),
    Column("first", Integer, nullable=False),
    Column("last", Integer, nullable=False),
    Column("documents", Integer, nullable=False),
    Column("pages", Integer, nullable=False),
    Column("left_out", String, nullable=False),
    Column("redactions", String),  # those that it went out with; none: it was never written
    Column("manifest", String, nullable=False, server_default=""),
)

production_member = Table(
    "production_member",
    metadata,
    Column("production", Integer, primary_key=True, autoincrement=False),
    Column("ordinal", Integer, primary_key=True, autoincrement=False),
    Column("exhibit", Integer, nullable=False),
    Column("control", String, nullable=False),
    Column("family", Integer, nullable=False),
    Column("parent", Integer),
    Column("treatment", String, nullable=False),
    Column("reason", String, nullable=False),
    Column("pages", Integer, nullable=False),
    Column("first", Integer, nullable=False),
    Index("production_member_exhibit", "exhibit", "production"),
)

bates_range = Table(  # a number is issued once in a case
    "bates_range",
    metadata,
    Column("prefix", String, primary_key=True),  # in lower case
    Column("last", Integer, primary_key=True, autoincrement=False),
    Column("first", Integer, nullable=False),
    Column("production", Integer, nullable=False),
)

redaction_change = Table(  # by one person, undone as one
    "redaction_change",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("who", String, nullable=False),
    Column("at_ms", Integer, nullable=False),
    Column("note", String, nullable=False),
    Column("undone", Integer, nullable=False, server_default="0"),
)

redaction = Table(  # sides in millionths of the page
    "redaction",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("exhibit", Integer, nullable=False),
    Column("page", Integer, nullable=False),
    Column("left", Integer, nullable=False),
    Column("top", Integer, nullable=False),
    Column("right", Integer, nullable=False),
    Column("bottom", Integer, nullable=False),
    Column("reason", String, nullable=False),
    Column("change", Integer, nullable=False),  # that made it
    Column("removed", Integer),  # the change that took it away
    Index("redaction_exhibit", "exhibit", "page"),
    Index("redaction_of_change", "change"),
    Index("redaction_removed", "removed"),
)
