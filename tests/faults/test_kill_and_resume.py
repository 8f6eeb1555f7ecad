"""SIGKILL anywhere, then `resume`: the end state equals that of a clean run, item by item."""

import os
import random
import shutil
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from tests.support.evidence import make_evidence
from tests.support.product import ask, kill_tree, normal_form, redwell, start, trip_points, verified, wait_until_at_work
from tests.support.products import others_in_soak

CASE = "kill"
ELSEWHERE = (
    *("acquire.", "arrive.", "understand.", "produce.", "production."),  # of sources, understanding and productions
    "read.volume.",  # of load files
    *("overlay.", "transfer.", "uploader.", "tags."),
    "cancel.",
    "service.",
    "settle.",
    "upgrade.",
    "want.",
    "pages.",
    "statuses.",
    "loader.before_redrive",
)  # of other commands, cases, evidence
BY_MESSAGE = {
    "loader.before_open",
    "loader.before_cleared",
    "loader.before_taken",
    "claim_sent.after_commit",
    "relay.after_send",
    "deliver.before_acknowledge",
}
SMALL = ("--set", "chunk=4", "--set", "message_documents=10", "--set", "index_documents=50")


@pytest.fixture(scope="session")
def evidence(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_evidence(tmp_path_factory.mktemp("evidence") / "in")


@pytest.fixture(scope="session")
def clean(evidence: Path, tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    home = tmp_path_factory.mktemp("clean")
    run = redwell(home, "import", str(evidence), "--case", CASE, *SMALL, faulty=True)
    assert run.returncode == 0, run.stderr
    verified(home, CASE)
    return normal_form(home, CASE)


def finish(home: Path, *more: str) -> None:
    run = redwell(home, "resume", "--case", CASE, *SMALL, *more, faulty=True)
    assert run.returncode == 0, run.stdout + run.stderr


def assert_like(home: Path, clean: list[dict[str, Any]]) -> None:
    assert normal_form(home, CASE) == clean
    verified(home, CASE)


@pytest.mark.requirement("D6")
@pytest.mark.parametrize("point", [point for point in trip_points() if not point.startswith(ELSEWHERE)])
def test_a_kill_at_every_trip_point_and_a_resume_give_the_clean_end_state(
    point: str, evidence: Path, clean: list[dict[str, Any]], tmp_path: Path
) -> None:
    args = (*SMALL, "--set", "queue=sql") if point in BY_MESSAGE else SMALL
    run = redwell(tmp_path, "import", str(evidence), "--case", CASE, *args, faulty=True, REDWELL_TRIP=point)
    assert run.returncode == -signal.SIGKILL, f"{point} was not reached: {run.stdout}{run.stderr}"
    finish(tmp_path, *args)
    assert_like(tmp_path, clean)


def test_a_kill_while_left_over_copies_are_settled_and_a_resume_give_the_clean_end_state(tmp_path: Path) -> None:
    """More copies than a step settles, all of them read while a child is busy with the one content that they have."""
    evidence = tmp_path / "in"
    evidence.mkdir()
    for number in range(1_200):
        (evidence / f"{number:04d}.txt").write_bytes(b"FAULT slow 3\n")
    args = ("import", str(evidence), "--case", CASE)
    run = redwell(tmp_path / "clean", *args, faulty=True)
    assert run.returncode == 0, run.stderr
    run = redwell(tmp_path / "killed", *args, faulty=True, REDWELL_TRIP="settle.before_commit")
    assert run.returncode == -signal.SIGKILL, f"it was not reached: {run.stdout}{run.stderr}"
    finish(tmp_path / "killed")
    assert_like(tmp_path / "killed", normal_form(tmp_path / "clean", CASE))


@pytest.mark.requirement("D6")
@pytest.mark.parametrize("seed", others_in_soak(range(4), 0))
def test_kills_at_random_moments_and_resumes_give_the_clean_end_state(
    seed: int, evidence: Path, clean: list[dict[str, Any]], tmp_path: Path
) -> None:
    moments = random.Random(seed)
    first = start(tmp_path, "import", str(evidence), "--case", CASE, *SMALL, faulty=True)
    wait_until_at_work(tmp_path, first)
    time.sleep(moments.random())
    kill_tree(first)
    for _ in range(3):
        again = start(tmp_path, "resume", "--case", CASE, *SMALL, faulty=True)
        wait_until_at_work(tmp_path, again)
        time.sleep(moments.random() / 2)
        kill_tree(again)
    finish(tmp_path)
    assert_like(tmp_path, clean)


@pytest.mark.requirement("D6")
def test_a_power_cut_leaves_a_home_that_a_copy_can_go_on_with(
    evidence: Path, clean: list[dict[str, Any]], tmp_path: Path
) -> None:
    home, copy = tmp_path / "home", tmp_path / "copy"
    running = start(home, "import", str(evidence), "--case", CASE, *SMALL, faulty=True)
    wait_until_at_work(home, running)
    time.sleep(0.5)
    os.killpg(running.pid, signal.SIGSTOP)
    try:
        shutil.copytree(home, copy)
    finally:
        os.killpg(running.pid, signal.SIGCONT)
        kill_tree(running)
    finish(copy)
    assert_like(copy, clean)


@pytest.fixture(scope="session")
def fsync_shadow(tmp_path_factory: pytest.TempPathFactory) -> Path:
    library = tmp_path_factory.mktemp("shadow") / "fsync_shadow.so"
    source = Path(__file__).parent / "fsync_shadow.c"
    subprocess.run(["gcc", "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], check=True)
    return library


@pytest.mark.parametrize("moment_s", others_in_soak([0.1, 0.4, 0.8], 0.4))
def test_dropping_every_byte_written_since_its_last_fsync_loses_nothing_that_was_counted(
    moment_s: float, evidence: Path, clean: list[dict[str, Any]], tmp_path: Path, fsync_shadow: Path
) -> None:
    home, durable, inodes = tmp_path / "home", tmp_path / "durable", tmp_path / "inodes"
    for folder in (home, durable, inodes):
        folder.mkdir()
    shadowing = {
        "LD_PRELOAD": str(fsync_shadow),
        "SHADOW_FROM": str(home),
        "SHADOW_TO": str(durable),
        "SHADOW_INODES": str(inodes),
    }
    running = start(home, "import", str(evidence), "--case", CASE, *SMALL, faulty=True, **shadowing)
    wait_until_at_work(home, running)
    time.sleep(moment_s)
    kill_tree(running)
    registered = ask(durable, "report", "--case", CASE).returncode == 0
    if registered:
        finish(durable)
    else:  # the cut came before the batch was promised to anybody
        run = redwell(durable, "import", str(evidence), "--case", CASE, *SMALL, faulty=True)
        assert run.returncode == 0, run.stderr
    assert_like(durable, clean)
