"""Mail stores through readpst and through Redwell: time, and how many items each brings out. For benchmarks.peers."""

import json
import os
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.support.product import redwell

from benchmarks.peer_process import REPO, PeerProcess, command

CASE = "bench"  # the one that benchmarks.measure makes
STORE_S = 120
Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Store:
    name: str
    readpst_s: float
    readpst_items: int | None  # None where it failed
    handlers_s: float
    import_s: float
    items: int
    documents: int


Stores = list[Store]


def import_seconds(source: Path, home: Path) -> float:
    """An import with one child at a time, as each peer has one process."""
    program = [sys.executable, "-m", "benchmarks.measure", str(source), str(home)]
    environment = {**os.environ, "REDWELL_SLOTS": "1"}
    run = subprocess.run(program, cwd=REPO, env=environment, stdout=subprocess.PIPE, check=True, text=True)
    return float(json.loads(run.stdout)["seconds"])


def rows_of(home: Path) -> list[Row]:
    run = redwell(home, "documents", "--case", CASE, "--json", "--text", timeout=600)
    return [json.loads(line) for line in run.stdout.splitlines()]


def measured_stores(paths: list[Path], work: Path) -> Stores:
    """Empty without stores or without readpst: there is nothing to compare then."""
    if not paths or not shutil.which("readpst"):
        return []
    warm = PeerProcess(command("redwell"))
    warm.ask(paths[0])  # loads what the first store needs
    stores = [_measured(path, work, warm) for path in paths]
    warm.close()
    return stores


def _measured(path: Path, work: Path, warm: PeerProcess) -> Store:
    readpst_s, readpst_items = _readpst(path, work / "readpst")
    handlers_s = warm.ask(path).seconds
    home = work / "home"
    import_s = import_seconds(path, home)
    depths = [row["depth"] for row in rows_of(home)]
    shutil.rmtree(home)
    return Store(path.name, readpst_s, readpst_items, handlers_s, import_s, depths.count(1), len(depths))


def _readpst(path: Path, out: Path) -> tuple[float, int | None]:
    """Mails, appointments, journals and contacts, each as a file with its attachments inside; files are counted."""
    out.mkdir()
    started = time.monotonic()
    try:
        program = ["readpst", "-q", "-e", "-t", "ejac", "-o", str(out), str(path)]
        run = subprocess.run(program, capture_output=True, timeout=STORE_S)
        count = None if run.returncode else sum(each.is_file() for each in out.rglob("*"))
    except subprocess.TimeoutExpired:
        count = None
    seconds = time.monotonic() - started
    shutil.rmtree(out)
    return seconds, count
