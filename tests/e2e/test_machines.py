"""Workers on other machines: they have the settings, a home of their own, and nothing of the first one's files.

The first machine keeps the case: it reads the sources and has the index. PostgreSQL, S3, SQS and SNS are real servers.
"""

import os
import signal
import time
from pathlib import Path
from typing import Any

import psycopg
import pytest
from tests.support import postgres
from tests.support.case_homes import HOMES
from tests.support.engine import said, until, until_it_says
from tests.support.evidence import protected_pdf
from tests.support.machines import QUEUES, Machines, stopped
from tests.support.product import Process, kill_tree, normal_form, redwell, verified
from tests.support.products import others_in_soak

from redwell.core.exit_codes import ExitCode
from redwell.runtime.bootstrap.open_case import open_case
from redwell.runtime.bootstrap.services.host_identity import machine_name
from redwell.runtime.upkeep.gc import Presence

pytestmark = pytest.mark.xdist_group("databases")
CASE = "Smith v Jones"


@pytest.fixture
def machines(request: pytest.FixtureRequest, evidence: Path, tmp_path: Path) -> Machines:
    made = Machines(tmp_path / "a", evidence, tmp_path / "b", {**HOMES["aws"](), **QUEUES[request.param]})
    run = redwell(made.home, "import", str(evidence), "--case", CASE, "--queue", faulty=True, **made.env)
    assert run.returncode == 0, run.stderr
    return made


@pytest.mark.requirement("F2")
@pytest.mark.parametrize("machines", others_in_soak(QUEUES, "sqs"), indirect=True)
def test_a_worker_elsewhere_does_its_part_and_the_same_documents_come_out(
    machines: Machines, expected: list[dict[str, Any]]
) -> None:
    with machines.worker(there=True) as other:
        until(lambda: "machine-b" in machines.workers())  # nothing is read yet: it waits
        with machines.worker(there=False) as own:
            until(lambda: machines.workers().get("machine-b", {}).get("documents", 0) > 0)
            shown = machines.workers()
            until(machines.finished)
            stopped(own)
        log = stopped(other)
    assert {host: row["state"] for host, row in shown.items()} == {machine_name(): "alive", "machine-b": "elsewhere"}
    assert "begins with batch 1" in log
    assert normal_form(machines.home, CASE, **machines.env) == expected
    verified(machines.home, CASE, **machines.env)
    assert said(machines.home, "search", "--case", CASE, "coating", **machines.env)[:-1]
    assert not list(machines.other.glob("cases/*/index/**/*"))
    assert not [path for path in machines.other.glob("cases/*/blobs/cache/**/*") if path.is_file()]


@pytest.mark.parametrize("machines", ["ledger"], indirect=True)
def test_rows_and_texts_can_be_read_elsewhere_and_the_rest_says_where_it_is_done(machines: Machines) -> None:
    with machines.worker(there=False) as own:
        until(machines.finished)
        stopped(own)
    run = redwell(
        machines.other, "documents", "--case", CASE, "--json", "--text", through=machines.through, **machines.env
    )
    assert run.returncode == 0, run.stderr
    here = redwell(machines.home, "documents", "--case", CASE, "--json", "--text", **machines.env)
    assert run.stdout == here.stdout
    for command in (
        ["search", "coating"],
        ["verify"],
        ["reindex"],
        ["gc"],
        ["resume"],
        ["cancel", "1"],
        ["import", __file__],
    ):
        run = redwell(machines.other, *command, "--case", CASE, through=machines.through, **machines.env)
        assert run.returncode == ExitCode.USAGE, command
        assert f"case {CASE!r} is kept on {machine_name()}" in run.stderr


@pytest.mark.parametrize("machines", others_in_soak(QUEUES, "ledger"), indirect=True)
def test_a_worker_elsewhere_that_is_killed_takes_nothing_with_it(
    machines: Machines, expected: list[dict[str, Any]]
) -> None:
    with machines.worker(there=True) as other:
        until(lambda: "machine-b" in machines.workers())
        with machines.worker(there=False) as own:
            until(lambda: machines.workers().get("machine-b", {}).get("documents", 0) > 0)
            kill_tree(other)
            until(machines.finished)
            stopped(own)
    assert normal_form(machines.home, CASE, **machines.env) == expected
    verified(machines.home, CASE, **machines.env)


def freeze_between_writes(process: Process) -> None:
    """In the middle of one it would hold the case's lock for a minute, until the server takes it away."""
    with psycopg.connect(postgres.server().url, autocommit=True) as server:
        while True:
            os.killpg(process.pid, signal.SIGSTOP)
            time.sleep(0.1)  # what it asked for before is done
            if server.execute("SELECT 1 FROM pg_locks WHERE locktype = 'advisory'").fetchone() is None:
                return
            os.killpg(process.pid, signal.SIGCONT)
            time.sleep(0.02)


@pytest.mark.parametrize("machines", ["ledger"], indirect=True)
def test_a_keeper_that_wakes_up_after_its_case_was_taken_over_steps_down_and_helps_on(machines: Machines) -> None:
    """Frozen in the middle of an import, as a machine that was cut off; the case is taken over, then it wakes up."""
    with machines.worker(there=False) as own:
        until(lambda: machines.workers().get(machine_name(), {}).get("documents", 0) > 0)
        freeze_between_writes(own)
        there: dict[str, Any] = {"through": machines.through, **machines.env}
        taken = redwell(machines.other, "reindex", "--here", "--case", CASE, **there)
        assert taken.returncode == 0, taken.stderr
        os.killpg(own.pid, signal.SIGCONT)
        until_it_says(own, f"case {CASE!r} is kept on machine-b now")
        refused = redwell(machines.home, "search", "--case", CASE, "coating", **machines.env)
        assert f"case {CASE!r} is kept on machine-b" in refused.stderr
        assert redwell(machines.other, "cancel", "--case", CASE, "1", **there).returncode == 0
        stopped(own)
    assert redwell(machines.other, "reindex", "--case", CASE, **there).returncode == 0
    checked = redwell(machines.other, "verify", "--case", CASE, **there)
    assert checked.returncode == 0, checked.stdout + checked.stderr


@pytest.mark.parametrize("machines", ["ledger"], indirect=True)
def test_a_worker_elsewhere_waits_for_a_gc_that_it_sees_and_not_for_one_that_is_dead(
    machines: Machines, monkeypatch: pytest.MonkeyPatch
) -> None:
    for key, value in machines.env.items():
        monkeypatch.setenv(key, value)
    with open_case(machines.home, CASE, machines.settings) as case:
        Presence(case).beat()  # and no more
    with machines.worker(there=True) as other:
        until_it_says(other, f"waits for `redwell gc` on {machine_name()}")
        until_it_says(other, "works with ")
        stopped(other)


@pytest.mark.parametrize("lacking", ["passwords", "sources"])
def test_what_another_machine_lacks_is_left_to_the_one_that_has_it(lacking: str, tmp_path: Path) -> None:
    """Even where it was told that all machines see the same files."""
    there, env = tmp_path / "there", {**HOMES["aws"](), **QUEUES["ledger"]}
    machines = Machines(tmp_path / "a", there, tmp_path / "b", env)
    there.mkdir()
    (there / "passwords.txt").write_text("open sesame\n")
    (there / "sealed.pdf").write_bytes(protected_pdf("the coating failed", "open sesame"))
    more = ("--passwords", str(there / "passwords.txt")) if lacking == "passwords" else ()
    run = redwell(machines.home, "import", str(there), "--case", CASE, "--queue", *more, faulty=True, **env)
    assert run.returncode == 0, run.stderr
    env["REDWELL_SHARED_SOURCES"] = "yes"
    with machines.worker(there=True) as other:
        until(lambda: bool(list(machines.other.glob("cases/*/case.json"))))
        if lacking == "sources":
            until(lambda: "machine-b" in machines.workers())
        with machines.worker(there=False) as own:
            until(machines.finished)
            stopped(own)
        log = stopped(other)
    assert "is left to other workers: " in log
    assert (
        str(there / "passwords.txt") if lacking == "passwords" else f"{there} is not here, or is another one"
    ) in log
    outcomes = {row["path"]: row["outcome"] for row in normal_form(machines.home, CASE, **env)}
    sealed = "SUCCESS" if lacking == "passwords" else "PASSWORD_PROTECTED"
    assert outcomes == {"passwords.txt": "SUCCESS", "sealed.pdf": sealed}
