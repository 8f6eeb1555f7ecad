"""Events as Parquet files, written and asked by DuckDB (ports.messaging.status_store).

A file is made of lines of JSON, which DuckDB reads faster than Python can hand over rows. Whoever asks gets an engine
that sees the folder of events and nothing else, takes one SELECT, and can change no setting.
"""

import os
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import duckdb
import msgspec

from redwell.adapters.duckdb.status_places import Place
from redwell.core.errors import UserError
from redwell.core.events.event import Event
from redwell.core.events.statuses import COLUMNS, STATUSES, case_folder, error_file, first_row, status_file, status_line
from redwell.ports.messaging.status_store import Answer

AT_ONCE = 1_000  # rows of an answer
_MEMORY = "1GB"
_TYPES = ", ".join(f"{c.name}: '{c.type}'" for c in COLUMNS)
_READ = f"read_json(?, format = 'newline_delimited', columns = {{{_TYPES}}})"
_WRITE = f"COPY (SELECT * FROM {_READ} ORDER BY id) TO ? (FORMAT parquet, COMPRESSION zstd)"
_HAPPENED = "make_timestamp(timestamp * 1000) AS happened"
_VIEW = "CREATE VIEW events AS SELECT *, {happened} FROM read_parquet('{files}', hive_partitioning = true)"
_COLUMNS = ", ".join(f"{c.name} {c.type}" for c in COLUMNS)
_NONE = f"CREATE TABLE events ({_COLUMNS}, caseid BIGINT, batchid BIGINT, happened TIMESTAMP)"


class StatusFiles:
    """Keeps the promises of `ports.messaging.status_store.StatusStore`; `scratch` is on the disk of the files."""

    def __init__(self, place: Place, scratch: Path) -> None:
        self._place, self._scratch = place, scratch

    def drop_from(self, case: int, row: int) -> None:
        for name in self._place.names(case_folder(case)):
            if first_row(name) >= row:
                self._place.delete(name)

    def keep(self, case: int, first: int, events: Sequence[Event]) -> None:
        batches: dict[int, list[Event]] = {}
        for event in events:
            batches.setdefault(event.batch_id or 0, []).append(event)
        self._make_scratch()
        with tempfile.TemporaryDirectory(dir=self._scratch) as folder, duckdb.connect() as engine:
            engine.execute(f"SET threads = 1; SET memory_limit = '{_MEMORY}'")
            for batch, some in batches.items():
                self._place.put(status_file(case, batch, first), _written(engine, Path(folder), some))

    def refuse(self, kind: str, case: int, row: int, body: bytes) -> None:
        self._make_scratch()
        handle, name = tempfile.mkstemp(dir=self._scratch)
        with os.fdopen(handle, "wb") as file:
            file.write(body)
        at_ms = int(msgspec.json.decode(body).get("timestamp", 0))
        self._place.put(error_file(kind, case, row, at_ms), Path(name))

    def _make_scratch(self) -> None:
        # nobody else's to read: events tell of evidence
        self._scratch.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._scratch.mkdir(mode=0o700, exist_ok=True)

    def ask(self, sql: str) -> Answer:
        folder = self._place.at_hand()
        engine = duckdb.connect()
        try:
            _check(engine, sql)
            engine.execute(_events_of(folder))
            _lock_in(engine, folder)
            engine.execute(sql)
        except duckdb.Error as error:
            raise UserError(f"the query can't be answered: {error}") from None
        columns = tuple(name for name, *_ in engine.description or ())
        return Answer(columns, _rows(engine))


def _written(engine: duckdb.DuckDBPyConnection, folder: Path, events: Sequence[Event]) -> Path:
    lines, made = folder / "lines.json", folder / "made.parquet"
    encoder = msgspec.json.Encoder()
    with lines.open("wb") as file:
        file.writelines(encoder.encode(status_line(event)) + b"\n" for event in events)
    engine.execute(_WRITE, [str(lines), str(made)])
    return made


def _events_of(folder: Path) -> str:
    files = folder / STATUSES / "*" / "*" / "*.parquet"
    if not any((folder / STATUSES).glob("*/*/*.parquet")):
        return _NONE
    return _VIEW.format(happened=_HAPPENED, files=str(files).replace("'", "''"))


def _check(engine: duckdb.DuckDBPyConnection, sql: str) -> None:
    """The files are there to be read: nothing else is done on the way."""
    statements = engine.extract_statements(sql)
    if len(statements) != 1 or statements[0].type not in (duckdb.StatementType.SELECT, duckdb.StatementType.EXPLAIN):
        raise UserError("one SELECT on `events` is answered, and nothing else; `redwell events queries` shows some")


def _lock_in(engine: duckdb.DuckDBPyConnection, folder: Path) -> None:
    quoted = str(folder).replace("'", "''")
    engine.execute(f"SET memory_limit = '{_MEMORY}'")
    engine.execute(f"SET allowed_directories = ['{quoted}']")
    engine.execute("SET enable_external_access = false")
    engine.execute("SET lock_configuration = true")


def _rows(engine: duckdb.DuckDBPyConnection) -> Iterator[tuple[Any, ...]]:
    with engine:
        while rows := engine.fetchmany(AT_ONCE):
            yield from rows
