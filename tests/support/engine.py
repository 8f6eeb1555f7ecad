"""Jobs and workers of a home, driven and looked at as the tests of the engine need it."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.support.evidence import mail
from tests.support.product import Process, ask, kill_tree, start

from redwell.runtime.bootstrap.settings import Settings
from redwell.runtime.upkeep import status

SMALL = ("--set", "message_documents=10", "--set", "chunk=10")
PATIENCE_S = 120  # of a test that would hang; none of them waits so long


def folder_of(path: Path, files: int, word: str) -> Path:
    path.mkdir(parents=True)
    for number in range(files):
        (path / f"{number:05d}.eml").write_bytes(mail(f"{word} {number}", f"{word} number {number}"))
    return path


def said(home: Path, *args: str, **env: str) -> list[dict[str, Any]]:
    run = ask(home, *args, "--json", **env)
    assert run.returncode == 0, run.stderr
    return [json.loads(line) for line in run.stdout.splitlines()]


def queued(home: Path, source: Path, case: str, *more: str, **env: str) -> dict[str, Any]:
    [said_of_it] = said(home, "import", str(source), "--case", case, "--queue", *more, **env)
    return said_of_it


def until(met: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not met():
        assert time.monotonic() < deadline, "it never came to pass"
        time.sleep(0.15)  # to ask takes as long, and whoever is asked about works meanwhile


def until_it_says(process: Process, words: str) -> None:
    """Reads its log up to a line with these words. Without patience left it is killed: a line may never come."""
    assert process.stderr is not None
    impatience = threading.Timer(PATIENCE_S, kill_tree, [process])
    impatience.start()
    try:
        assert any(words in line for line in process.stderr), "it never said so"
    finally:
        impatience.cancel()


@contextmanager
def worker(home: Path, *args: str, faulty: bool = False, **env: str) -> Iterator[Process]:
    process = start(home, "worker", *SMALL, *args, faulty=faulty, **env)
    try:
        yield process
    finally:
        if process.poll() is None:
            kill_tree(process)
        process.communicate()


def jobs(home: Path) -> list[dict[str, Any]]:
    """What `redwell jobs --all` says, without the time that a command takes to start."""
    return status.jobs(home, Settings(), None, True)


def done(home: Path, case: str) -> int:
    return sum(job["done"] for job in jobs(home) if job["case"] == case)
