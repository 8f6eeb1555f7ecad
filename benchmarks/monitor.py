"""`make bench`, the part of the monitor: a million events into Parquet, and the ready queries on them.

python -m benchmarks.monitor [--events N] [--page FILE]; writes docs/monitor.md. Beside it stands DuckDB's own writer:
the same events as one file of JSON lines, copied by one statement. CPU seconds of this process are counted.
"""

import argparse
import platform
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import duckdb
import msgspec

from benchmarks.engine import replaced
from benchmarks.run import REPO
from redwell.adapters.duckdb.status_files import StatusFiles
from redwell.adapters.duckdb.status_places import FolderPlace
from redwell.core.events.event import Component, Event, EventType, Status
from redwell.core.events.status_queries import READY
from redwell.core.events.statuses import COLUMNS, STATUSES, status_line

PAGE = REPO / "docs" / "monitor.md"
AT_ONCE = 100_000  # as 500 rows of a journal hold of documents
CASES, BATCHES = 2, 5
BEGAN_MS = 1_790_000_000_000
_TYPES = ", ".join(f"{c.name}: '{c.type}'" for c in COLUMNS)
_FOLDER = "TARGET"
_COPY = f"""COPY (SELECT * FROM read_json(?, format = 'newline_delimited',
  columns = {{{_TYPES}, caseid: 'BIGINT', batchid: 'BIGINT'}}))
  TO '{_FOLDER}' (FORMAT parquet, COMPRESSION zstd, PARTITION_BY (caseid, batchid))"""
_TURNS = (EventType.DOCUMENT_ADDED, EventType.TASK_ADDED, EventType.TASK_FINISHED, EventType.DOCUMENT_PROCESSED)


class Written(NamedTuple):
    cpu_s: float
    size: int
    folder: Path


def events(count: int) -> Iterator[Event]:
    """Documents one after the other, four events each; one in a hundred fails an attempt."""
    for n in range(count):
        document, turn = divmod(n, len(_TURNS))
        failed = turn == 2 and document % 100 == 0
        yield Event(
            event_type=EventType.WARNING if failed and document % 200 else _TURNS[turn],
            case_id=1 + document % CASES,
            batch_id=1 + document * BATCHES // (count // len(_TURNS) + 1),
            job_id=1,
            document_id=f"01890a5d-ac96-774b-bcce-{document:012x}",
            exhibit_ids=(document + 1,),
            event_detail={"task": "extract-text", "number": document, "outcome": "SUCCESS"} if turn else {},
            status=Status.ERROR.value if failed else Status.SUCCESS.value,
            source=Component.EXTRACTOR.value,
            id=f"01890a5d-ac96-774b-bccf-{n:012x}",
            timestamp=BEGAN_MS + 20 * document + 5 * turn,
        )


def by_redwell(count: int, folder: Path) -> Written:
    """Without the making of the events, which others pay for."""
    store, left, first, spent = StatusFiles(FolderPlace(folder), folder / "scratch"), events(count), 1, 0.0
    while some := list(islice(left, AT_ONCE)):
        began = time.process_time()
        for case in range(1, CASES + 1):
            store.keep(case, first, [event for event in some if event.case_id == case])
        spent += time.process_time() - began
        first += len(some)
    return Written(spent, _size(folder), folder)


def by_duckdb(count: int, folder: Path) -> Written:
    """One thread, as ours; the lines it reads are made beforehand and cost it nothing."""
    lines, target = folder / "lines.json", folder / "out" / STATUSES
    encoder = msgspec.json.Encoder()
    target.parent.mkdir()
    with lines.open("wb") as file:
        for event in events(count):
            row = msgspec.structs.asdict(status_line(event))
            file.write(encoder.encode({**row, "caseid": event.case_id, "batchid": event.batch_id}) + b"\n")
    began = time.process_time()
    with duckdb.connect() as engine:
        engine.execute("SET threads = 1; SET memory_limit = '1GB'")
        engine.execute(_COPY.replace(_FOLDER, str(target)), [str(lines)])
    spent = time.process_time() - began
    lines.unlink()
    return Written(spent, _size(target), target.parent)


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*.parquet"))


def asked(folder: Path, sql: str) -> tuple[float, int]:
    """CPU seconds, and how many rows the answer has."""
    began = time.process_time()
    rows = sum(1 for _ in StatusFiles(FolderPlace(folder), folder / "scratch").ask(sql).rows)
    return time.process_time() - began, rows


def tables(ours: Written, theirs: Written, count: int) -> str:
    text = "| | CPU s | µs an event | MB | against DuckDB's own |\n|---|---|---|---|---|\n"
    for name, each in (("written by Redwell", ours), ("by DuckDB's own writer", theirs)):
        ratio = each.cpu_s / theirs.cpu_s
        text += (
            f"| {name} | {each.cpu_s:.1f} | {1e6 * each.cpu_s / count:.1f} | {each.size / 1e6:.1f} | {ratio:.2f} |\n"
        )
    text += "\n| query | CPU s | on DuckDB's own files | rows |\n|---|---|---|---|\n"
    for name, query in READY.items():
        (own_s, rows), (other_s, same) = asked(ours.folder, query.sql), asked(theirs.folder, query.sql)
        assert rows == same, f"{name}: {rows} rows, and {same} out of the other files"
        text += f"| `{name}` | {own_s:.2f} | {other_s:.2f} | {rows:,} |\n"
    return text


def measured(count: int) -> str:
    with tempfile.TemporaryDirectory(prefix="redwell-monitor-") as name:
        work = Path(name)
        for part in ("ours", "theirs"):
            (work / part).mkdir()
        text = tables(by_redwell(count, work / "ours"), by_duckdb(count, work / "theirs"), count)
    where = f"{platform.platform()}, Python {platform.python_version()}, {datetime.now(UTC):%Y-%m-%d}"
    return f"{text}\n{count:,} events of {CASES} cases with {BATCHES} batches each; {where}.\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--events", type=int, default=1_000_000)
    parser.add_argument("--page", type=Path, default=PAGE)
    args = parser.parse_args()
    found = measured(args.events)
    text = replaced(PAGE.read_text(), "monitor", found)
    args.page.write_text(text)
    print(found)
    return 0


if __name__ == "__main__":
    sys.exit(main())
