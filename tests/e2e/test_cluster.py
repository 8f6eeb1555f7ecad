"""Workers side by side on PostgreSQL, S3, SNS and SQS: the same documents as on one machine, whoever dies meanwhile."""

import json
import os
import random
import signal
import time
from pathlib import Path
from typing import Any

import pytest
from tests.support import postgres
from tests.support.case_homes import HOMES
from tests.support.product import Process, ask, kill_tree, normal_form, redwell, start, verified
from tests.support.products import others_in_soak

pytestmark = pytest.mark.xdist_group("databases")
CASE = "cluster"
SMALL = ("--set", "chunk=4", "--set", "message_documents=10", "--set", "lease_s=5")
PATIENCE_S = 300


def worker(home: Path, env: dict[str, str], *args: str) -> Process:
    return start(home, "worker", *SMALL, "--metrics-port", "0", *args, faulty=True, **env)


def queued(home: Path, evidence: Path, env: dict[str, str]) -> None:
    run = redwell(home, "import", str(evidence), "--case", CASE, "--queue", faulty=True, **env)
    assert run.returncode == 0, run.stderr


def ended(process: Process) -> None:
    _, said = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0, said


@pytest.mark.parametrize("seed", others_in_soak(range(2), 0))
def test_kills_freezes_and_a_restart_of_the_server_leave_the_clean_end_state(
    seed: int, evidence: Path, expected: list[dict[str, Any]], tmp_path: Path
) -> None:
    """Three workers; whoever is killed is replaced, the others live through it. No job is stuck at the end."""
    chance, env = random.Random(seed), HOMES["aws"]()
    queued(tmp_path, evidence, env)
    running = [worker(tmp_path, env) for _ in range(3)]
    for disturbance in ("kill", "freeze", "restart", "kill", "freeze", "kill"):
        time.sleep(chance.uniform(0.5, 2.0))
        victim = chance.randrange(3)
        if disturbance == "kill":
            kill_tree(running[victim])
            running[victim] = worker(tmp_path, env)
        elif disturbance == "freeze":
            os.kill(running[victim].pid, signal.SIGSTOP)
            time.sleep(chance.uniform(0.5, 1.0))
            os.kill(running[victim].pid, signal.SIGCONT)
        else:
            postgres.server().stop(signal.SIGQUIT)
            postgres.server().start()
    assert [process.poll() for process in running] == [None] * 3, "one did not live through the restart"
    for process in running:
        process.send_signal(signal.SIGTERM)
    for process in running:
        _, said = process.communicate(timeout=PATIENCE_S)
        assert process.returncode in (0, -signal.SIGTERM), said  # the signal itself: it came before the program did
    ended(worker(tmp_path, env, "--cluster"))
    run = ask(tmp_path, "jobs", "--all", "--json", **env)
    assert [json.loads(line)["state"] for line in run.stdout.splitlines()] == ["finished"]
    assert normal_form(tmp_path, CASE, **env) == expected
    verified(tmp_path, CASE, **env)
