"""No process outlives its document, its child or its parent."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.support import children
from tests.support.children import (
    AFTER,
    BEFORE,
    HASTY,
    ROOT,
    between,
    config,
    elsewhere,
    plan,
    processes_of,
    write_tasks,
)

from redwell.core.work.lanes import Lane
from redwell.core.work.profiles import Rights
from redwell.processing.children.limits import LaneLimits
from redwell.processing.children.pool import Pool
from redwell.processing.results import Finished

STARTS_PROGRAMS = Rights(processes=True)


@pytest.mark.parametrize("fault", ["start_daemon", "start_daemon_and_segfault", "start_daemon_and_hang"])
def test_a_daemon_in_a_session_of_its_own_does_not_outlive_its_document(folder: Path, fault: str) -> None:
    """The `folder` fixture sees that nothing is left; here, that it goes even while the child works on."""
    marker = f"marker-{os.getpid()}-{fault}"
    with Pool(config(folder, rights=STARTS_PROGRAMS, small=HASTY), 1) as pool:
        pool.submit(write_tasks(folder, [f"FAULT {fault} {marker}"]), Lane.SMALL)
        while not (events := pool.wait(5)):
            pass
        assert (
            getattr(events[0], "outcome", "finished")
            == {
                "start_daemon": "finished",
                "start_daemon_and_segfault": "CRASHED",
                "start_daemon_and_hang": "TIMED_OUT",
            }[fault]
        )
        pool.submit(write_tasks(folder, [AFTER]), Lane.SMALL)
        while not any(isinstance(event, Finished) for event in pool.wait(5)):
            pass
        _until(lambda: not [pid for pid in processes_of(folder) if marker.encode() in _command_line(pid)])


def _command_line(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def test_a_daemon_dies_with_its_child_where_there_are_no_namespaces(folder: Path) -> None:
    tasks = write_tasks(folder, [BEFORE, "FAULT start_daemon_and_hang x", "FAULT start_daemon_and_segfault x", AFTER])
    found = elsewhere(plan(folder, tasks, ["unshare"], hasty=True, rights={"processes": True}))
    assert found["layers"]["namespaces"].startswith("the kernel refused")
    assert [found["ends"][str(n)]["outcome"] for n in range(4)] == ["SUCCESS", "TIMED_OUT", "CRASHED", "SUCCESS"]
    assert found["ends"]["2"]["detail"] == "killed by SIGSEGV"


def test_processes_without_end_are_stopped(folder: Path) -> None:
    small = LaneLimits(wall_s=60, rss_mb=100_000)
    end = between(folder, "start_processes_without_end", rights=STARTS_PROGRAMS, small=small).ends[1]
    assert (end.outcome, end.detail) == ("CRASHED", "over 64 processes")


def test_killing_the_parent_takes_its_children_along(folder: Path) -> None:
    """Even one that hangs in native code; the next pool on that folder removes what was left."""
    tasks = write_tasks(folder, ["FAULT hang_after_a_file"])
    command = [sys.executable, "-m", "tests.support.children"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, cwd=ROOT) as parent:
        parent.stdin.write(plan(folder, tasks))
        parent.stdin.close()
        _until(lambda: list(folder.glob("scratch/*/*/begun")))
        assert len(processes_of(folder)) >= 3
        parent.send_signal(signal.SIGKILL)
    _until(lambda: processes_of(folder) == [])
    assert list((folder / "scratch").iterdir())
    assert children.run(write_tasks(folder, [AFTER]), config(folder)).ends[0].text == "after"


def _until(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)
