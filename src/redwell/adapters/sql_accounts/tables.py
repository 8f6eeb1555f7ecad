"""The tables of a home's people and their secrets."""

from sqlalchemy import Column, MetaData, Table, UniqueConstraint

from redwell.adapters.sql.tables import Bytes, Integer, String

metadata = MetaData()

account = Table(
    "account",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String, nullable=False),
    Column("folded", String, nullable=False, unique=True),  # the name in lower case: two people differ in more
    Column("password", String, nullable=False, server_default=""),  # argon2; empty: none yet
    Column("admin", Integer, nullable=False, server_default="0"),
    Column("disabled", Integer, nullable=False, server_default="0"),
    Column("created_ms", Integer, nullable=False),
    sqlite_autoincrement=True,
)

membership = Table(
    "membership",
    metadata,
    Column("account", Integer, primary_key=True, autoincrement=False),
    Column("case_id", Integer, primary_key=True, autoincrement=False),
    Column("role", String, nullable=False),
)

secret = Table(  # of links and sessions: what ends by itself
    "account_secret",
    metadata,
    Column("digest", Bytes, primary_key=True),
    Column("kind", String, nullable=False),
    Column("account", Integer),
    Column("ends_ms", Integer, nullable=False),
)

token = Table(
    "account_token",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("digest", Bytes, nullable=False, unique=True),
    Column("account", Integer, nullable=False),
    Column("name", String, nullable=False),
    Column("rights", String, nullable=False),
    Column("cases", String),  # JSON; NULL: all of its owner's
    Column("created_ms", Integer, nullable=False),
    Column("ends_ms", Integer),
    Column("revoked", Integer, nullable=False, server_default="0"),
    sqlite_autoincrement=True,
)

signing_key = Table(
    "signing_key",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("value", Bytes, nullable=False),
    UniqueConstraint("id"),
)
