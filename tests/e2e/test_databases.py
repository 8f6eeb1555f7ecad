"""The same evidence gives the same documents wherever a case is kept, whatever happens on the way."""

import json
import os
import re
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from sqlalchemy import select
from tests.support import aws, postgres
from tests.support.case_homes import HOMES
from tests.support.product import kill_tree, normal_form, redwell, start, verified, wait_until_at_work
from tests.support.products import others_in_soak
from tests.support.proxy import Proxy

from redwell.adapters.sql.tables import derivation
from redwell.core.events.event import EventType, Filter
from redwell.core.events.joined import events_in
from redwell.core.exit_codes import ExitCode
from redwell.core.jobs.queue_names import failed_tasks
from redwell.core.work.task_messages import TaskMessage
from redwell.entrypoints.cli.main import main
from redwell.ports.messaging.queue import Queue, QueueSpec
from redwell.runtime.bootstrap.open_case import open_case
from redwell.runtime.bootstrap.services.open_services import open_services
from redwell.runtime.bootstrap.settings import load_settings

pytestmark = pytest.mark.xdist_group("databases")  # its imports are made once

CASE = "Smith v Jones"
SMALL = ("--set", "chunk=4", "--set", "message_documents=10", "--set", "index_documents=50")
PATIENCE_S = 300


@pytest.fixture(params=HOMES)
def env(request: pytest.FixtureRequest) -> dict[str, str]:
    return HOMES[request.param]()


@dataclass(frozen=True)
class Imported:
    home: Path
    env: dict[str, str]
    traffic: list[bytearray] = field(default_factory=list, repr=False)  # between workers and AWS


@pytest.fixture(scope="module")
def importing(evidence: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Imported]:
    return cache(lambda kind: _imported(kind, evidence, tmp_path_factory.mktemp("imported")))


@pytest.fixture(params=HOMES)
def imported(request: pytest.FixtureRequest, importing: Callable[[str], Imported]) -> Imported:
    """Made once of each kind, in whatever order the tests come."""
    return importing(request.param)


def _imported(kind: str, evidence: Path, home: Path) -> Imported:
    """A home with the evidence in one kind of place; on the servers of a cluster two workers did it."""
    made = Imported(home, HOMES[kind]())
    if kind == "aws":
        _by_two_workers(made, evidence)
    else:
        run = redwell(made.home, "import", str(evidence), "--case", CASE, "--json", faulty=True, **made.env)
        assert run.returncode == 0, run.stderr
        assert json.loads(run.stdout)["balanced"]
    return made


def _by_two_workers(made: Imported, evidence: Path) -> None:
    run = redwell(made.home, "import", str(evidence), "--case", CASE, "--queue", faulty=True, **made.env)
    assert run.returncode == 0, run.stderr
    _listen(made)
    with Proxy(aws.server().port) as proxy:
        env = {**made.env, **aws.server().environment(proxy.port)}
        workers = [start(made.home, "worker", "--cluster", *SMALL, faulty=True, **env) for _ in range(2)]
        for worker in workers:
            _, said = worker.communicate(timeout=PATIENCE_S)
            assert worker.returncode == 0, said
        made.traffic.extend(proxy.streams)


@pytest.mark.requirement("F2", "F3")
def test_the_same_documents_come_out_item_by_item(imported: Imported, expected: list[dict[str, Any]]) -> None:
    found = normal_form(imported.home, CASE, **imported.env)
    assert found == expected
    assert len(found) > 200
    verified(imported.home, CASE, **imported.env)


def _listen(made: Imported) -> None:
    prefix, facts = made.env["REDWELL_NAME_PREFIX"], {EventType.JOB_STARTED, EventType.JOB_FINISHED}
    with patch.dict(os.environ, made.env), open_services(made.home, load_settings()) as services:
        services.queue.create(QueueSpec(name=f"{prefix}_listener"))
        services.bus.subscribe(f"{prefix}_listener", Filter(event_types=frozenset(facts)))


@pytest.fixture
def by_messages(imported: Imported, monkeypatch: pytest.MonkeyPatch) -> Iterator[Queue]:
    """The queues that the workers had, seen from outside."""
    for key, value in imported.env.items():
        monkeypatch.setenv(key, value)
    with open_services(imported.home, load_settings()) as services:
        queue = services.queue
        yield queue


@pytest.mark.requirement("A5", "A2")
@pytest.mark.parametrize("imported", ["aws"], indirect=True)
def test_a2_every_content_that_was_a_task_came_to_a_worker_by_a_message_from_sqs(
    imported: Imported, by_messages: Queue
) -> None:
    """As the connections say. In the end no task queue is left, and a dead letter for each content given up."""
    said = b"".join(imported.traffic).replace(b"\\", b"")
    ranges = re.findall(rb'"Body": ?"\{[^{}]*"startPos":(\d+),"endPos":(\d+)', said)
    named = {key for start, end in ranges for key in range(int(start), int(end))}
    contents: set[int] = set()
    with open_case(imported.home, CASE, load_settings()) as case:
        with case.store.database.read() as tx:  # type: ignore[attr-defined]  # behind the port
            contents |= set(tx.execute(select(derivation.c.id).where(derivation.c.attempt > 0)).scalars())
        parked = [row.id for row in case.rows.parked()]
    assert contents
    assert contents <= named
    prefix = imported.env["REDWELL_NAME_PREFIX"]
    assert by_messages.names(f"{prefix}_nptasks") == []
    letters = [TaskMessage.from_json(each.body) for each in by_messages.peek(failed_tasks(prefix))]
    assert sorted(letter.start_pos for letter in letters) == parked


@pytest.mark.requirement("A18")
@pytest.mark.parametrize("imported", ["aws"], indirect=True)
def test_a18_who_listens_to_the_topic_hears_of_the_job(imported: Imported, by_messages: Queue) -> None:
    listener = f"{imported.env['REDWELL_NAME_PREFIX']}_listener"
    heard = [event for each in by_messages.receive(listener, 10, wait_s=5) for event in events_in(each.body)]
    assert {event.event_type for event in heard} == {EventType.JOB_STARTED, EventType.JOB_FINISHED}
    assert {(event.case_id, event.batch_id) for event in heard} == {(1, 1)}


def test_bytes_are_where_the_case_is_kept(imported: Imported) -> None:
    """With a bucket no blob stays on the machine."""
    [blobs] = imported.home.glob("cases/*/blobs")
    stored = [path for name in ("packs", "files", "cache") for path in (blobs / name).rglob("*") if path.is_file()]
    assert bool(stored) != ("REDWELL_BLOBS" in imported.env)


@pytest.mark.parametrize("env", others_in_soak(HOMES, "aws"), indirect=True)
def test_after_a_kill_and_a_resume_the_same_documents_come_out(
    env: dict[str, str], evidence: Path, expected: list[dict[str, Any]], tmp_path: Path
) -> None:
    point = {"REDWELL_TRIP": "record.before_commit"}
    run = redwell(tmp_path, "import", str(evidence), "--case", CASE, *SMALL, faulty=True, **env, **point)
    assert run.returncode == -signal.SIGKILL, run.stdout + run.stderr
    first = start(tmp_path, "resume", "--case", CASE, *SMALL, faulty=True, **env)
    wait_until_at_work(tmp_path, first)
    kill_tree(first)
    run = redwell(tmp_path, "resume", "--case", CASE, *SMALL, faulty=True, **env)
    assert run.returncode == 0, run.stdout + run.stderr
    assert normal_form(tmp_path, CASE, **env) == expected
    verified(tmp_path, CASE, **env)


def test_a_server_that_dies_stops_an_import_and_a_resume_finishes_it(
    evidence: Path, expected: list[dict[str, Any]], tmp_path: Path
) -> None:
    env = HOMES["postgres"]()
    running = start(tmp_path, "import", str(evidence), "--case", CASE, *SMALL, faulty=True, **env)
    wait_until_at_work(tmp_path, running)
    postgres.server().stop(signal.SIGQUIT)
    _, said = running.communicate(timeout=60)
    postgres.server().start()
    assert running.returncode == ExitCode.DATABASE_UNAVAILABLE, said
    assert "redwell: the PostgreSQL server cannot be reached, refuses or went away" in said
    assert f"Nothing is lost. Go on with: redwell resume --case '{CASE}' 1" in said
    assert "Traceback" not in said
    run = redwell(tmp_path, "resume", "--case", CASE, *SMALL, faulty=True, **env)
    assert run.returncode == 0, run.stdout + run.stderr
    assert normal_form(tmp_path, CASE, **env) == expected
    verified(tmp_path, CASE, **env)


def test_an_object_store_that_goes_away_stops_an_import_and_a_resume_finishes_it(
    evidence: Path, expected: list[dict[str, Any]], tmp_path: Path
) -> None:
    env = {**HOMES["aws"](), "REDWELL_QUEUE": "ledger", "REDWELL_BUS": "sql"}
    with Proxy(aws.server().port) as proxy:
        away = {**env, **aws.server().environment(proxy.port)}
        running = start(tmp_path, "import", str(evidence), "--case", CASE, *SMALL, faulty=True, **away)
        wait_until_at_work(tmp_path, running)
        proxy.refusing = True
        proxy.cut()
        _, said = running.communicate(timeout=120)
    assert running.returncode == ExitCode.SERVICE_UNAVAILABLE, said
    assert "the object store cannot be reached or fails" in said
    assert f"Nothing is lost. Go on with: redwell resume --case '{CASE}' 1" in said
    assert "Traceback" not in said
    run = redwell(tmp_path, "resume", "--case", CASE, *SMALL, faulty=True, **env)
    assert run.returncode == 0, run.stdout + run.stderr
    assert normal_form(tmp_path, CASE, **env) == expected
    verified(tmp_path, CASE, **env)


def test_verify_finds_an_object_that_is_missing_or_damaged(evidence: Path, tmp_path: Path) -> None:
    env = HOMES["aws"]()
    assert redwell(tmp_path, "import", str(evidence), "--case", CASE, faulty=True, **env).returncode == 0
    bucket = env["REDWELL_BLOBS"].split("/")[2]
    client = aws.client("s3")
    packs = [each["Key"] for each in client.list_objects_v2(Bucket=bucket)["Contents"] if "/packs/" in each["Key"]]
    body = client.get_object(Bucket=bucket, Key=packs[0])["Body"].read()
    client.put_object(Bucket=bucket, Key=packs[0], Body=body[:-1] + bytes([body[-1] ^ 1]))
    client.delete_object(Bucket=bucket, Key=packs[1])
    client.close()
    run = redwell(tmp_path, "verify", "--case", CASE, **env)
    assert run.returncode == ExitCode.UNBALANCED
    assert "do not match sha256" in run.stdout
    assert f"{packs[1].rpartition('/')[2]} is missing" in run.stdout


def test_the_doctor_says_where_new_cases_are_kept(
    env: dict[str, str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for key, value in env.items():
        monkeypatch.setenv(key, value)
    assert main(["doctor"]) == ExitCode.OK
    said = capsys.readouterr().out
    assert ("PostgreSQL 18" if "REDWELL_DATABASE" in env else "SQLite 3") in said
    assert (f"objects below {env['REDWELL_BLOBS']}" if "REDWELL_BLOBS" in env else "pack files") in said


def test_the_doctor_says_that_the_object_store_is_not_there(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for key, value in {**HOMES["aws"](), **aws.server().environment(port=1)}.items():
        monkeypatch.setenv(key, value)
    assert main(["doctor"]) == ExitCode.SERVICE_UNAVAILABLE
    assert "blobs: REFUSED: s3://" in capsys.readouterr().out


def test_the_doctor_says_that_the_database_is_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also in a home that knows cases, which are asked for their models."""
    monkeypatch.setenv("REDWELL_HOME", str(tmp_path))
    assert main(["import", __file__, "--case", CASE]) == ExitCode.OK
    capsys.readouterr()
    monkeypatch.setenv("REDWELL_DATABASE", "postgresql://redwell:hush@127.0.0.1:1/cases")
    assert main(["doctor"]) == ExitCode.DATABASE_UNAVAILABLE
    said = capsys.readouterr().out
    assert "database: REFUSED: the PostgreSQL server cannot be reached" in said
    assert "hush" not in said


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (["search", "--case", CASE, "coating"], "[[coating]]"),
        (["exceptions", "--case", CASE], "CRASHED"),
        (["report", "--case", CASE], "Processing report"),
        (["retry", "--case", CASE, "--outcome", "unsupported"], "before,"),
        (["gc", "--case", CASE], "removed "),  # two workers may each have stored what both found
        (["resume", "--case", CASE], "nothing to resume"),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_a_command_works_wherever_the_case_is_kept(
    command: list[str],
    words: str,
    imported: Imported,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for key, value in {"REDWELL_HOME": str(imported.home), **imported.env}.items():
        monkeypatch.setenv(key, value)
    assert main(command) == ExitCode.OK
    out, err = capsys.readouterr()
    assert words in out + err
