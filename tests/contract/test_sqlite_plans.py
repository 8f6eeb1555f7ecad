"""The SQLite case store stays flat: no statement of an import reads a whole table to find its rows."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from redwell.adapters.sql.new_case import create_case
from redwell.adapters.sql.prepared import Prepared
from redwell.adapters.sql_exhibits import (
    exhibit_rows,
    filing_rows,
    load_queue,
    load_store,
    member_exhibits,
    parts,
    settle,
    settle_rows,
    threads,
)
from redwell.adapters.sql_jobs import jobs, workers
from redwell.adapters.sql_ledger import (
    batches,
    cancel,
    claim_rows,
    claim_transitions,
    contents,
    member_rows,
    read_rows,
    renditions,
    text_first,
    volumes,
    work_results,
)
from redwell.adapters.sql_queues import event_journal, task_posts, task_queue_store
from redwell.adapters.sqlite.database import SqliteDatabase

MODULES = (
    *(batches, cancel, contents, work_results, jobs, claim_rows, member_rows, claim_transitions, settle, load_queue),
    *(task_posts, event_journal, read_rows, member_exhibits, task_queue_store, volumes, settle_rows, workers),
    *(load_store, parts, renditions, text_first, exhibit_rows, filing_rows, threads),
)
STATEMENTS = {
    f"{module.__name__.rpartition('.')[2]}.{name}": statement
    for module in MODULES
    for name, statement in vars(module).items()
    if isinstance(statement, Prepared)
}
# reads the index of the rows that are open, which empties as the work is done
OPEN_ROWS_ONLY = {
    "jobs._OPEN": "SCAN job USING INDEX job_open",
    "settle_rows._READY": "SCAN ingestion USING INDEX ingestion_waiting",
}
# a row for each process that works
WORKERS = {"workers._ALL": "SCAN worker USING INDEX sqlite_autoindex_worker_1"}
# two rows for each open job
TASK_QUEUES = dict.fromkeys(
    ("task_posts._SERVED", "task_queue_store._QUEUES"), "SCAN task_queue USING INDEX sqlite_autoindex_task_queue_1"
)
# the index's queue, from its beginning
QUEUE = {"load_queue._TAKE": "SCAN load_pending"}

# the files of one set, which are a thousand at most
SORTED = ("volumes._SIBLINGS", "volumes._BESIDE")


@pytest.fixture(scope="module")
def case_file(tmp_path_factory: pytest.TempPathFactory) -> Iterator[sqlite3.Connection]:
    path: Path = tmp_path_factory.mktemp("plans") / "case.sqlite"
    with closing(SqliteDatabase(path)) as database:
        create_case(database, {"name": "plans"})
        database.write(task_posts.prepare)
    with closing(sqlite3.connect(path)) as connection:
        yield connection


@pytest.mark.parametrize("name", STATEMENTS)
def test_a_statement_finds_its_rows_by_an_index(case_file: sqlite3.Connection, name: str) -> None:
    plan = _plan(case_file, name)
    scans = [step for step in plan if step.startswith("SCAN") and "VIRTUAL TABLE" not in step]
    assert scans == [step for step in [{**OPEN_ROWS_ONLY, **QUEUE, **WORKERS, **TASK_QUEUES}.get(name)] if step]
    assert name in SORTED or not [step for step in plan if "ORDER BY" in step], "sorted by hand"


def test_members_of_a_long_manifest_are_looked_up_by_their_locators(case_file: sqlite3.Connection) -> None:
    assert any("derivation=? AND locator=?" in step for step in _plan(case_file, "member_rows._KNOWN"))


def test_what_is_still_to_be_posted_is_found_by_an_index_of_its_own(case_file: sqlite3.Connection) -> None:
    assert "derivation_unposted (batch=? AND lane=?)" in _plan(case_file, "task_posts._UNPOSTED")[0]
    assert "derivation_given_up (batch=? AND lane=?)" in _plan(case_file, "task_posts._GIVEN_UP")[0]


def test_volumes_in_a_container_are_found_by_it_and_not_among_all_that_wait_for_theirs(
    case_file: sqlite3.Connection,
) -> None:
    assert "ingestion_gathered (parent=?)" in _plan(case_file, "volumes._GATHERED")[0]


def test_whether_a_batch_waits_for_a_content_is_asked_by_the_content(case_file: sqlite3.Connection) -> None:
    assert any("ingestion_waiting (derivation=?)" in step for step in _plan(case_file, "task_queue_store._LENT"))


def test_what_older_batches_have_in_the_queue_of_the_index_is_not_looked_at(case_file: sqlite3.Connection) -> None:
    plan = _plan(case_file, "batches._LAST_UNINDEXED")
    assert plan[0] == "SEARCH load_pending USING INTEGER PRIMARY KEY (rowid>?)"
    assert any(step.startswith("SEARCH source ") and "(parent=?)" in step for step in plan)


def _plan(case_file: sqlite3.Connection, name: str) -> list[str]:
    statement = STATEMENTS[name].text("sqlite")
    explained = case_file.execute(f"EXPLAIN QUERY PLAN {statement.sql}", [1] * len(statement.names))
    return [row[3] for row in explained]
