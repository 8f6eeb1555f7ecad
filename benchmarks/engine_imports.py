"""Whole imports through the engine, as processes: used by benchmarks.engine."""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.run import REPO
from redwell.runtime.bootstrap.settings import Settings
from redwell.runtime.upkeep import status

PROGRAM = [sys.executable, "-m", "redwell.entrypoints.cli.main"]
ROUNDS = 3  # the middle one counts
POLL_S = 0.2


class Home:
    """A folder of data, and the `redwell` commands on it."""

    def __init__(self, folder: Path, **settings: str) -> None:
        self.folder = folder
        self._env = {**os.environ, "REDWELL_HOME": str(folder), **settings}

    def run(self, *args: str) -> str:
        run = subprocess.run([*PROGRAM, *args], env=self._env, cwd=REPO, check=True, stdout=subprocess.PIPE, text=True)
        return run.stdout

    @contextmanager
    def workers(self, count: int, *args: str) -> "Iterator[list[subprocess.Popen[bytes]]]":
        silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        command = [*PROGRAM, "worker", *args]
        running = [subprocess.Popen(command, env=self._env, cwd=REPO, **silent) for _ in range(count)]  # type: ignore[call-overload]
        try:
            yield running
        finally:
            for process in running:
                process.terminate()
                process.wait()

    def queue(self, source: Path, case: str) -> tuple[str, int]:
        said = json.loads(self.run("import", str(source), "--case", case, "--queue", "--json"))
        return case, said["job"]

    def jobs(self) -> dict[tuple[str, int], dict[str, Any]]:
        return {(job["case"], job["job"]): job for job in status.jobs(self.folder, Settings(), None, True)}

    def remove(self) -> None:
        shutil.rmtree(self.folder)


def took_s(job: dict[str, Any]) -> float:
    """From the moment that somebody began with it until its last document was searchable."""
    began, ended = (datetime.fromisoformat(job[key]) for key in ("started", "finished"))
    return (ended - began).total_seconds()


def plain_s(source: Path, folder: Path) -> float:
    """One `redwell import` by itself."""
    home = Home(folder)
    home.run("import", str(source), "--case", "bench")
    [job] = home.jobs().values()
    home.remove()
    return took_s(job)


def queued_s(source: Path, folder: Path, workers: int, **settings: str) -> float:
    """The same import, queued, by so many workers."""
    home = Home(folder, **settings)
    home.queue(source, "bench")
    with home.workers(workers, "--cluster") as running:
        assert [process.wait() for process in running] == [0] * workers
    [job] = home.jobs().values()
    home.remove()
    assert job["state"] == "finished"
    return took_s(job)


def overhead(source: Path, work: Path) -> dict[str, float]:
    """Plain and through the queue, one right after the other: the machine has other things to do, too."""
    pairs = [(plain_s(source, work / "plain"), queued_s(source, work / "queued", 1)) for _ in range(ROUNDS)]
    plain, queued = sorted(pairs, key=lambda pair: pair[1] / pair[0])[ROUNDS // 2]
    return {"plain_s": plain, "queued_s": queued, "overhead": queued / plain - 1}


def speed_up(source: Path, work: Path) -> dict[str, float]:
    one, two = (
        median(queued_s(source, work / f"home{count}", count, REDWELL_SLOTS="1") for _ in range(ROUNDS))
        for count in (1, 2)
    )
    return {"one_s": one, "two_s": two, "speed_up": one / two}


def behind(large: Path, small: Path, folder: Path, case: str) -> dict[str, Any]:
    """A few files queued behind many, in their case or another: how far the many were when the few were done."""
    home = Home(folder)
    many = home.queue(large, "many")
    with home.workers(1):
        while not home.jobs()[many]["done"]:
            time.sleep(POLL_S)
        few, asked = home.queue(small, case), time.monotonic()
        while not home.jobs()[few]["finished"]:
            time.sleep(POLL_S)
        waited_s, then = time.monotonic() - asked, home.jobs()[many]
    home.remove()
    return {
        "where": "the same case" if case == "many" else "another case",
        "waited_s": waited_s,
        "done": then["done"],
        "running": then["finished"] is None,
    }
