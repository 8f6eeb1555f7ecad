"""The same evidence gives the same documents in SQLite and in PostgreSQL, whatever happens on the way."""

import json
import signal
from pathlib import Path
from typing import Any

import pytest
from tests.support import postgres
from tests.support.case_homes import HOMES
from tests.support.evidence import make_evidence
from tests.support.product import kill_tree, normal_form, redwell, start, verified, wait_until_at_work

from redwell.core.exit_codes import ExitCode
from redwell.entrypoints.cli.main import main

pytestmark = pytest.mark.xdist_group("databases")  # its imports are made once

CASE = "Smith v Jones"
SMALL = ("--set", "chunk=4", "--set", "message_documents=10", "--set", "index_documents=50")


@pytest.fixture(scope="module")
def evidence(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_evidence(tmp_path_factory.mktemp("evidence") / "in", mails=20)


@pytest.fixture(scope="module")
def expected(evidence: Path, tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """An undisturbed import into SQLite."""
    home = tmp_path_factory.mktemp("clean")
    run = redwell(home, "import", str(evidence), "--case", CASE, faulty=True)
    assert run.returncode == 0, run.stderr
    return normal_form(home, CASE)


@pytest.fixture(params=HOMES)
def env(request: pytest.FixtureRequest) -> dict[str, str]:
    return HOMES[request.param]()


@pytest.fixture(scope="module")
def imported(evidence: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with the evidence in PostgreSQL."""
    home = tmp_path_factory.mktemp("imported")
    run = redwell(home, "import", str(evidence), "--case", CASE, "--json", faulty=True, **HOMES["postgres"]())
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout)["balanced"]
    return home


def test_the_same_documents_come_out_item_by_item(imported: Path, expected: list[dict[str, Any]]) -> None:
    found = normal_form(imported, CASE, **HOMES["postgres"]())
    assert found == expected
    assert len(found) > 200
    verified(imported, CASE, **HOMES["postgres"]())


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
    assert said.startswith("redwell: the PostgreSQL server cannot be reached, refuses or went away")
    assert f'Nothing is lost. Go on with: redwell resume --case "{CASE}" 1' in said
    assert "Traceback" not in said
    run = redwell(tmp_path, "resume", "--case", CASE, *SMALL, faulty=True, **env)
    assert run.returncode == 0, run.stdout + run.stderr
    assert normal_form(tmp_path, CASE, **env) == expected
    verified(tmp_path, CASE, **env)


def test_the_doctor_says_that_the_database_is_not_there(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
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
        (["gc", "--case", CASE], "removed 0 files"),
        (["resume", "--case", CASE], "nothing to resume"),
        (["doctor"], "PostgreSQL 18"),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_a_command_works_on_a_case_in_postgres(
    command: list[str],
    words: str,
    imported: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for key, value in {"REDWELL_HOME": str(imported), **HOMES["postgres"]()}.items():
        monkeypatch.setenv(key, value)
    assert main(command) == ExitCode.OK
    out, err = capsys.readouterr()
    assert words in out + err
