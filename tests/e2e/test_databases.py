"""The same evidence gives the same documents in SQLite and in PostgreSQL, whatever happens on the way."""

import json
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from tests.support import postgres
from tests.support.case_homes import HOMES, tables
from tests.support.evidence import make_evidence
from tests.support.product import kill_tree, normal_form, redwell, start, verified, wait_until_at_work

from redwell.core.exit_codes import ExitCode

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


@pytest.fixture
def in_postgres() -> Iterator[dict[str, str]]:
    yield HOMES["postgres"]()


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


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGQUIT], ids=["in order", "at once"])
def test_a_server_that_restarts_stops_an_import_and_a_resume_finishes_it(
    how: signal.Signals, evidence: Path, expected: list[dict[str, Any]], tmp_path: Path, in_postgres: dict[str, str]
) -> None:
    running = start(tmp_path, "import", str(evidence), "--case", CASE, *SMALL, faulty=True, **in_postgres)
    wait_until_at_work(tmp_path, running)
    postgres.server().stop(how)
    _, said = running.communicate(timeout=60)
    postgres.server().start()
    assert running.returncode == ExitCode.DATABASE_UNAVAILABLE, said
    assert said.startswith("redwell: the PostgreSQL server cannot be reached, refuses or went away")
    assert f'Nothing is lost. Go on with: redwell resume --case "{CASE}" 1' in said
    assert "Traceback" not in said
    run = redwell(tmp_path, "resume", "--case", CASE, *SMALL, faulty=True, **in_postgres)
    assert run.returncode == 0, run.stdout + run.stderr
    assert normal_form(tmp_path, CASE, **in_postgres) == expected
    verified(tmp_path, CASE, **in_postgres)


def test_every_command_works_on_a_case_in_postgres(imported: Path, in_postgres: dict[str, str]) -> None:
    for command, words in {
        ("search", "--case", CASE, "coating"): "[[coating]]",
        ("exceptions", "--case", CASE): "CRASHED",
        ("report", "--case", CASE): "Processing report",
        ("retry", "--case", CASE, "--outcome", "unsupported"): "before,",
        ("gc", "--case", CASE): "removed 0 files",
        ("resume", "--case", CASE): "nothing to resume",
        ("doctor",): "PostgreSQL 18",
    }.items():
        run = redwell(imported, *command, faulty=True, **in_postgres)
        assert run.returncode == 0, run.stdout + run.stderr
        assert words in run.stdout + run.stderr


def test_a_case_goes_on_where_it_was_made_whatever_the_setting_says(
    evidence: Path, tmp_path: Path, in_postgres: dict[str, str]
) -> None:
    before = tables()
    source = ("import", str(evidence / "long.txt"), "--case", CASE)
    for env in ({}, in_postgres):
        run = redwell(tmp_path, *source, **env)
        assert run.returncode == 0, run.stderr
    assert len(normal_form(tmp_path, CASE)) == 2
    assert tables() == before


def test_a_case_in_postgres_says_that_it_needs_its_database(imported: Path) -> None:
    run = redwell(imported, "documents", "--case", CASE)
    assert run.returncode == ExitCode.USAGE
    assert "REDWELL_DATABASE" in run.stderr


def test_cases_of_two_homes_share_a_database_and_nothing_else(
    imported: Path, evidence: Path, tmp_path: Path, in_postgres: dict[str, str]
) -> None:
    before = len(normal_form(imported, CASE, **in_postgres))
    for name in (CASE, "another"):
        run = redwell(tmp_path, "import", str(evidence / "long.txt"), "--case", name, **in_postgres)
        assert run.returncode == 0, run.stderr
    assert [len(normal_form(tmp_path, name, **in_postgres)) for name in (CASE, "another")] == [1, 1]
    assert len(normal_form(imported, CASE, **in_postgres)) == before


def test_the_url_is_neither_shown_nor_stored(evidence: Path, tmp_path: Path) -> None:
    url = postgres.server().url.replace("redwell@", "redwell:hush@")
    said = []
    for command in (
        ("import", str(evidence / "long.txt"), "--case", CASE, "--json"),
        ("report", "--case", CASE, "--json"),
        ("report", "--case", CASE),
        ("doctor",),
        ("doctor", "--json"),
        ("verify", "--case", CASE),
    ):
        run = redwell(tmp_path, *command, REDWELL_DATABASE=url)
        assert run.returncode == 0, run.stderr
        said.append(run.stdout + run.stderr)
    assert '"database": "***"' in said[1]
    assert "database=***" in said[3]
    kept = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
    with psycopg.connect(postgres.server().url) as connection:
        stored = [
            row for name in tables() for row in connection.execute(f"SELECT t::text FROM {name} t").fetchall()
        ]  # fmt: skip
    assert not [each for each in said if "hush" in each or str(postgres.server().folder) in each]
    assert not [each for each in kept if b"hush" in each]
    assert not [each for each in stored if "hush" in str(each)]
