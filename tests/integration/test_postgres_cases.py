"""Cases in PostgreSQL: where they lie, what `verify` finds in them, and that the way to them stays a secret."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import Table
from tests.integration.test_verify_rows import GUARDED, PROVOKED
from tests.support import postgres
from tests.support.cases import LETTER, NAME, Driver, imported, opened, prepare

from redwell.adapters.sql.tables import metadata
from redwell.core.case.findings import Check
from redwell.core.errors import DatabaseUnavailable, UserError
from redwell.core.outcomes import Outcome
from redwell.core.report.as_text import as_text
from redwell.core.work.records import Selection
from redwell.runtime.bootstrap.open_case import Case, open_case
from redwell.runtime.bootstrap.open_ledger import described
from redwell.runtime.bootstrap.open_reader import open_reader, open_readers
from redwell.runtime.bootstrap.settings import MASK, load_settings
from redwell.runtime.upkeep.gc import collect_garbage
from redwell.runtime.upkeep.report import report
from redwell.runtime.upkeep.report_sheet import report_sheet
from redwell.runtime.upkeep.verify import Account, verify


@contextmanager
def by_hand(schema: str) -> Iterator[psycopg.Connection[Any]]:
    """Plain SQL on the case, each statement for good, past the foreign keys."""
    with psycopg.connect(postgres.server().url, autocommit=True) as connection:
        connection.execute(f"SET search_path = {schema}")
        connection.execute("SET session_replication_role = replica")
        yield connection


def schemas() -> set[str]:
    with psycopg.connect(postgres.server().url) as connection:
        rows = connection.execute("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'redwell_case_%'")
        return {name for (name,) in rows}


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Case, str]]:
    """The case, and the schema it is in; beside each table lies a copy of it as it was."""
    before = schemas()
    home = prepare(tmp_path_factory.mktemp("prepared") / "home", postgres.server().url)
    [schema] = schemas() - before
    with by_hand(schema) as sql:
        for table in metadata.sorted_tables:
            sql.execute(f"CREATE TABLE {table.name}_before AS TABLE {table.name}")
    with opened(home, database=postgres.server().url) as case:
        yield case, schema


@pytest.fixture
def schema(prepared: tuple[Case, str]) -> Iterator[str]:
    """The same for every test; its rows are put back afterwards."""
    case, schema = prepared
    yield schema
    with by_hand(schema) as sql:
        for table in metadata.sorted_tables:
            sql.execute(f"DELETE FROM {table.name}")
            sql.execute(f"INSERT INTO {table.name} SELECT * FROM {table.name}_before")
    assert list(verify(case)) == []


@pytest.fixture
def case(prepared: tuple[Case, str], schema: str) -> Case:
    return prepared[0]


def test_a_case_in_order_has_no_findings_and_is_counted(case: Case) -> None:
    account = Account()
    assert list(verify(case, account)) == []
    assert (account.inputs, account.exhibits, account.containers) == (9, 16, 5)
    assert collect_garbage(case, dry_run=True) == (0, 0)


@pytest.mark.parametrize(("check", "change"), PROVOKED.items())
def test_each_check_names_what_it_is_for(case: Case, schema: str, check: Check, change: str) -> None:
    with by_hand(schema) as sql:
        sql.execute(change)
    assert check in {finding.check for finding in verify(case)}


@pytest.mark.parametrize("table", GUARDED, ids=lambda table: table.name)
def test_a_row_deleted_by_hand_is_found(case: Case, schema: str, table: Table) -> None:
    with by_hand(schema) as sql:
        for (place,) in sql.execute(f"SELECT ctid::text FROM {table.name}").fetchall():
            row = sql.execute(f"DELETE FROM {table.name} WHERE ctid = '{place}' RETURNING *").fetchone()
            assert row
            assert next(verify(case), None), row
            marks = ", ".join(["%s"] * len(row))
            sql.execute(f"INSERT INTO {table.name} VALUES ({marks})", row)


def test_a_table_that_cannot_be_read_is_a_finding_and_the_other_checks_go_on(case: Case, schema: str) -> None:
    with by_hand(schema) as sql:
        sql.execute("UPDATE ingestion SET dates = '{}' WHERE name = 'link'")
        sql.execute("ALTER TABLE member RENAME TO elsewhere")
        found = list(verify(case))
        sql.execute("ALTER TABLE elsewhere RENAME TO member")
    assert {Check.DATABASE, Check.SEAL} <= {finding.check for finding in found}
    assert {finding.subject for finding in found if finding.check == Check.DATABASE} == {f"schema {schema}"}


def test_a_retry_verifies(tmp_path: Path) -> None:
    with opened(tmp_path, create=True, database=postgres.server().url) as case:
        batch = imported(case, [LETTER])
        assert case.store.reopen(Selection(outcome=Outcome.SUCCESS)) == 1
        assert {finding.check for finding in verify(case)} == {Check.UNFINISHED}
        driver = Driver(case)
        driver.stored(LETTER)
        driver.work(batch)
        assert list(verify(case)) == []


def test_a_case_goes_on_where_it_was_made_whatever_the_setting_says(tmp_path: Path) -> None:
    before = schemas()
    for database in ("", postgres.server().url):
        with opened(tmp_path, create=True, database=database) as case:
            imported(case, [LETTER])
            assert len(list(case.rows.exhibits())) == (2 if database else 1)
    assert schemas() == before


def test_a_case_in_postgres_says_that_it_needs_its_database(tmp_path: Path) -> None:
    opened(tmp_path, create=True, database=postgres.server().url).close()
    with pytest.raises(UserError, match="REDWELL_DATABASE"):
        opened(tmp_path)


@pytest.mark.requirement("D4")
def test_cases_of_two_homes_and_of_one_share_a_database_and_nothing_else(tmp_path: Path) -> None:
    before, settings = schemas(), load_settings([f"database={postgres.server().url}"], environ={})
    for home, name in ((tmp_path / "one", NAME), (tmp_path / "one", "another"), (tmp_path / "two", NAME)):
        with open_case(home, name, settings, create=True) as case:
            imported(case, [LETTER])
            assert [e.control_number for e in case.rows.exhibits()] == ["RW00000001"]
    assert len(schemas() - before) == 3


def test_a_case_folder_copied_to_another_home_brings_its_name_along(tmp_path: Path) -> None:
    with opened(tmp_path / "old", create=True, database=postgres.server().url) as case:
        imported(case, [LETTER])
    shutil.copytree(case.folder, tmp_path / "new" / "cases" / "7")
    with opened(tmp_path / "new", database=postgres.server().url) as case:
        assert list(verify(case)) == []
    settings = load_settings([f"database={postgres.server().url}"], environ={})
    assert [reader.name for reader in open_readers(tmp_path / "new", settings)] == [NAME]


@pytest.mark.requirement("D12")
def test_the_url_is_neither_shown_nor_stored(tmp_path: Path) -> None:
    before = schemas()
    url = postgres.server().url.replace("redwell@", "redwell:hush@")
    with opened(tmp_path, create=True, database=url) as case:
        imported(case, [LETTER])
        account = report(case, case.rows.batches())
        shown = [repr(case), repr(case.settings), repr(account), as_text(report_sheet(account)), described(url)]
    assert account["batches"][0]["settings"]["database"] == MASK
    [schema] = schemas() - before
    with by_hand(schema) as sql:
        shown += [
            str(sql.execute(f"SELECT t::text FROM {table.name} t").fetchall()) for table in metadata.sorted_tables
        ]
    assert not [each for each in shown if "hush" in each or str(postgres.server().folder) in each]
    assert not [path for path in tmp_path.rglob("*") if path.is_file() and b"hush" in path.read_bytes()]


@pytest.mark.requirement("D4")
def test_d4_who_looks_asks_the_readers_endpoint_and_who_works_the_writers(tmp_path: Path) -> None:
    url = postgres.server().url
    with opened(tmp_path, create=True, database=url) as case:
        imported(case, [LETTER])
    both = [f"database={url}", f"database_reader={url}"]
    with open_reader(tmp_path, NAME, load_settings(both, environ={})) as looked_at:
        assert len(list(looked_at.rows.exhibits())) == 1
    away = [f"database={url}", "database_reader=postgresql://nobody@127.0.0.1:1/none?connect_timeout=2"]
    settings = load_settings(away, environ={})
    with pytest.raises(DatabaseUnavailable):
        open_reader(tmp_path, NAME, settings)
    with open_case(tmp_path, NAME, settings) as case:
        assert case.rows.batches() and not case.store.open_jobs()
