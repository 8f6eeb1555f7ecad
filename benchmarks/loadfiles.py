"""How fast a load file of many rows is read and linted, against the csv module and bare splitting; memory.

python -m benchmarks.loadfiles [--rows N] [--volume-rows N] [--rounds N]      writes docs/loadfile-benchmarks.md
"""

import argparse
import csv
import os
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

from benchmarks import volume_rows
from redwell.core.loadfiles.formats.dialect import CONCORDANCE
from redwell.core.loadfiles.formats.encodings import FoundEncoding, decoded
from redwell.core.loadfiles.formats.rows import Rows
from redwell.core.loadfiles.formats.writing import RowWriter
from redwell.core.loadfiles.lines import Lines
from redwell.runtime.loadfiles.linting import VolumeLint
from redwell.runtime.loadfiles.opened import Given

PAGE = Path(__file__).resolve().parents[1] / "docs" / "loadfile-benchmarks.md"
HEADER = "BEGBATES ENDBATES BEGATTACH ENDATTACH CUSTODIAN FROM TO CC SUBJECT DATESENT TIMESENT FILENAME MD5HASH".split()
UTF8 = FoundEncoding(encoding="utf-8", reason="made here")
_CHUNK = 1 << 20


def made_load_file(path: Path, rows: int) -> None:
    """One page a document; every hundredth row has a line break and a separator inside a value."""
    chance, writer = Random(7), RowWriter(CONCORDANCE, "utf-8", True)
    with path.open("wb") as file:
        file.write(writer.row(HEADER))
        for number in range(1, rows + 1):
            odd = "line\none \x14" if number % 100 == 0 else "Quarterly figures"
            people = "; ".join(f"person{chance.randrange(1000)}@example.com" for _ in range(chance.randrange(1, 6)))
            bates, mail = f"ABC{number:08}", f"person{chance.randrange(1000)}@example.com"
            hashed = chance.randbytes(16).hex()
            row = [bates] * 4 + [
                "Lee, Ann",
                mail,
                people,
                "",
                f"{odd} {number}",
                "05/21/2001",
                "15:48:00",
                "a.doc",
                hashed,
            ]
            file.write(writer.row(row))


def chunks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            yield chunk


def ours(path: Path) -> int:
    return sum(1 for _ in Rows(Lines(decoded(chunks(path), UTF8)), CONCORDANCE, len(HEADER)))


def by_csv(path: Path) -> int:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return sum(1 for _ in csv.reader(file, delimiter="\x14", quotechar="þ"))


def by_splitting(path: Path) -> int:
    """The floor: lines of bytes cut at the separator, nothing decoded, no line break inside a value seen."""
    with path.open("rb") as file:
        return sum(1 for line in file if line.split(b"\x14"))


def linted(path: Path) -> int:
    return sum(1 for _ in VolumeLint([path], Given()))


def seconds(work: Callable[[Path], int], path: Path) -> float:
    started = time.monotonic()
    work(path)
    return time.monotonic() - started


def peak_mb(path: Path) -> float:
    tracemalloc.start()
    try:
        ours(path)
        return tracemalloc.get_traced_memory()[1] / (1 << 20)
    finally:
        tracemalloc.stop()


def page(rows: int) -> str:
    with tempfile.TemporaryDirectory() as folder:
        path, short = Path(folder) / "many.dat", Path(folder) / "few.dat"
        made_load_file(path, rows)
        made_load_file(short, rows // 10)
        took = {
            "bytes split at the separator": by_splitting,
            "csv module": by_csv,
            "Redwell, rows": ours,
            "lint": linted,
        }
        figures = {name: min(seconds(work, path) for _ in range(2)) for name, work in took.items()}
        size = path.stat().st_size / (1 << 20)
        memory = peak_mb(short), peak_mb(path)
    floor = figures["csv module"]
    lines = [f"| {name} | {took:.2f} s | {rows / took:,.0f} | {took / floor:.1f} |" for name, took in figures.items()]
    return (
        "# Reading load files: last results\n\n"
        f"{rows:,} rows of {len(HEADER)} values, {size:.0f} MB, DAT in UTF-8; the better of two runs in one process. "
        "`python -m benchmarks.loadfiles` writes this page.\n\n"
        "| by | time | rows/s | times csv |\n| --- | --- | --- | --- |\n" + "\n".join(lines) + "\n\n"
        f"Memory of reading: {memory[0]:.1f} MB at most for {rows // 10:,} rows, {memory[1]:.1f} MB for {rows:,}. "
        "The lint keeps what it compares at the end: ids, ranges and families of all rows.\n"
    )


def of_volumes(rows: int, rounds: int) -> str:
    """Rows read while the files of their volume are hashed, against one after the other."""
    files = 2 + rows * 3 + rows // 4
    lines = "\n".join(volume_rows.told(rows, rounds))
    load = f"{os.getloadavg()[1]:.0f}"
    return (
        f"\n## A volume of {rows:,} rows and {files:,} files\n\n"
        f"The whole import until all of it can be searched, {rounds} times each way in turn; the middle one. "
        f"Load of the machine meanwhile: {load} on {os.cpu_count()} cores.\n\n{lines}\n"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--volume-rows", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=3, help="imports of the volume, each way")
    given = parser.parse_args()
    text = page(given.rows) + of_volumes(given.volume_rows, given.rounds)
    PAGE.write_text(text)
    print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
