"""What the directory of shared cases promises (adapters.sql_jobs.shared_cases), on every database."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest
from tests.support import postgres

from redwell.adapters.postgres.database import PostgresDatabase
from redwell.adapters.sql_jobs.shared_cases import Directory
from redwell.adapters.sqlite.database import SqliteDatabase
from redwell.core.jobs.shared_cases import SharedCase

Opener = Callable[[], Directory]
CASE = SharedCase(number=3, uid="u3", name="Smith v Jones", blobs="s3://bucket/case-3", keeper="machine-a")


@pytest.fixture(params=["sqlite", "postgres"])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Opener]:
    """Each call as another machine would."""
    with ExitStack() as resources:
        schema = resources.enter_context(postgres.schema()) if request.param == "postgres" else ""

        def opener() -> Directory:
            database = PostgresDatabase(postgres.server().url, schema) if schema else SqliteDatabase(tmp_path / "d")
            resources.callback(database.close)
            directory = Directory(database)
            directory.prepare()
            return directory

        yield opener


@pytest.fixture
def directory(opened: Opener) -> Directory:
    return opened()


def test_a_case_that_was_entered_is_found_by_others(directory: Directory, opened: Opener) -> None:
    assert directory.enter(CASE)
    assert directory.enter(CASE)
    assert opened().find(CASE.name) == CASE
    assert opened().all() == [CASE]
    assert directory.find("another") is None


def test_numbers_are_given_once_to_however_many_ask(opened: Opener) -> None:
    with ThreadPoolExecutor(4) as pool:
        numbers = list(pool.map(lambda above: opened().reserve(above), [0, 0, 5, 0]))
    assert len(set(numbers)) == 4
    assert max(numbers) >= 6
    assert opened().all() == []


def test_a_reserved_number_is_entered_later(directory: Directory) -> None:
    number = directory.reserve(2)
    assert number == 3
    assert directory.enter(CASE)
    assert directory.reserve(0) == 4


@pytest.mark.parametrize("taken", [{"name": "another"}, {"number": 4}], ids=["number", "name"])
def test_a_number_or_name_of_another_case_is_refused(directory: Directory, taken: dict[str, int]) -> None:
    assert directory.enter(CASE)
    assert not directory.enter(replace(CASE, uid="u4", keeper="machine-b", **taken))
    assert directory.all() == [CASE]


def test_a_case_that_its_keeper_made_anew_takes_the_place_of_the_old_one(directory: Directory) -> None:
    assert directory.enter(CASE)
    anew = replace(CASE, uid="u5", blobs="s3://bucket/case-5")
    assert directory.enter(anew)
    assert directory.all() == [anew]


def test_a_mark_stays_until_no_job_was_seen_at_it(directory: Directory, opened: Opener) -> None:
    assert directory.enter(CASE)
    assert directory.marked() == []
    directory.mark(CASE.uid)
    [(case, mark)] = opened().marked()
    assert case == CASE
    directory.mark(CASE.uid)  # another job, meanwhile
    opened().unmark(CASE.uid, mark)
    [(case, mark)] = directory.marked()
    directory.unmark(CASE.uid, mark)
    assert directory.marked() == []
