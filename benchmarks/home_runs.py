"""One import on one kind of home, with the CPU seconds of every process that had a part in it: for benchmarks.homes."""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

from tests.support import aws, opensearch, postgres
from tests.support.case_homes import home_up_to

from benchmarks.run import REPO

SAMPLE_S = 0.1
_TICKS = os.sysconf("SC_CLK_TCK")
# one child, never replaced: to start one costs as much as hundreds of documents
SAME_CHILDREN = {"REDWELL_OCR": "none", "REDWELL_SLOTS": "1", "REDWELL_CHILD_LIFE": "1000000"}
SERVERS = {"postgres": "PostgreSQL", "aws": "AWS"}


@dataclass(frozen=True)
class Cost:
    """CPU seconds, less those of an import of one file into the same home."""

    own: float  # of the processes of the command itself
    children: float  # of their sandboxed children
    servers: dict[str, float]  # by name
    wall: float
    documents: int

    @property
    def redwell_ms(self) -> float:
        """Per document, on the machines that run Redwell."""
        return 1000 * (self.own + self.children) / self.documents

    @property
    def server_ms(self) -> float:
        return 1000 * sum(self.servers.values()) / self.documents


@contextmanager
def servers() -> Iterator[None]:
    try:
        yield
    finally:
        postgres.stop_server()
        aws.stop_server()
        opensearch.stop()


def taken(kind: str, source: Path, one: Path, work: Path, *, workers: int = 0) -> Cost:
    """By a plain import, or queued and done by so many workers of one slot each."""
    home = work / f"{kind}-{uuid4().hex[:6]}"
    env = {**os.environ, "REDWELL_HOME": str(home), **SAME_CHILDREN, **home_up_to(kind)}
    try:
        little, _ = _run(one, "little", env, workers)
        much, documents = _run(source, "much", env, workers)
    finally:
        shutil.rmtree(home, ignore_errors=True)
    return Cost(
        much["own"] - little["own"],
        much["children"] - little["children"],
        {name: much[name] - little[name] for name in SERVERS.values()},
        much["wall"] - little["wall"],
        documents,
    )


def _run(source: Path, case: str, env: dict[str, str], workers: int) -> tuple[dict[str, float], int]:
    before = _server_cpu()
    if workers:
        command = ["import", str(source), "--case", case, "--queue"]
        _ended([_started(command, env, Path(env["REDWELL_HOME"]) / "queued")])
        ends = [Path(env["REDWELL_HOME"]) / f"cost{number}" for number in range(workers)]
        costs = _ended([_started(["worker", "--cluster", "--set", "slots=1"], env, end) for end in ends])
    else:
        costs = _ended([_started(["import", str(source), "--case", case], env, Path(env["REDWELL_HOME"]) / "cost")])
    told = {key: sum(cost[key] for cost in costs) for key in ("own", "children")}
    told |= {name: spent - before.get(name, 0) for name, spent in _server_cpu().items()}
    return {**told, "wall": max(cost["wall"] for cost in costs)}, _documents(case, env)


def _started(command: list[str], env: dict[str, str], end: Path) -> "tuple[subprocess.Popen[bytes], Path]":
    end.parent.mkdir(parents=True, exist_ok=True)
    program = [sys.executable, "-m", "benchmarks.command_cost", str(end), *command]
    return subprocess.Popen(program, env=env, cwd=REPO, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL), end


def _ended(running: "list[tuple[subprocess.Popen[bytes], Path]]") -> list[dict[str, float]]:
    below: dict[int, float] = {}  # of each process below these: children that are killed at the end are in no account
    while any(process.poll() is None for process, _ in running):
        for process, _ in running:
            below |= {pid: spent for pid, spent in _tree(process.pid).items() if pid != process.pid}
        time.sleep(SAMPLE_S)
    costs = [json.loads(end.read_text()) for _, end in running]
    assert all(cost["code"] == 0 for cost in costs)
    return [{**cost, "children": sum(below.values()) / len(costs)} for cost in costs]


def _documents(case: str, env: dict[str, str]) -> int:
    command = [sys.executable, "-m", "redwell.entrypoints.cli.main", "jobs", "--all", "--json"]
    run = subprocess.run(command, env=env, cwd=REPO, check=True, stdout=subprocess.PIPE, text=True)
    [job] = [job for job in map(json.loads, run.stdout.splitlines()) if job["case"] == case]
    assert job["state"] == "finished"
    return int(job["done"])


def _server_cpu() -> dict[str, float]:
    return {
        "PostgreSQL": _tree_cpu(postgres.server().pid),
        "AWS": _tree_cpu(aws.server().pid),
    }


def _tree_cpu(root: int) -> float:
    return sum(_tree(root).values()) + _stat_of_dead(root)


def _tree(root: int) -> dict[int, float]:
    """CPU seconds of a process and of those below it, by process."""
    rows = {pid: stat for pid in _pids() if (stat := _stat(pid))}
    found, below = {}, {root}
    while below:
        found |= {pid: rows[pid][1] for pid in below if pid in rows}
        below = {pid for pid, (parent, _) in rows.items() if parent in below}
    return found


def _pids() -> list[int]:
    return [int(entry) for entry in os.listdir("/proc") if entry.isdigit()]


def _stat(pid: int) -> tuple[int, float] | None:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return int(fields[1]), sum(map(int, fields[11:13])) / _TICKS  # parent; user and system


def _stat_of_dead(pid: int) -> float:
    """What those spent whom the process has waited for."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[13:15])) / _TICKS
