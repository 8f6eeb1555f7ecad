"""Workers side by side on PostgreSQL, S3, SNS and SQS: the same documents as on one machine, whoever dies meanwhile."""

import json
import os
import random
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from tests.support import aws, postgres
from tests.support.case_homes import HOMES
from tests.support.product import kill_tree, normal_form, redwell, start, verified

from redwell.adapters.aws.sns import SnsBus
from redwell.adapters.aws.sqs import SqsQueue
from redwell.core.envelopes import Envelope, Filter
from redwell.core.events import EventType
from redwell.ports.queue import QueueSpec

pytestmark = pytest.mark.xdist_group("databases")
CASE = "cluster"
SMALL = ("--set", "chunk=4", "--set", "message_documents=10", "--set", "lease_s=5")
PATIENCE_S = 300


def worker(home: Path, env: dict[str, str], *args: str) -> "subprocess.Popen[str]":
    return start(home, "worker", *SMALL, *args, faulty=True, **env)


def queued(home: Path, evidence: Path, env: dict[str, str]) -> None:
    run = redwell(home, "import", str(evidence), "--case", CASE, "--queue", faulty=True, **env)
    assert run.returncode == 0, run.stderr


def ended(process: "subprocess.Popen[str]") -> None:
    _, said = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0, said


def test_two_workers_on_the_servers_of_a_cluster_give_the_documents_of_one_machine(
    evidence: Path, expected: list[dict[str, Any]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for key, value in aws.server().environment().items():
        monkeypatch.setenv(key, value)
    env = {**HOMES["postgres-s3"](), "REDWELL_BUS": "sns", "REDWELL_QUEUE": "sqs", "REDWELL_NAME_PREFIX": "cluster"}
    queues = SqsQueue()
    queues.create(QueueSpec(name="cluster_listener"))
    bus = SnsBus("cluster-events", queues)
    bus.subscribe("cluster_listener", Filter(event_types=frozenset({EventType.JOB_STARTED, EventType.JOB_FINISHED})))
    queued(tmp_path, evidence, env)
    for process in [worker(tmp_path, env, "--cluster") for _ in range(2)]:
        ended(process)
    assert normal_form(tmp_path, CASE, **env) == expected
    verified(tmp_path, CASE, **env)
    heard = [Envelope.from_json(each.body) for each in queues.receive("cluster_listener", 10, wait_s=5)]
    assert {event.event_type for event in heard} == {EventType.JOB_STARTED, EventType.JOB_FINISHED}
    assert {(event.case_id, event.batch_id) for event in heard} == {(1, 1)}
    bus.close()
    queues.close()


@pytest.mark.parametrize("seed", range(2))
def test_kills_freezes_and_a_restart_of_the_server_leave_the_clean_end_state(
    seed: int, evidence: Path, expected: list[dict[str, Any]], tmp_path: Path
) -> None:
    """Three workers; whoever is hit is replaced. No job is stuck at the end."""
    chance, env = random.Random(seed), HOMES["postgres-s3"]()
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
    for process in running:
        process.send_signal(signal.SIGTERM)
    for process in running:
        process.communicate(timeout=PATIENCE_S)
    ended(worker(tmp_path, env, "--cluster"))
    run = redwell(tmp_path, "jobs", "--all", "--json", **env)
    assert [json.loads(line)["state"] for line in run.stdout.splitlines()] == ["finished"]
    assert normal_form(tmp_path, CASE, **env) == expected
    verified(tmp_path, CASE, **env)
