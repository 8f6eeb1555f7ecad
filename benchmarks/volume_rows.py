"""A volume whose rows are read while its files are hashed, against one after the other; memory.

Called by `benchmarks.loadfiles`; by itself, `python -m benchmarks.volume_rows`, it prints its table alone.

Both ways are the whole import, in a process of their own, and take turns, so that whatever else the machine does meets
both.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from redwell.core.jobs.job import NewJob
from redwell.core.loadfiles.formats.dialect import CONCORDANCE
from redwell.core.loadfiles.formats.writing import RowWriter
from redwell.core.work.records import ClaimedVolume
from redwell.core.work.transitions import Standing
from redwell.runtime.bootstrap.open_case import open_case
from redwell.runtime.bootstrap.settings import load_settings
from redwell.runtime.loadfiles.importing import told_of
from redwell.runtime.upkeep import batches
from redwell.runtime.worker import reader
from redwell.runtime.worker.batch_run import BatchRun
from redwell.runtime.worker.progress import Progress

HEADER = ["BEGBATES", "ENDBATES", "BEGATTACH", "CUSTODIAN", "TO", "SUBJECT", "DATESENT", "TEXTPATH", "NATIVEPATH"]
_PAGE = 40 << 10  # bytes, as a page of print has in G4


class Run(NamedTuple):
    hashed_s: float  # since the beginning
    first_record_s: float
    searchable_s: float
    cpu_s: float  # of all processes: others on the machine hardly change it
    memory_mb: float


class _NoRows:
    """Nobody reads them ahead."""

    def __init__(self, *_: object) -> None:
        pass

    @contextmanager
    def begun(self, order: bytes, load_files: Sequence[ClaimedVolume]) -> "Iterator[_NoRows]":
        yield self

    def look(self) -> None:
        pass

    def parts(self) -> Iterator[bytes]:
        return iter(())


def made_volume(root: Path, rows: int) -> None:
    """Two pages and a text for each row, a native for every fourth, and every fourth attached to the one before."""
    writer = RowWriter(CONCORDANCE, "utf-8", True)
    (root / "DATA").mkdir(parents=True)
    with (root / "DATA" / "V.dat").open("wb") as dat, (root / "DATA" / "V.opt").open("w", newline="") as opt:
        dat.write(writer.row(HEADER))
        for row in range(rows):
            bates, last = f"ABC{2 * row + 1:08}", f"ABC{2 * row + 2:08}"
            family = bates if row % 4 != 3 else f"ABC{2 * row - 1:08}"
            folder, native = f"{row // 1_000:03}", ""
            for at, number in enumerate((bates, last)):
                path = _file(root, f"IMAGES/{folder}/{number}.TIF", b"II*\0" + number.encode() * (_PAGE // 11))
                opt.write(f"{number},V,{path},{',,,' if at else 'Y,,,2'}\r\n")
            text = _file(root, f"TEXT/{folder}/{bates}.txt", b"%d: quarterly figures " % row * 90)
            if row % 4 == 0:
                native = _file(root, f"NATIVES/{folder}/{bates}.txt", b"%d: what was sent " % row * 300)
            cells = [bates, last, family, "Lee, Ann", "a@example.com; b@example.com", f"Figures {row}"]
            dat.write(writer.row([*cells, "05/21/2001", text, native]))


def _file(root: Path, path: str, content: bytes) -> str:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_bytes(content)
    return path.replace("/", "\\")


def imported(volume: Path, home: Path) -> Run:
    hashed, records = list[float](), list[float]()
    with open_case(home, "bench", load_settings(["pdf=none", "ocr=none"]), create=True) as case:
        root, told = told_of(str(volume), None, "given")
        sources = batches.check_sources([root], str(home), case.settings.patience)
        batch = batches.begin(case, sources, "loadfile", None, NewJob(), told)
        started = time.monotonic()

        def tick(progress: Progress) -> None:
            for seen, is_so in ((hashed, progress.files_read > 0), (records, progress.items_found > 1)):
                if is_so and not seen:
                    seen.append(time.monotonic() - started)

        assert BatchRun(case, batch, on_tick=tick, milestone=Standing.RENDERING)()
    searchable_s, used = time.monotonic() - started, os.times()
    memory_mb = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1_024
    return Run(hashed[0], records[0], searchable_s, sum(used[:4]), memory_mb)


def run_apart(volume: Path, way: str) -> Run:
    with tempfile.TemporaryDirectory(dir=volume.parent) as home:
        command = [sys.executable, "-m", "benchmarks.volume_rows", "--child", way, str(volume), home]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        return Run(*json.loads(done.stdout))


def told(rows: int, rounds: int) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        large, small = Path(folder) / "large", Path(folder) / "small"
        made_volume(large, rows)
        made_volume(small, rows // 10)
        runs = {"after": list[Run](), "beside": list[Run]()}
        for _ in range(rounds):
            for way, found in runs.items():
                found.append(run_apart(large, way))
        few = run_apart(small, "beside")
    yield "| rows are read | all files hashed | first record behind that | searchable | CPU of all processes |"
    yield "| --- | --- | --- | --- | --- |"
    for way, found in runs.items():
        figures: list[Any] = [
            median(each.hashed_s for each in found),
            median(each.first_record_s - each.hashed_s for each in found),
            median(each.searchable_s for each in found),
            median(each.cpu_s for each in found),
        ]
        name = "while files are hashed" if way == "beside" else "when all files are hashed"
        yield f"| {name} | {figures[0]:.1f} s | {figures[1]:.1f} s | {figures[2]:.1f} s | {figures[3]:.1f} s |"
    most = max(each.memory_mb for each in runs["beside"])
    yield f"\nThe largest child had {few.memory_mb:.0f} MB at {rows // 10:,} rows, {most:.0f} MB at {rows:,}."


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--child", nargs=3, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.child:
        way, volume, home = given.child
        if way == "after":
            reader.RowsInChild = _NoRows  # type: ignore[misc, assignment]
        print(json.dumps(imported(Path(volume), Path(home))))
        return 0
    for line in told(given.rows, given.rounds):
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
