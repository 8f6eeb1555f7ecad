"""What Redwell tells others while it works: the webhook, events, log lines and metrics, as they come out of it."""

import base64
import hashlib
import hmac
import json
import urllib.request
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
from tests.support.engine import until, worker
from tests.support.evidence import KILLER, mail
from tests.support.http_server import LocalServer, Quiet
from tests.support.product import ask, kill_tree, redwell, start

from redwell.adapters.prometheus.page import PrometheusPage
from redwell.core.events.event import EVENT_FIELDS, VERSION, Event, EventType, Filter
from redwell.core.events.joined import events_in
from redwell.core.events.webhooks import BODY_FIELDS
from redwell.core.exit_codes import ExitCode
from redwell.entrypoints.cli.main import main
from redwell.ports.messaging.queue import QueueSpec
from redwell.runtime.bootstrap.open_case import open_case
from redwell.runtime.bootstrap.services.open_services import open_services
from redwell.runtime.bootstrap.settings import Settings

SECRET = "hush"
ALL = ["queued", "processing", "extractor_complete", "complete"]


class Endpoint(LocalServer):
    """A real HTTP server that answers as it is told and keeps what it was told."""

    def __init__(self) -> None:
        self.answers: list[int] = []  # to the next requests; then 200
        self.heard: list[tuple[str, dict[str, str], dict[str, Any]]] = []
        endpoint = self

        class Handler(Quiet, BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.0"

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                answer = endpoint.answers.pop(0) if endpoint.answers else 200
                headers = {name.lower(): value for name, value in self.headers.items()}
                endpoint.heard.append((self.path, headers, {**body, "answer": answer}))
                self.send_response(answer)
                if 300 <= answer < 400:
                    self.send_header("Location", "/elsewhere")
                self.end_headers()

        super().__init__(Handler)

    @property
    def env(self) -> dict[str, str]:
        return self.below("")

    def below(self, path: str) -> dict[str, str]:
        """Told at this path of it."""
        return {"REDWELL_WEBHOOK": self.url + path, "REDWELL_WEBHOOK_SECRET": SECRET, "REDWELL_WEBHOOK_WAIT_S": "0"}

    def statuses(self, answer: int = 200) -> list[str]:
        return [body["status"] for _, _, body in self.heard if body["answer"] == answer]


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with Endpoint() as made:
        yield made


@pytest.fixture
def letter(tmp_path: Path) -> Path:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a.eml").write_bytes(mail("a", "first", {"b.txt": b"inside"}))
    return folder


@pytest.fixture
def source(letter: Path) -> Path:
    (letter / "killer.bin").write_bytes(KILLER)
    return letter


def imported(home: Path, source: Path, **env: str) -> str:
    run = redwell(home, "import", str(source), "--case", "case", faulty=True, **env)
    assert run.returncode == 0, run.stderr
    return run.stderr


@pytest.mark.requirement("A14", "D11")
def test_a14_the_endpoint_is_told_each_status_in_order_and_signed(
    endpoint: Endpoint, source: Path, tmp_path: Path
) -> None:
    """A base path is part of what is signed, and one bad document is no failure of its batch."""
    imported(tmp_path / "home", source, **endpoint.below("/api/{case}/batches/{batch}"))
    assert endpoint.statuses() == ALL
    for path, headers, body in endpoint.heard:
        assert path == "/api/1/batches/1"
        message = "\n".join(["POST", path, headers["api-date"]]).encode()
        expected = base64.b64encode(hmac.new(SECRET.encode(), message, hashlib.sha256).digest()).decode()
        assert headers["api-authorization"] == expected
        assert set(body) - {"answer"} == set(BODY_FIELDS)
        assert set(body["event"]) == set(EVENT_FIELDS)
    assert endpoint.heard[-1][2]["event"]["eventDetail"]["outcomes"] == {"SUCCESS": 2, "CRASHED": 1}


@pytest.mark.requirement("A14")
@pytest.mark.parametrize("command", ["import", "worker"])
def test_a14_a_webhook_without_a_secret_is_refused_at_the_start(command: str, letter: Path, tmp_path: Path) -> None:
    arguments = ["import", str(letter), "--case", "case"] if command == "import" else ["worker", "--cluster"]
    run = redwell(tmp_path / "home", *arguments, REDWELL_WEBHOOK="http://127.0.0.1:1")
    assert run.returncode == ExitCode.USAGE
    assert run.stderr.startswith("redwell: a webhook needs webhook_secret")
    assert not (tmp_path / "home").exists()


@pytest.mark.requirement("A14")
def test_a14_sha1_signs_for_old_endpoints(endpoint: Endpoint, letter: Path, tmp_path: Path) -> None:
    imported(tmp_path / "home", letter, REDWELL_WEBHOOK_DIGEST="sha1", **endpoint.env)
    path, headers, _ = endpoint.heard[0]
    message = "\n".join(["POST", path, headers["api-date"]]).encode()
    expected = base64.b64encode(hmac.new(SECRET.encode(), message, hashlib.sha1).digest()).decode()
    assert headers["api-authorization"] == expected


@pytest.mark.requirement("A14")
def test_a14_an_endpoint_that_is_away_is_told_again(endpoint: Endpoint, letter: Path, tmp_path: Path) -> None:
    endpoint.answers = [503, 500]
    imported(tmp_path / "home", letter, **{**endpoint.env, "REDWELL_WEBHOOK_WAIT_S": "60"})
    assert endpoint.statuses(503) + endpoint.statuses(500) == ["queued", "queued"]
    assert endpoint.statuses() == ["queued", "processing", "extractor_complete", "complete"]


@pytest.mark.requirement("A14")
def test_a14_what_the_endpoint_refuses_is_parked_and_the_next_is_told(
    endpoint: Endpoint, letter: Path, tmp_path: Path
) -> None:
    """A redirect is not followed: somebody else would hear of the case."""
    endpoint.answers = [400, 302]
    home = tmp_path / "home"
    imported(home, letter, **endpoint.env)
    assert (endpoint.statuses(400), endpoint.statuses(302)) == (["queued"], ["processing"])
    assert endpoint.statuses() == ["extractor_complete", "complete"]
    assert {path for path, _, _ in endpoint.heard} == {"/batches/update/1"}
    refused = [(row["type"], row["detail"]) for row in parked(home)]
    assert refused == [
        ("JOB_QUEUED", "the endpoint answered 400"),
        ("WORKER_STARTED", "the endpoint answered 302"),
    ]


def parked(home: Path, *more: str, **env: str) -> list[dict[str, Any]]:
    run = ask(home, "parked", "list", "--posts", "--case", "case", "--json", *more, **env)
    assert run.returncode == 0, run.stderr
    return [json.loads(line) for line in run.stdout.splitlines()]


@pytest.fixture
def untold(endpoint: Endpoint, letter: Path, tmp_path: Path) -> Path:
    """A home whose import ended while the endpoint was away, which is an import all the same."""
    home = tmp_path / "home"
    said = imported(home, letter, **{**endpoint.env, "REDWELL_WEBHOOK": "http://127.0.0.1:1"})
    assert said.count("cannot be reached") == 1, "it is said once"
    assert parked(home, **endpoint.env) == [{"untold": 4}]
    return home


@pytest.mark.requirement("A14")
def test_a14_an_endpoint_that_was_away_when_the_job_ended_is_told_on_request(endpoint: Endpoint, untold: Path) -> None:
    endpoint.answers = [200, 400]
    run = ask(untold, "parked", "retry", "--posts", "--case", "case", "--json", **endpoint.env)
    assert (run.returncode, json.loads(run.stdout)) == (0, {"told": 3, "refused": 1})
    assert endpoint.statuses() == ["queued", "extractor_complete", "complete"]
    [again] = parked(untold, **endpoint.env)
    assert again["type"] == "WORKER_STARTED"


@pytest.mark.requirement("A14")
def test_a14_an_endpoint_that_was_away_when_the_job_ended_is_told_by_the_next_import(
    endpoint: Endpoint, untold: Path, letter: Path
) -> None:
    imported(untold, letter, **endpoint.env)
    assert endpoint.statuses()[:4] == ALL
    assert [body["event"]["batchId"] for _, _, body in endpoint.heard[:5]] == [1, 1, 1, 1, 2]


@pytest.mark.requirement("A14")
def test_a14_an_endpoint_that_was_away_when_the_job_ended_is_told_by_a_worker_when_it_is_back(
    endpoint: Endpoint, untold: Path
) -> None:
    endpoint.answers = [503]
    with worker(untold, **endpoint.env):
        until(lambda: endpoint.statuses() == ALL)


@pytest.mark.requirement("A14")
def test_a14_what_was_parked_is_told_again_when_it_is_asked_for(
    endpoint: Endpoint,
    source: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Taken, refused once more, and left as it is while nobody answers."""
    endpoint.answers = [400, 400]
    imported(tmp_path / "home", source, **endpoint.env)
    for key, value in {"REDWELL_HOME": str(tmp_path / "home"), **endpoint.env}.items():
        monkeypatch.setenv(key, value)
    retry = ["parked", "retry", "--posts", "--case", "case", "--json"]
    endpoint.answers = [410]
    assert main(retry) == ExitCode.OK
    assert json.loads(capsys.readouterr().out) == {"told": 1, "refused": 1}
    assert endpoint.statuses()[-1] == "processing"
    assert main([*retry, "--set", "webhook=http://127.0.0.1:1"]) == ExitCode.SERVICE_UNAVAILABLE
    assert "0 were told, the others wait" in capsys.readouterr().err
    assert main(retry) == ExitCode.OK
    assert endpoint.statuses()[-1] == "queued"
    assert main(["parked", "list", "--posts", "--case", "case"]) == ExitCode.OK
    assert "nothing is parked" in capsys.readouterr().err
    assert main([*retry, "99"]) == ExitCode.USAGE


def events(home: Path) -> list[Event]:
    with open_case(home, "case", Settings()) as case:
        return case.journal.log.unpack(case.journal.log.rows())


@pytest.mark.requirement("A18", "D11")
def test_a18_events_tell_of_jobs_tasks_and_documents(source: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    imported(home, source)
    found = events(home)
    kinds = Counter(event.event_type for event in found)
    assert kinds[EventType.DOCUMENT_ADDED] == kinds[EventType.DOCUMENT_PROCESSED] == 3
    assert kinds[EventType.TASK_ADDED] == kinds[EventType.TASK_FINISHED] == 5, "two files read, three contents"
    assert (kinds[EventType.WARNING], kinds[EventType.ERROR]) == (3, 1), "three more attempts, then it was given up"
    [given_up] = [e.event_detail for e in found if e.status == "ERROR" and e.event_type == EventType.TASK_FINISHED]
    assert (given_up["task"], given_up["problem"]) == ("extract-text", "TEXT_UNAVAILABLE")
    assert kinds[EventType.NOTIFICATION] == 1
    assert [kinds[kind] for kind in (EventType.JOB_QUEUED, EventType.JOB_STARTED, EventType.JOB_FINISHED)] == [1, 1, 1]
    assert {(event.version, event.job_id, event.batch_id, event.case_id) for event in found} == {(VERSION, 1, 1, 1)}
    processed = [event for event in found if event.event_type == EventType.DOCUMENT_PROCESSED]
    assert sorted(exhibit for event in processed for exhibit in event.exhibit_ids) == [2, 3, 4]
    assert all(event.document_id for event in processed)


@pytest.mark.requirement("A18")
def test_a18_the_last_thing_that_the_bus_hears_is_that_the_worker_has_left(letter: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    with open_services(home, Settings()) as services:
        services.queue.create(QueueSpec(name="listener"))
        services.bus.subscribe("listener", Filter())
        imported(home, letter)
        heard = [event for each in services.queue.receive("listener", 1_000) for event in events_in(each.body)]
    assert sorted(event.id for event in heard) == sorted(event.id for event in events(home))
    assert max(heard, key=lambda event: event.id).event_type == EventType.WORKER_FINISHED


@pytest.mark.requirement("A12")
def test_a12_a_known_file_is_told_of_as_a_success(tmp_path: Path) -> None:
    home, source = tmp_path / "home", tmp_path / "evidence"
    source.mkdir()
    (source / "known.dll").write_bytes(b"MZ of the system")
    listed = tmp_path / "NSRLFile.txt"
    listed.write_text(f'"{"0" * 40}","{hashlib.md5(b"MZ of the system").hexdigest()}","",""\n')
    assert redwell(tmp_path, "nist", "build", str(listed), "--output", str(tmp_path / "known")).returncode == 0
    imported(home, source, REDWELL_NIST=str(tmp_path / "known"))
    [told] = [event for event in events(home) if event.event_type == EventType.DOCUMENT_PROCESSED]
    assert (told.status, told.event_detail["outcome"]) == ("SUCCESS", "FILTERED")
    assert "a known file" in told.event_detail["reason"] and told.document_id and len(told.exhibit_ids) == 1


@pytest.mark.parametrize("said", [["--set", "events=documents"], []], ids=["set", "environment"])
def test_the_setting_that_chose_events_is_gone_and_says_so(said: list[str], source: Path, tmp_path: Path) -> None:
    env = {} if said else {"REDWELL_EVENTS": "jobs"}
    run = redwell(tmp_path, "import", str(source), "--case", "case", *said, **env)
    assert run.returncode == ExitCode.USAGE
    assert "events about every document and task are always written; leave it out" in run.stderr


@pytest.mark.requirement("B10")
def test_b10_log_lines_are_json_and_say_what_they_are_about(source: Path, tmp_path: Path) -> None:
    said = imported(tmp_path / "home", source, REDWELL_LOG_FORMAT="json")
    lines = [json.loads(line) for line in said.splitlines() if line.startswith("{")]
    deaths = [line for line in lines if line["level"] == "WARN"]
    assert [line["attempt"] for line in deaths] == [1, 2, 3, 4]
    for line in deaths:
        assert line["exhibit_ids"] and line["ingestion_id"] and line["document_id"]
        assert (line["case"], line["batch"], line["job"], line["step"]) == ("case", 1, 1, "extract")
        assert line["status"] == "CRASHED" and line["worker_id"]
    assert any(line["message"] == "batch 1 is over" for line in lines)
    steps = {line["step"]: line for line in lines if "duration_ms" in line}
    assert set(steps) == {"walk", "read", "extract"}
    done = steps.pop("extract")
    assert done["ingestion_id"] and done["document_id"] and done["exhibit_ids"] and done["worker_id"]
    assert (done["case"], done["batch"], done["job"], done["attempt"]) == ("case", 1, 1, 1)
    for line in steps.values():
        assert (line["case"], line["batch"], line["status"]) == ("case", 1, "ok") and line["worker_id"]


@pytest.mark.requirement("A15")
def test_a15_a_page_for_prometheus_is_served_on_this_machine() -> None:
    page = PrometheusPage(0)
    try:
        page.publish({"WorkerCapacityUsage": 0.65, "WorkerOpenJobs": 2}, {"ServiceId": 'a"b'})
        page.publish({"WorkerCapacityUsage": 0.5}, {"ServiceId": 'a"b'})
        with urllib.request.urlopen(f"http://127.0.0.1:{page.port}/metrics") as answer:
            text = answer.read().decode()
    finally:
        page.close()
    assert 'redwell_worker_capacity_usage{service_id="a\\"b"} 0.5\n' in text
    assert "# TYPE redwell_worker_open_jobs gauge\n" in text


@pytest.mark.requirement("A15")
def test_a15_a_worker_publishes_its_signals_neutral_at_first(tmp_path: Path) -> None:
    process = start(tmp_path, "worker", "--metrics-port", "0")
    try:
        assert process.stderr is not None
        url = process.stderr.readline().strip().removeprefix("metrics: ")
        text = ""
        while "redwell_worker_capacity_usage" not in text:
            with urllib.request.urlopen(url) as answer:
                text = answer.read().decode()
        assert "redwell_worker_pending_workload{" in text
    finally:
        kill_tree(process)
