"""Imports under fire: killed, stopped and let go on, and resumed at once. Used by benchmarks.soak."""

import contextlib
import os
import signal
import subprocess
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from random import Random

from tests.support.product import command, kill_tree, start

from benchmarks.soak_checks import Tally
from redwell.processing.children.processes import descendants

SETTINGS = {
    "chunk": 20,
    "message_documents": 10,
    "index_documents": 100,
    "small_wall_s": 8,
    "large_wall_s": 8,
    "small_rss_mb": 400,
    "large_rss_mb": 500,
}
OPTIONS = [part for key, value in SETTINGS.items() for part in ("--set", f"{key}={value}")]
BYSTANDERS = (("gc",), ("search", "valve* OR coating"), ("documents", "--json", "--text"), ("exceptions", "--csv"))
HANG_S = 300
MAX_KILLS = 8  # ten workers that die in a row on one document are its fault, says the ledger
LONGEST_LIFE_S = 2.5
LONGEST_STOP_S = 0.8
WATCH_S = 0.05


@dataclass(frozen=True, slots=True)
class Job:
    case: str
    evidence: Path

    @property
    def source(self) -> list[str]:
        return [str(self.evidence), "--custodian", self.evidence.name, *OPTIONS]


Process = subprocess.Popen[str]


class Disturbance:
    def __init__(self, home: Path, chance: Random, tally: Tally) -> None:
        self._home, self._chance, self._tally = home, chance, tally

    def run(self, jobs: list[Job]) -> None:
        """Every job is finished when this returns, or a failure says what is not."""
        running = {job: self._start("import", job) for job in jobs}
        bystanders: list[Process] = []
        for _ in range(self._chance.randint(3, MAX_KILLS)):
            if self._tally.this_round["resumes"] == 0 or self._chance.random() < 0.7:
                for process in running.values():
                    wait_for_children(process)
            bystanders.append(self._bystander(self._chance.choice(jobs)))
            self._harass(list(running.values()), self._chance.random() * LONGEST_LIFE_S)
            for job in self._victims(jobs):
                self._kill(running[job])
                running[job] = self._start("resume", job)
        for process in (*running.values(), *bystanders):
            self._finish(process)
        for job in jobs:
            self._finish(self._start("resume", job))

    def _start(self, verb: str, job: Job) -> Process:
        source = job.source if verb == "import" else OPTIONS
        process = start(self._home, verb, *source, "--case", job.case, faulty=True)
        self._tally.count("imports" if verb == "import" else "resumes")
        threading.Thread(target=watch_memory, args=(process, self._tally), daemon=True).start()
        return process

    def _bystander(self, job: Job) -> Process:
        """Somebody else at the same case; `gc` must not take what the import has just written."""
        self._tally.count("bystanders")
        return start(self._home, *self._chance.choice(BYSTANDERS), "--case", job.case, faulty=True)

    def _victims(self, jobs: list[Job]) -> list[Job]:
        return jobs if self._chance.random() < 0.5 else [self._chance.choice(jobs)]

    def _harass(self, processes: list[Process], seconds: float) -> None:
        """Stop one process after another for a while; what is still stopped when time is up stays so."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            time.sleep(min(self._chance.random() * 0.3, max(0, deadline - time.monotonic())))
            process = self._chance.choice(processes)
            pid = self._chance.choice([process.pid, *descendants(process.pid)])
            if process.poll() is None and signalled(pid, signal.SIGSTOP):
                self._tally.count("stops")
                time.sleep(self._chance.random() * LONGEST_STOP_S)
                if time.monotonic() < deadline or self._chance.random() < 0.5:
                    signalled(pid, signal.SIGCONT)
                else:
                    threading.Timer(LONGEST_STOP_S, signalled, (pid, signal.SIGCONT)).start()

    def _kill(self, process: Process) -> None:
        """The importing process, and half of the time its children at the same moment; they die with it anyway."""
        if process.poll() is None:
            self._tally.count("kills")
        below = descendants(process.pid) if self._chance.random() < 0.5 else []
        for pid in below:
            signalled(pid, signal.SIGKILL)
        with contextlib.suppress(ProcessLookupError):
            kill_tree(process)

    def _finish(self, process: Process) -> None:
        try:
            out, err = process.communicate(timeout=HANG_S)
        except subprocess.TimeoutExpired:
            self._tally.fail(f"{verb_of(process)} was not over after {HANG_S} s")
            kill_tree(process)
            return
        if process.returncode:
            self._tally.fail(f"{verb_of(process)} ended with {process.returncode}: {(out + err)[-2_000:]}")


def verb_of(process: Process) -> str:
    return str(list(process.args)[len(command())])  # type: ignore[arg-type]


def signalled(pid: int, number: signal.Signals) -> bool:
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return False
    return True


def wait_for_children(process: Process) -> None:
    """Until it has begun to parse, or is over. Its batch is promised then, so that a resume finds it."""
    while process.poll() is None and not descendants(process.pid):
        time.sleep(0.01)


def watch_memory(process: Process, tally: Tally) -> None:
    """The parent's own peak, without its children: the kernel keeps it, we look as long as it lives."""
    status = Path(f"/proc/{process.pid}/status")
    while process.poll() is None:
        with contextlib.suppress(OSError, StopIteration):
            line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
            tally.parent_mb(int(line.split()[1]) / 1024)
        time.sleep(WATCH_S)
