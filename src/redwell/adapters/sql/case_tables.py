"""What a case says of its exhibits, beside what the ledger knows of them. Load steps write it; later batches may add.

Nothing here is sealed, and the ledger decides nothing by it: arrows go from the case down to the ledger.
"""

from sqlalchemy import Column, Index, Table, text

from redwell.adapters.sql.tables import Bytes, Integer, String, metadata

_has_content = text("document IS NOT NULL")
_has_key = text("copy_key IS NOT NULL")
_in_thread = text("thread IS NOT NULL")
_is_near = text("near IS NOT NULL")

exhibit = Table(
    "exhibit",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),  # that of its occurrence (ingestion)
    Column("family", Integer, nullable=False),  # the exhibit at its head, which may be itself
    Column("number", Integer),  # of the file it came in with: the digits of the control number
    Column("control", String),
    Column("document", Integer),  # its content, by which copies know each other
    Column("checkpoint", Integer, nullable=False),  # of its load, the last one it reached (core.case.checkpoints)
    # how it is shown, where that is not as the ledger says (core.case.exhibit_look)
    Column("outcome", String),
    Column("problems", String),
    Column("recognised", Integer),
    Column("text_chars", Integer),
    Column("ocr", Bytes),
    # of the head of a family: by what it finds its copies (core.case.copies), and the one that is kept in front of it
    Column("copy_key", Bytes),
    Column("copy_of", Integer),
    # of a mail that heads a family: its thread, by the exhibit that began it, and whether it has to be read in it
    Column("thread", Integer),
    Column("inclusive", Integer),
    # where it lies, and by what families are sorted: of a member as of its head (core.case.filing)
    Column("folder", Integer),
    Column("sort_date", String),
    # of the one that is nearest to it, and how near, in percent (core.case.near)
    Column("near", Integer),
    Column("near_score", Integer),
    Column("sketch", Bytes),
    Column("overlaid", String),  # fields that overlays have changed, as they are now (adapters.sql_overlays)
    # the blob and the length of a text that an overlay gave it in place of the one that was read or recognised
    Column("given_text", Bytes),
    Column("given_chars", Integer),
    Index("exhibit_control", "number", "control", unique=True),
    Index(
        *("exhibit_content", "document", "number", "control"),
        sqlite_where=_has_content,
        postgresql_where=_has_content,
    ),
    Index("exhibit_copies", "copy_key", "copy_of", sqlite_where=_has_key, postgresql_where=_has_key),
    Index("exhibit_thread", "thread", "number", "control", sqlite_where=_in_thread, postgresql_where=_in_thread),
    Index("exhibit_near", "near", sqlite_where=_is_near, postgresql_where=_is_near),
)

folder = Table(
    "folder",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("path", String, nullable=False, unique=True),
)

custodian = Table(  # in the order in which they came into the case
    "custodian",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String, nullable=False, unique=True),
)

batch_outcome = Table(  # of a finished batch, as long as nothing changes; else its exhibits are counted
    "batch_outcome",
    metadata,
    Column("batch", Integer, primary_key=True, autoincrement=False),
    Column("outcome", String, primary_key=True),
    Column("exhibits", Integer, nullable=False),
)

batch_source = Table(  # that exhibits were loaded from
    "batch_source",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),  # that of its walk (ingestion)
    Column("batch", Integer, nullable=False),
    Column("path", String, nullable=False),
)

held_by = Table(  # custodians of each set of copies, from its second copy on; empty: of one that has none
    "held_by",
    metadata,
    Column("copy_key", Bytes, primary_key=True),
    Column("custodian", String, primary_key=True),
    sqlite_with_rowid=False,
)

thread_key = Table(  # by which a mail finds its thread (core.case.threads)
    "thread_key",
    metadata,
    Column("key", Bytes, primary_key=True),
    Column("thread", Integer, nullable=False),
    Index("thread_key_thread", "thread"),
    sqlite_with_rowid=False,
)

uploaded = Table(  # contents that a batch's uploader has handed to a viewing engine
    "uploaded",
    metadata,
    Column("batch", Integer, primary_key=True),
    Column("document", Integer, primary_key=True),
    Column("file", String, nullable=False),  # the name that the engine knows it by (core.viewing.file_ids)
    Column("at_ms", Integer, nullable=False),
    sqlite_with_rowid=False,
)
