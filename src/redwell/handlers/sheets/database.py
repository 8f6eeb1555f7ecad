"""Handler for small databases: dBASE and SQLite as lines of cells; Access is looked at only. Runs in a child."""

import contextlib
import sqlite3
import struct
from collections.abc import Callable, Iterator
from pathlib import Path

from redwell.core.errors import InvalidFile, PasswordProtected, Unsupported
from redwell.core.handler import HandlerSpec, Metadata, Options, Piece, Source, Text
from redwell.handlers.sheets import access
from redwell.handlers.sheets.cell_lines import cell_lines
from redwell.handlers.sheets.dbase import Table
from redwell.handlers.structures.dates import dated

_IN_MEMORY = 64 << 20
_MOST_CELL_CHARS = 1 << 20


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    yield from _READERS[options.media_type](source, options)


def _dbase(source: Source, options: Options) -> Iterator[Piece]:
    table = Table(source.read())
    yield Metadata(values={"encoding": table.encoding, "rows": table.count, "columns": len(table.columns)})
    yield Metadata(values=dated("modified", table.changed or "", table.changed))
    yield Text(text="\t".join(table.columns) + "\n")
    yield from cell_lines(table.rows())
    if table.deleted:
        yield Metadata(values={"has_hidden": True, "deleted_rows": table.deleted})


def _sqlite(source: Source, options: Options) -> Iterator[Piece]:
    """Every ordinary table; views and virtual tables would run what the file's maker wrote."""
    with contextlib.closing(_opened(source)) as database:
        try:
            names = [name for (name,) in database.execute(_TABLES)]
            yield Metadata(values={"tables": names})
            for name in names:
                quoted = '"' + name.replace('"', '""') + '"'
                rows = database.execute(f"SELECT * FROM {quoted}")
                yield Text(text=f"{name}\n" + "\t".join(str(column[0]) for column in rows.description) + "\n")
                yield from cell_lines([_shown(value) for value in row] for row in rows)
        except (sqlite3.Error, UnicodeDecodeError) as error:  # the latter for names of columns
            raise InvalidFile(f"SQLite: {error}") from None


_TABLES = "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0 AND name NOT LIKE 'sqlite_%'"


def _opened(source: Source) -> sqlite3.Connection:
    if source.size > _IN_MEMORY:
        database = sqlite3.connect(f"file:{source.path()}?mode=ro&immutable=1", uri=True)
    else:
        database = sqlite3.connect(":memory:")
        database.deserialize(source.read())
    database.text_factory = lambda raw: raw.decode("utf-8", "replace")
    database.execute("PRAGMA trusted_schema = OFF")
    database.execute("PRAGMA query_only = ON")
    return database


def _shown(value: object) -> str:
    if isinstance(value, bytes):
        return f"[{len(value)} bytes]" if value else ""
    return "" if value is None else str(value)[:_MOST_CELL_CHARS]


def _access(source: Source, options: Options) -> Iterator[Piece]:
    with source.open() as file:
        head = file.read(access.HEAD)
    try:
        version, locked = access.looked_at(head)
    except struct.error:
        raise InvalidFile("the header is cut off") from None
    yield Metadata(values={"format_version": version})
    if locked:
        raise PasswordProtected("the database is encrypted or has a password")
    raise Unsupported("no reader for Access tables")


_READERS: dict[str, Callable[[Source, Options], Iterator[Piece]]] = {
    "application/x-dbf": _dbase,
    "application/vnd.sqlite3": _sqlite,
    "application/x-msaccess": _access,
}
SPEC = HandlerSpec(name="database", media_types=frozenset(_READERS), version=2, kind="database")
