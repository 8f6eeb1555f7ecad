"""Drives the real `redwell` command as a user would, and brings what it says into a comparable form."""

import hashlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any
from unittest.mock import patch

from tests.support import warm

from redwell.entrypoints.cli.main import main

Process = warm.Started | subprocess.Popen[str]  # of a command; what tests ask of it both have
REPO = Path(__file__).resolve().parents[2]
FAULTY = REPO / "tests" / "support" / "faulty"
MAKERS = REPO / "tests" / "support" / "makers"


def environment(home: Path, *, faulty: bool = False, makers: bool = False, **extra: str) -> dict[str, str]:
    env = {key: value for key, value in os.environ.items() if not key.startswith("REDWELL_")}
    env["REDWELL_HOME"] = str(home)
    if not makers:  # recognition has tests of its own, and would take most of the time of all others
        env["REDWELL_OCR"] = "none"
    env["PYTHONPATH"] = os.pathsep.join([*([str(FAULTY)] if faulty else []), *([str(MAKERS)] if makers else [])])
    return {**env, **extra}


def command(*args: str) -> list[str]:
    return [sys.executable, "-m", "redwell.entrypoints.cli.main", *args]


def redwell(
    home: Path, *args: str, timeout: float = 120, through: Sequence[str] = (), **env: Any
) -> subprocess.CompletedProcess[str]:
    """Run to the end in a session of its own, so that a trip point kills it and not the tests."""
    process = start(home, *args, through=through, **env)
    try:
        out, err = process.communicate(timeout=timeout)
    except BaseException:
        process.kill()
        process.communicate()
        raise
    assert process.returncode is not None
    return subprocess.CompletedProcess(args, process.returncode, out, err)


def ask(home: Path, *args: str, **env: Any) -> subprocess.CompletedProcess[str]:
    """The same for a command that only asks, in this process: to start another one takes longer than the answer."""
    out, err = StringIO(), StringIO()
    with patch.dict(os.environ, environment(home, **env), clear=True), redirect_stdout(out), redirect_stderr(err):
        code = main(args)
    return subprocess.CompletedProcess(args, code, out.getvalue(), err.getvalue())


def start(home: Path, *args: str, through: Sequence[str] = (), **env: Any) -> Process:
    """`through` is a program that goes on as the command."""
    there = environment(home, **env)
    if not through and warm.can_start(there):
        return warm.start(args, there)
    return subprocess.Popen(
        [*through, *command(*args)],
        env=there,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def wait_until_at_work(home: Path, process: Process) -> None:
    """Until the run has a child of its own, or is over already."""
    while process.poll() is None and not list(home.glob("cases/*/scratch/*/*")):
        time.sleep(0.01)


def kill_tree(process: Process) -> None:
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()


def documents(home: Path, case: str, **env: str) -> list[dict[str, Any]]:
    run = ask(home, "documents", "--case", case, "--json", "--text", **env)
    assert run.returncode == 0, run.stderr
    rows = [json.loads(line) for line in run.stdout.splitlines()]
    return [row for row in rows if "unfinished" not in row]  # what is said of a case that is still being worked on


def normal_form(home: Path, case: str, **env: str) -> list[dict[str, Any]]:
    """Every exhibit without the ids that may differ between two runs of the same evidence. Numbers do not."""
    rows = documents(home, case, **env)
    paths = {row["id"]: row["path"] for row in rows}
    assert len({row["control_number"] for row in rows}) == len(rows), "each has a number of its own"
    for row in rows:
        for reference in ("parent", "root", "family", "duplicate_of"):
            row[reference] = paths.get(row[reference])
        row["thread"] = row["thread"] is not None
        row["text"] = hashlib.sha256(row["text"].encode()).hexdigest()
        for identity in ("id", "uid", "document"):
            del row[identity]
    return sorted(rows, key=lambda row: (row["path"], row["ordinal"]))


def verified(home: Path, case: str, **env: str) -> None:
    run = ask(home, "verify", "--case", case, **env)
    assert run.returncode == 0, run.stdout + run.stderr


def trip_points() -> list[str]:
    """Every trip point in the source, so that a new one can't be forgotten."""
    sources = (REPO / "src").rglob("*.py")
    return sorted({name for source in sources for name in re.findall(r"\btrip\(\"([a-z_.]+)\"\)", source.read_text())})
