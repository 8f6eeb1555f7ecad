"""What reviewers add to a case, beside its exhibits. Nothing of the ledger or the load depends on it.

`audit_entry` is only ever added to; each entry's hash covers the one before (core.review.audit_chain).
"""

from sqlalchemy import Column, Index, MetaData, Table

from redwell.adapters.sql.tables import Bytes, Integer, String

metadata = MetaData()


def _deleted_ms() -> Column[int]:
    """When somebody deleted it; 0: nobody has. It stays, and is not shown any more."""
    return Column("deleted_ms", Integer, nullable=False, server_default="0")


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
    _deleted_ms(),
)

viewed = Table(  # who has read what
    "viewed",
    metadata,
    Column("exhibit", Integer, primary_key=True, autoincrement=False),
    Column("who", String, primary_key=True),
    Column("at_ms", Integer, nullable=False),
    Index("viewed_who", "who"),
)

replacement = Table(  # a whole file that came for a damaged one
    "replacement",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("exhibit", Integer, nullable=False),
    Column("batch", Integer, nullable=False),
    Column("who", String, nullable=False),
    Column("at_ms", Integer, nullable=False),
    Index("replacement_exhibit", "exhibit"),
    Index("replacement_batch", "batch"),
)

review_round = Table(
    "review_round",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String, nullable=False),
    Column("query", String, nullable=False),
    Column("who", String, nullable=False),
    Column("at_ms", Integer, nullable=False),
    Column("size", Integer, nullable=False),
    Column("lease_s", Integer, nullable=False),
    Column("second_of", Integer),
    Column("seed", Integer, nullable=False),
    _deleted_ms(),
)

review_item = Table(
    "review_item",
    metadata,
    Column("round", Integer, primary_key=True, autoincrement=False),
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("exhibit", Integer, nullable=False),
    Column("family", Integer, nullable=False),
    Column("holder", String, nullable=False, server_default=""),
    Column("lease_ms", Integer, nullable=False, server_default="0"),
    Column("done_ms", Integer, nullable=False, server_default="0"),  # 0: not yet
    Column("first_by", String, nullable=False, server_default=""),
    Column("tags_before", String, nullable=False, server_default=""),
    Column("tags_after", String, nullable=False, server_default=""),
    Index("review_item_exhibit", "round", "exhibit", unique=True),
    Index("review_item_left", "round", "done_ms", "position"),
)

term_set = Table(  # terms that are marked on every document
    "term_set",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String, nullable=False),
    Column("colour", String, nullable=False),
    Column("terms", String, nullable=False),
    Column("who", String, nullable=False),
    Column("at_ms", Integer, nullable=False),
    _deleted_ms(),
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
