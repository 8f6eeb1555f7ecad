"""Cases as a home knows them: listed with their state, renamed, deleted with all their parts; SQLite, and PostgreSQL
with the bytes in a bucket."""

import json
import shutil
from contextlib import closing
from pathlib import Path

import pytest
from tests.support.case_homes import HOMES
from tests.support.cases import LETTER, NAME, PAIR, imported
from tests.support.product import ask

from redwell.adapters.postgres.read_only import PostgresSchema
from redwell.adapters.s3.objects import Objects
from redwell.core.errors import NotFound, UserError
from redwell.runtime.bootstrap.cases.case_notes import note_of, place_of
from redwell.runtime.bootstrap.cases.case_removal import removed_cases
from redwell.runtime.bootstrap.open_case import open_case
from redwell.runtime.bootstrap.open_reader import open_reader
from redwell.runtime.bootstrap.settings import Settings, load_settings
from redwell.runtime.upkeep import cases


@pytest.fixture(params=["sqlite", "aws"])
def settings(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Settings:
    if request.param == "aws":
        for key, value in {**HOMES["aws"](), "REDWELL_QUEUE": "ledger", "REDWELL_BUS": "sql"}.items():
            monkeypatch.setenv(key, value)
    return load_settings()


@pytest.fixture
def home(settings: Settings, tmp_path: Path) -> Path:
    with open_case(tmp_path, NAME, settings, create=True) as case:
        imported(case, [LETTER, PAIR])
        case.announce()
    return tmp_path


def test_a_case_is_listed_with_state_size_and_last_activity(home: Path, settings: Settings) -> None:
    [row] = cases.cases(home, settings)
    assert (row["case"], row["state"], row["batches"]) == (NAME, "finished", 1)
    assert row["documents"] > 2 and row["bytes"] > 0 and row["last_activity"]


def test_a_renamed_case_is_the_same_under_its_new_name_alone(home: Path, settings: Settings) -> None:
    with open_reader(home, NAME, settings) as case:
        before = list(case.rows.exhibits())
    cases.rename(home, settings, NAME, "Smith & Sons")
    with open_reader(home, "Smith & Sons", settings) as case:
        assert list(case.rows.exhibits()) == before and case.rows.info().name == "Smith & Sons"
    with pytest.raises(NotFound):
        open_reader(home, NAME, settings)
    with pytest.raises(UserError, match="already"):
        cases.rename(home, settings, "Smith & Sons", "Smith & Sons")


def test_a_deleted_case_is_gone_from_every_place_and_told(home: Path, settings: Settings) -> None:
    folder = home / "cases" / "1"
    note, url = note_of(folder), place_of(folder)
    told = cases.delete(home, settings, NAME)
    assert told["left"] == [] and told["documents"] and told["removed"]["folder"]["files"]
    assert list(cases.cases(home, settings)) == [] and not folder.exists()
    assert [each["case"] for each in removed_cases(home, settings)] == [NAME]
    if note:
        assert told["removed"]["objects"]["objects"] > 0 and list(Objects(url).names("")) == []
        with closing(PostgresSchema(settings.database, note.schema)) as schema:
            assert not schema.has_table("case_info")
    with open_case(home, NAME, settings, create=True) as again:
        assert again.number == 2 and list(again.rows.batches()) == []  # nothing of it comes back, its number neither


def test_a_case_that_somebody_works_on_is_left_alone(home: Path, settings: Settings) -> None:
    with open_case(home, NAME, settings) as case:
        case.store.beat(_worker(case))
        with pytest.raises(UserError, match="at work"):
            cases.delete(home, settings, NAME)
    assert (home / "cases" / "1").exists()


def _worker(case: object) -> object:
    from redwell.core.jobs.job import WorkerRow
    from redwell.runtime.bootstrap.services.host_identity import host_name

    folder, worker = case.folder, case.worker  # type: ignore[attr-defined]
    return WorkerRow(id=worker, host=host_name(folder), pid=1, kind="import", slots=1, started_ms=1)


def test_a_step_that_fails_stops_no_other_and_the_same_command_goes_on(
    home: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as broken:
        broken.setattr(shutil, "rmtree", _refused)
        told = cases.delete(home, settings, NAME)
    assert [line.partition(":")[0] for line in told["left"]] == ["folder"]
    assert [row["state"] for row in cases.cases(home, settings)] != []
    assert cases.delete(home, settings, NAME)["left"] == []
    assert list(cases.cases(home, settings)) == []


def _refused(path: object) -> None:
    raise PermissionError(13, "Permission denied", str(path))


def test_a_folder_that_was_removed_by_hand_is_a_state_with_a_remedy(tmp_path: Path) -> None:
    with open_case(tmp_path, NAME, load_settings(environ={}), create=True):
        pass
    shutil.rmtree(tmp_path / "cases" / "1")
    [row] = [json.loads(line) for line in ask(tmp_path, "cases", "--json").stdout.splitlines()]
    assert row["state"] == "gone" and "redwell case delete" in row["problem"]
    for command in (["documents"], ["verify"], ["report"], ["search", "x"], ["gc"]):
        run = ask(tmp_path, command[0], "--case", NAME, *command[1:])
        assert run.returncode == 3 and "is gone" in run.stderr
    assert ask(tmp_path, "case", "delete", "--case", NAME, "--yes").returncode == 0
    assert "no cases" in ask(tmp_path, "cases").stderr


def test_nothing_is_deleted_or_renamed_without_a_yes(tmp_path: Path) -> None:
    with open_case(tmp_path, NAME, load_settings(environ={}), create=True):
        pass
    for arguments in (["delete"], ["rename", "another"]):
        run = ask(tmp_path, "case", arguments[0], "--case", NAME, *arguments[1:])
        assert run.returncode == 2 and "--yes" in run.stderr
    assert "Smith v Jones (number 1): empty" in ask(tmp_path, "cases").stdout
    assert ask(tmp_path, "case", "delete", "--case", "none", "--yes").returncode == 3
