"""All rows of a case as they go into another database, and a digest of them that is the same in every kind.

Used by runtime.bootstrap.cases.case_transfer. What only says where something lies, or who is at work, is left out: each
place has its own.
"""

import hashlib
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

import msgspec
from sqlalchemy import Connection, Table, func, insert, select, text

from redwell.adapters.sql import case_tables, overlay_tables, production_tables, review_tables, understanding_tables
from redwell.adapters.sql.job_tables import task_queue, worker
from redwell.adapters.sql.streaming import streamed
from redwell.adapters.sql.tables import blob, case_info
from redwell.core.blobs import Location

AT_ONCE = 500
_KINDS = (case_tables.metadata, review_tables.metadata, production_tables.metadata, understanding_tables.metadata)
TABLES = tuple(
    table
    for kind in (*_KINDS, overlay_tables.metadata)
    for table in kind.sorted_tables
    if table not in (blob, worker, task_queue)
)
OWN = frozenset({"name", "uid", "keeper", "keeping"})  # of case_info: what a place says of itself
Digest = dict[str, list[Any]]  # by table: rows, and a hash over them


def digest_of(tx: Connection) -> Digest:
    """Of every row but those of OWN, and of which contents there are."""
    told = {table.name: _digest(_rows(tx, table)) for table in TABLES}
    sizes = streamed(tx, select(blob.c.sha256, blob.c.length).order_by(blob.c.sha256))
    return {**told, blob.name: _digest({"sha256": sha256, "length": length} for sha256, length in sizes)}


def _digest(rows: Iterator[Mapping[str, Any]]) -> list[Any]:
    hashed, count = hashlib.sha256(), 0
    for row in rows:
        hashed.update(msgspec.msgpack.encode([(name, row[name]) for name in sorted(row)]))
        count += 1
    return [count, hashed.hexdigest()]


def _rows(tx: Connection, table: Table) -> Iterator[dict[str, Any]]:
    """In the order of their keys."""
    query = select(table).order_by(*(table.primary_key.columns or table.columns))
    names = [str(column.name) for column in table.columns]
    for row in streamed(tx, query):
        values = dict(zip(names, row, strict=True))
        if table is not case_info or values["key"] not in OWN:
            yield values


def copy_rows(source: Connection, target: Connection) -> None:
    """Into a case that has none, or had some of another attempt: what was there goes."""
    for table in TABLES:
        keep = case_info.c.key.in_(OWN) if table is case_info else None
        target.execute(table.delete() if keep is None else table.delete().where(~keep))
        rows = _rows(source, table)
        while some := list(islice(rows, AT_ONCE)):
            target.execute(insert(table), some)
        _go_on_counting(target, table)


def _go_on_counting(target: Connection, table: Table) -> None:
    """PostgreSQL counts apart from the rows."""
    keys = list(table.primary_key.columns)
    if target.dialect.name != "postgresql" or len(keys) != 1 or table.autoincrement_column is None:
        return
    highest = target.execute(select(func.max(keys[0]))).scalar()
    if highest:
        counter = text("SELECT setval(pg_get_serial_sequence(:table, :key), :highest)")
        target.execute(counter, {"table": table.name, "key": keys[0].name, "highest": highest})


def contents(source: Connection) -> Iterator[tuple[bytes, Location]]:
    rows = streamed(source, select(blob.c.sha256, blob.c.pack, blob.c.offset, blob.c.length).order_by(blob.c.sha256))
    return ((bytes(sha256), Location(pack, offset, length)) for sha256, pack, offset, length in rows)


def known_contents(target: Connection) -> set[bytes]:
    """Those that another attempt brought; their number bounds what is kept in memory."""
    return {bytes(sha256) for (sha256,) in streamed(target, select(blob.c.sha256))}


def add_contents(target: Connection, new: list[tuple[bytes, Location]]) -> None:
    rows = [{"sha256": sha256, "pack": at.pack, "offset": at.offset, "length": at.length} for sha256, at in new]
    if rows:
        target.execute(insert(blob), rows)
