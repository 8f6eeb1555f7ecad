"""What Redwell tells others while it works: the webhook, events, log lines and metrics, as they come out of it."""

import base64
import hashlib
import hmac
import json
import threading
import urllib.request
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from tests.support.evidence import KILLER, mail
from tests.support.product import ask, kill_tree, redwell, start

from redwell.adapters.prometheus.page import PrometheusPage
from redwell.core.events import VERSION, EventType
from redwell.core.exit_codes import ExitCode
from redwell.entrypoints.cli.main import main
from redwell.runtime.bootstrap import open_case
from redwell.runtime.settings import Settings

SECRET = "hush"


class Endpoint:
    """A real HTTP server that answers as it is told and keeps what it was told."""

    def __init__(self) -> None:
        self.answers: list[int] = []  # to the next requests; then 200
        self.heard: list[tuple[str, dict[str, str], dict[str, Any]]] = []
        endpoint = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                answer = endpoint.answers.pop(0) if endpoint.answers else 200
                headers = {name.lower(): value for name, value in self.headers.items()}
                endpoint.heard.append((self.path, headers, {**body, "answer": answer}))
                self.send_response(answer)
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever)
        self._thread.start()

    @property
    def env(self) -> dict[str, str]:
        url = f"http://127.0.0.1:{self._server.server_address[1]}"
        return {"REDWELL_WEBHOOK": url, "REDWELL_WEBHOOK_SECRET": SECRET}

    def statuses(self, answer: int = 200) -> list[str]:
        return [body["status"] for _, _, body in self.heard if body["answer"] == answer]

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    made = Endpoint()
    yield made
    made.close()


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a.eml").write_bytes(mail("a", "first", {"b.txt": b"inside"}))
    (folder / "killer.bin").write_bytes(KILLER)
    return folder


def imported(home: Path, source: Path, **env: str) -> str:
    run = redwell(home, "import", str(source), "--case", "case", faulty=True, **env)
    assert run.returncode == 0, run.stderr
    return run.stderr


def test_a14_the_endpoint_is_told_each_status_in_order_and_signed(
    endpoint: Endpoint, source: Path, tmp_path: Path
) -> None:
    imported(tmp_path / "home", source, **endpoint.env)
    assert endpoint.statuses() == ["queued", "processing", "extractor_complete", "complete"]
    for path, headers, _ in endpoint.heard:
        assert path == "/batches/update/1"
        message = "\n".join(["POST", path, headers["api-date"]]).encode()
        expected = base64.b64encode(hmac.new(SECRET.encode(), message, hashlib.sha256).digest()).decode()
        assert headers["api-authorization"] == expected


def test_a14_sha1_signs_for_old_endpoints(endpoint: Endpoint, source: Path, tmp_path: Path) -> None:
    imported(tmp_path / "home", source, REDWELL_WEBHOOK_DIGEST="sha1", **endpoint.env)
    path, headers, _ = endpoint.heard[0]
    message = "\n".join(["POST", path, headers["api-date"]]).encode()
    expected = base64.b64encode(hmac.new(SECRET.encode(), message, hashlib.sha1).digest()).decode()
    assert headers["api-authorization"] == expected


def test_a14_an_endpoint_that_is_away_is_told_again(endpoint: Endpoint, source: Path, tmp_path: Path) -> None:
    endpoint.answers = [503, 500]
    imported(tmp_path / "home", source, **endpoint.env)
    assert endpoint.statuses(503) + endpoint.statuses(500) == ["queued", "queued"]
    assert endpoint.statuses() == ["queued", "processing", "extractor_complete", "complete"]


def test_a14_what_the_endpoint_refuses_is_parked_and_the_next_is_told(
    endpoint: Endpoint, source: Path, tmp_path: Path
) -> None:
    endpoint.answers = [400]
    home = tmp_path / "home"
    imported(home, source, **endpoint.env)
    assert endpoint.statuses(400) == ["queued"]
    assert endpoint.statuses() == ["processing", "extractor_complete", "complete"]
    run = ask(home, "parked", "list", "--case", "case", "--json")
    parked = [json.loads(line) for line in run.stdout.splitlines()]
    assert [row["type"] for row in parked if "event" in row] == ["JOB_QUEUED"]


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
    assert main(retry) == ExitCode.OK
    assert endpoint.statuses()[-1] == "queued"
    assert main(["parked", "list", "--posts", "--case", "case"]) == ExitCode.OK
    assert "nothing is parked" in capsys.readouterr().err
    assert main([*retry, "99"]) == ExitCode.USAGE


def test_a14_an_import_without_an_endpoint_that_answers_is_an_import_all_the_same(source: Path, tmp_path: Path) -> None:
    imported(tmp_path / "home", source, REDWELL_WEBHOOK="http://127.0.0.1:1")


def events(home: Path) -> list[dict[str, Any]]:
    with open_case(home, "case", Settings()) as case:
        return [json.loads(row["body"]) for row in case.store.events()]


def test_a18_events_tell_of_jobs_and_where_it_is_asked_for_of_documents(source: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    imported(home, source, REDWELL_EVENTS="documents")
    found = events(home)
    kinds = Counter(event["event_type"] for event in found)
    assert kinds[EventType.DOCUMENT_PROCESSED] == 3
    assert kinds[EventType.TASK_FINISHED] == 2, "the attachment was read with its mail and had no task of its own"
    assert (kinds[EventType.WARNING], kinds[EventType.ERROR]) == (3, 1), "three more attempts, then it was given up"
    [given_up] = [event["detail"] for event in found if event["status"] == "ERROR" and "task" in event["detail"]]
    assert (given_up["task"], given_up["problem"]) == ("extract-text", "TEXT_UNAVAILABLE")
    added = [event["detail"]["count"] for event in found if event["event_type"] == EventType.DOCUMENT_ADDED]
    assert sum(added) == 3
    assert kinds[EventType.TASK_ADDED] and kinds[EventType.NOTIFICATION] == 1
    assert [kinds[kind] for kind in (EventType.JOB_QUEUED, EventType.JOB_STARTED, EventType.JOB_FINISHED)] == [1, 1, 1]
    assert {event["version"] for event in found} == {VERSION}
    processed = [event for event in found if event["event_type"] == EventType.DOCUMENT_PROCESSED]
    assert sorted(exhibit for event in processed for exhibit in event["exhibits"]) == [2, 3, 4]
    assert all(event["document"] for event in processed)


def test_a12_a_known_file_is_told_of_as_a_success(tmp_path: Path) -> None:
    home, source = tmp_path / "home", tmp_path / "evidence"
    source.mkdir()
    (source / "known.dll").write_bytes(b"MZ of the system")
    listed = tmp_path / "NSRLFile.txt"
    listed.write_text(f'"{"0" * 40}","{hashlib.md5(b"MZ of the system").hexdigest()}","",""\n')
    assert redwell(tmp_path, "nist", "build", str(listed), "--output", str(tmp_path / "known")).returncode == 0
    imported(home, source, REDWELL_EVENTS="documents", REDWELL_NIST=str(tmp_path / "known"))
    [told] = [event for event in events(home) if event["event_type"] == EventType.DOCUMENT_PROCESSED]
    assert (told["status"], told["detail"]["outcome"]) == ("SUCCESS", "FILTERED")
    assert "a known file" in told["detail"]["reason"] and told["document"] and len(told["exhibits"]) == 1


def test_without_being_asked_only_jobs_are_told_of(source: Path, tmp_path: Path) -> None:
    imported(tmp_path / "home", source)
    kinds = {event["event_type"] for event in events(tmp_path / "home")}
    assert EventType.JOB_FINISHED in kinds
    assert not kinds & {EventType.DOCUMENT_PROCESSED, EventType.TASK_FINISHED, EventType.DOCUMENT_ADDED}


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
    assert set(steps) == {"walk", "read"}
    for line in steps.values():
        assert (line["case"], line["batch"], line["status"]) == ("case", 1, "ok") and line["worker_id"]


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
