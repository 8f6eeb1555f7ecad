"""A case that an older release made is brought up to date when it is opened for work, and loses nothing."""

import json
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.support import postgres
from tests.support.older_cases import OLD, STOPPED, copy_rows, home_of_version_4, shape, told_by_version_4
from tests.support.product import REPO, ask, redwell, verified

from redwell.adapters.postgres.database import PostgresDatabase
from redwell.adapters.postgres.read_only import PostgresSchema
from redwell.adapters.sql.database import Database
from redwell.adapters.sql.migrations import upgrade, version_of
from redwell.adapters.sql.new_case import create_case
from redwell.adapters.sql.schema_version import VERSION
from redwell.adapters.sql_reader.case_reader import SqlCaseReader
from redwell.adapters.sql_reader.session import ReadOnlyDatabase
from redwell.adapters.sqlite.database import SqliteDatabase
from redwell.adapters.sqlite.read_only import SqliteFile

LOOKING = (["documents"], ["search", "coating"], ["exceptions"], ["report"], ["verify"])


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return home_of_version_4(tmp_path / "home")


def case_file(home: Path) -> Path:
    return home / "cases" / "1" / "case.sqlite"


def version(path: Path) -> str:
    with closing(sqlite3.connect(path)) as case:
        return str(case.execute("SELECT value FROM case_info WHERE key = 'schema'").fetchone()[0])


def documents(home: Path, case: str) -> list[dict[str, Any]]:
    listed = ask(home, "documents", "--case", case, "--json", "--text")
    assert listed.returncode == 0, listed.stderr
    return [json.loads(line) for line in listed.stdout.splitlines()]


@pytest.mark.parametrize("command", LOOKING, ids=lambda command: command[0])
def test_who_only_looks_is_told_what_to_do_and_changes_nothing(command: list[str], home: Path) -> None:
    before = case_file(home).read_bytes()
    looked = ask(home, command[0], "--case", OLD, *command[1:])
    assert looked.returncode == 2
    assert "made by an older release" in looked.stderr and "redwell resume" in looked.stderr
    assert case_file(home).read_bytes() == before


def test_after_the_upgrade_every_document_is_as_it_was(home: Path) -> None:
    before = told_by_version_4(home)
    assert redwell(home, "resume", "--case", OLD).returncode == 0
    known = before[0].keys() - {"duplicate_of", "custodians"}  # of families since then
    shown = [{key: row[key] for key in known} for row in documents(home, OLD)]
    assert shown == [{key: row[key] for key in known} for row in before]
    verified(home, OLD)


def test_a_copy_of_the_file_stays_as_it_was(home: Path) -> None:
    redwell(home, "resume", "--case", OLD)
    assert version(case_file(home)) == str(VERSION)
    assert version(case_file(home).with_name("case.sqlite.4")) == "4"


def test_the_same_evidence_again_parses_nothing_that_is_known(home: Path, tmp_path: Path) -> None:
    evidence = tmp_path / "evidence"
    make = [sys.executable, str(REPO / "examples" / "sample_evidence.py"), str(evidence)]
    subprocess.run(make, check=True, capture_output=True)
    again = redwell(home, "import", str(evidence), "--case", OLD, "--json")
    assert again.returncode == 0, again.stderr
    assert json.loads(again.stdout)["processed"] == 1, (
        "the presentation, which the sample has another one of since then"
    )


def test_an_import_that_was_killed_before_the_upgrade_is_finished_after_it(home: Path) -> None:
    resumed = redwell(home, "resume", "--case", STOPPED, "--json")
    assert resumed.returncode == 0, resumed.stderr
    account = json.loads(resumed.stdout)
    assert account["balanced"] and account["documents"] >= 43, "its source is gone: what was not read says so"
    verified(home, STOPPED)


@pytest.mark.parametrize("point, left", [("upgrade.before_commit", "4"), ("upgrade.after_commit", str(VERSION))])
def test_killed_halfway_it_is_the_old_one_or_the_new_one(point: str, left: str, home: Path) -> None:
    killed = redwell(home, "resume", "--case", OLD, REDWELL_TRIP=point)
    assert killed.returncode == -signal.SIGKILL
    assert version(case_file(home)) == left
    assert redwell(home, "resume", "--case", OLD).returncode == 0
    verified(home, OLD)


@pytest.mark.parametrize("command", [*LOOKING, ["resume"]], ids=lambda command: command[0])
def test_a_case_of_a_newer_release_is_refused_with_words(command: list[str], home: Path) -> None:
    with closing(sqlite3.connect(case_file(home))) as case, case:
        case.execute("UPDATE case_info SET value = '99' WHERE key = 'schema'")
    refused = ask(home, command[0], "--case", OLD, *command[1:])
    assert refused.returncode == 2
    assert "made by a newer release" in refused.stderr and "version 99" in refused.stderr


@contextmanager
def sqlite_pair(home: Path, folder: Path) -> Iterator[tuple[Database, Database, ReadOnlyDatabase]]:
    path = case_file(home)
    with closing(SqliteDatabase(path)) as old, closing(SqliteDatabase(folder / "new.sqlite")) as new:
        yield old, new, SqliteFile(path)


@contextmanager
def postgres_pair(home: Path, _folder: Path) -> Iterator[tuple[Database, Database, ReadOnlyDatabase]]:
    url = postgres.server().url
    with (
        postgres.schema() as one,
        postgres.schema() as other,
        closing(PostgresDatabase(url, one)) as old,
        closing(PostgresDatabase(url, other)) as new,
    ):
        old.write(old.prepare)
        old.write(lambda tx: copy_rows(tx, case_file(home)))
        yield old, new, PostgresSchema(url, one)


@pytest.mark.parametrize("pair", [sqlite_pair, postgres_pair], ids=["sqlite", "postgres"])
def test_an_upgraded_case_has_the_tables_of_a_new_one_and_every_seal_holds(
    pair: Any, home: Path, tmp_path: Path
) -> None:
    with pair(home, tmp_path) as (old, new, looked_at):
        create_case(new, {"name": "new", "uid": "x"})
        old.write(upgrade)
        with old.read() as left, new.read() as right:
            assert version_of(left) == VERSION
            upgraded, made = shape(left), shape(right)
            assert {name: upgraded[name] for name in made} == made
        with closing(SqlCaseReader(looked_at)) as rows, rows.audit() as audit:
            assert list(audit.seals()) == list(audit.imbalances()) == []


def test_what_other_versions_of_handlers_made_is_read_again_on_request_and_nothing_else(home: Path) -> None:
    redwell(home, "resume", "--case", OLD)
    before = {row["handler"] for row in documents(home, OLD)}
    again = redwell(home, "retry", "--case", OLD, "--outdated", "--json")
    assert again.returncode == 0, again.stderr
    account = json.loads(again.stdout)
    now = {row["handler"] for row in documents(home, OLD)}
    assert 0 < account["contents"] < 94, "what the same version made is not read again"
    assert before != now
    verified(home, OLD)
    assert json.loads(redwell(home, "retry", "--case", OLD, "--outdated", "--json").stdout)["contents"] == 0


def test_a_kind_of_work_is_done_again_by_its_name(home: Path) -> None:
    redwell(home, "resume", "--case", OLD)
    again = redwell(home, "retry", "--case", OLD, "--kind", "unpack-document", "--json")
    assert again.returncode == 0, again.stderr
    assert 0 < json.loads(again.stdout)["contents"] < 40
    verified(home, OLD)
