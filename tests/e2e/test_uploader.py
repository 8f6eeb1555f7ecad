"""The uploader by real commands, with an engine of our own over HTTP: taken over, on SQS and SNS, lazy, by links."""

import json
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support import aws
from tests.support.engine import until
from tests.support.nutrient_server import BUSY, TOKEN, NutrientServer
from tests.support.pdf_files import document_of, saved
from tests.support.product import ask, kill_tree, redwell, start
from tests.support.web import running_server

CASE = ("--case", "c")
SERVICES: dict[str, dict[str, str]] = {"sql": {}, "sqs": {"REDWELL_QUEUE": "sqs", "REDWELL_BUS": "sns"}}


@pytest.fixture
def engine() -> Iterator[NutrientServer]:
    with NutrientServer() as running:
        yield running


@pytest.fixture
def evidence(tmp_path: Path) -> Path:
    folder = tmp_path / "in"
    folder.mkdir()
    for name in ("brief", "plan"):
        (folder / f"{name}.pdf").write_bytes(saved(document_of(f"a {name}")))
    return folder


def environment(engine: NutrientServer, services: str = "sql") -> dict[str, str]:
    viewer = {"REDWELL_VIEWER": "nutrient", "REDWELL_VIEWER_URL": engine.url, "REDWELL_VIEWER_TOKEN": TOKEN}
    there = aws.server().environment() if services == "sqs" else {}
    own = {"REDWELL_NAME_PREFIX": f"t{uuid.uuid4().hex[:8]}", "REDWELL_DELAY_PERCENT": "0"}
    return {**viewer, **there, **SERVICES[services], **own}


def uploader_of(home: Path, env: dict[str, str]) -> str:
    return str(json.loads(ask(home, "report", *CASE, "--json", **env).stdout)["batches"][0]["loader"]["uploader"])


def uploader_queues(env: dict[str, str]) -> list[str]:
    known = aws.client("sqs").list_queues(QueueNamePrefix=env["REDWELL_NAME_PREFIX"]).get("QueueUrls", [])
    return [url for url in known if "uploader" in url]


@pytest.mark.requirement("E1")
@pytest.mark.parametrize(("services", "next_one"), [("sqs", "worker"), ("sql", "import")])
def test_e1_what_a_killed_import_has_not_handed_over_is_by_the_next_worker_or_import(
    tmp_path: Path, evidence: Path, engine: NutrientServer, services: str, next_one: str
) -> None:
    home, env = tmp_path / "home", environment(engine, services)
    engine.faults["load"] = [BUSY] * 4
    killed = start(home, "import", str(evidence), *CASE, **env)
    until(lambda: len(engine.calls) >= 2)
    kill_tree(killed)
    engine.faults["load"] = []
    assert not engine.documents
    again = ("worker", "--cluster") if next_one == "worker" else ("import", str(evidence / "plan.pdf"), *CASE)
    done = redwell(home, *again, **env)
    assert done.returncode == 0, done.stderr
    assert uploader_of(home, env) == "finished", done.stderr
    contents = {path.read_bytes() for path in evidence.iterdir()}
    assert set(engine.documents.values()) == contents
    assert services == "sql" or uploader_queues(env) == []


@pytest.mark.requirement("E2", "E3", "E4")
def test_e3_the_engine_fetches_files_by_links_and_a_lazy_pdf_is_handed_over_when_it_is_made(
    tmp_path: Path, evidence: Path, engine: NutrientServer
) -> None:
    home, env = tmp_path / "home", environment(engine)
    (evidence / "note.txt").write_text("a note\n")
    with running_server(home, "--no-worker", **env) as served:
        env["REDWELL_VIEWER_FILES"] = served.address
        done = redwell(home, "import", str(evidence), *CASE, makers=True, **env)
        assert done.returncode == 0, done.stderr
        pdfs = {path.read_bytes() for path in evidence.glob("*.pdf")}
        assert set(engine.documents.values()) == pdfs and uploader_of(home, env) == "finished"
        made = redwell(home, "get", *CASE, "RW00000002", "--pdf", "-o", str(tmp_path / "made.pdf"), makers=True, **env)
        assert made.returncode == 0, made.stderr
        assert set(engine.documents.values()) == {*pdfs, (tmp_path / "made.pdf").read_bytes()}
    assert len(engine.flattened) == 3 and all(call == ("load", "") for call in engine.calls[::2])
