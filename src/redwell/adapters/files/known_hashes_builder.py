"""Makes a file of known hashes from what NIST publishes: RDSv3 databases, NSRLFile.txt; or from lists of MD5."""

import os
import re
import sqlite3
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from redwell.adapters.files.known_hashes import WIDTH, HashFile, sorted_portions, write
from redwell.core.case.filters import may_be_known
from redwell.core.errors import UserError

_SQLITE = b"SQLite format 3\0"
_TABLES = ("FILE", "METADATA", "DISTINCT_HASH")  # RDSv3's views and table; editions have one or the other
_LINE = re.compile(rb'^(?:"[0-9A-Fa-f]{40}",)?"?([0-9A-Fa-f]{32})"?(?=[,\s]|$)', re.M)
_CHUNK = 16 << 20
_ROWS = 100_000


def build(sources: Sequence[str], target: Path) -> dict[str, Any]:
    """Write the hashes of all sources into `target`, each once; what was made, in numbers."""
    paths = [Path(source) for source in sources]
    note = {"built": datetime.now(UTC).isoformat(timespec="seconds"), "sources": [path.name for path in paths]}
    part = target.with_name(target.name + ".part")
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(dir=target.parent, prefix=".nist-"))
        spools = [stack.enter_context(Path(folder, f"{n:02x}").open("w+b")) for n in range(256)]
        read = sum(_spread(_hashes(path), spools) for path in paths)
        with part.open("wb") as file:
            count = write(file, sorted_portions(spools), note)
            file.flush()
            os.fsync(file.fileno())
    if not count:
        part.unlink()
        raise UserError(f"no MD5 was found in {', '.join(map(str, paths))}; nothing was written")
    part.replace(target)
    return {"file": str(target), "hashes": count, "read": read, "bytes": target.stat().st_size}


def info(path: str) -> dict[str, Any]:
    """What a built list says of itself."""
    known = HashFile(Path(path))
    known.close()
    return {"file": path, "hashes": known.count, **known.note}


def _spread(chunks: Iterator[bytes], spools: Sequence[IO[bytes]]) -> int:
    """Hashes into the spool of their first byte, so that each is sorted in little memory."""
    read = 0
    for chunk in chunks:
        shares: list[list[bytes]] = [[] for _ in spools]
        for at in range(0, len(chunk), WIDTH):
            shares[chunk[at]].append(chunk[at : at + WIDTH])
        for spool, share in zip(spools, shares, strict=True):
            spool.write(b"".join(md5 for md5 in share if may_be_known(md5, 1)))
        read += len(chunk) // WIDTH
    return read


def _hashes(path: Path) -> Iterator[bytes]:
    """All MD5 of one source as raw bytes, many at a time."""
    try:
        with path.open("rb") as file:
            is_database = file.read(len(_SQLITE)) == _SQLITE
            file.seek(0)
            yield from _of_database(path) if is_database else _of_lines(file)
    except OSError as error:
        raise UserError(f"can't read {path}: {error.strerror}") from None
    except sqlite3.Error as error:
        raise UserError(f"can't read {path}: {error}") from None


def _of_database(path: Path) -> Iterator[bytes]:
    with closing(sqlite3.connect(f"file:{path.absolute()}?mode=ro&immutable=1", uri=True)) as database:
        table = next((name for name in _TABLES if "md5" in _columns(database, name)), None)
        if table is None:
            raise UserError(f"{path} is no RDSv3 database: no table {', '.join(_TABLES)} with a column md5")
        rows = database.execute(f"SELECT md5 FROM {table} WHERE length(md5) = 32")
        while some := rows.fetchmany(_ROWS):
            yield bytes.fromhex("".join(md5 for (md5,) in some))


def _columns(database: sqlite3.Connection, table: str) -> set[str]:
    return {str(row[1]).lower() for row in database.execute(f"PRAGMA table_info({table})")}


def _of_lines(file: IO[bytes]) -> Iterator[bytes]:
    while chunk := file.read(_CHUNK):
        chunk += file.readline()
        yield bytes.fromhex(b"".join(_LINE.findall(chunk)).decode("ascii"))
