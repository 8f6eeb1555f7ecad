"""Overlays of load files: which fields of which exhibits they changed. Nothing of the ledger depends on it."""

from sqlalchemy import Column, Index, MetaData, Table, text

from redwell.adapters.sql.tables import Bytes, Integer, String

metadata = MetaData()
_has_blob = text("blob IS NOT NULL")

overlay = Table(
    "overlay",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String, nullable=False),
    Column("sha256", String, nullable=False),  # of the load file
    Column("who", String, nullable=False),
    Column("at_ms", Integer, nullable=False),
    Column("counts", String, nullable=False, server_default=""),  # empty: it was stopped before its end
    Column("undone", Integer, nullable=False, server_default="0"),
)

overlay_value = Table(  # values as JSON; null: no such field
    "overlay_value",
    metadata,
    Column("overlay", Integer, primary_key=True, autoincrement=False),
    Column("exhibit", Integer, primary_key=True, autoincrement=False),
    Column("name", String, primary_key=True),
    Column("before", String, nullable=False),
    Column("after", String, nullable=False),
    Column("blob", Bytes),  # of a text that it gave
    Index("overlay_value_exhibit", "exhibit", "overlay"),
    Index("overlay_value_blob", "blob", sqlite_where=_has_blob, postgresql_where=_has_blob),
)
