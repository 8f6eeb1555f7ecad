"""The PostgreSQL case store stays flat: no statement of an import reads a whole table to find its rows.

The plans are those of a case that has just begun, which the server may keep while it grows.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import Connection
from tests.contract.test_sqlite_plans import STATEMENTS
from tests.support import postgres
from tests.support.cases import opened

from redwell.adapters.postgres.database import PostgresDatabase
from redwell.adapters.sql.new_case import create_case
from redwell.adapters.sql_exhibits.taken_exhibits import _TAKEN
from redwell.adapters.sql_queues import task_posts
from redwell.core.jobs.job import NewJob
from redwell.core.work.records import Found
from redwell.runtime.bootstrap.cases.case_notes import note_of
from redwell.runtime.upkeep.batches import begin

Explain = Callable[[str], list[str]]
TEXTS = {name: statement.text("postgresql") for name, statement in STATEMENTS.items()}
LISTED = {f"{name} of many rows": text.arrays.sql for name, text in TEXTS.items() if text.arrays}
SQL = {**{name: text.sql for name, text in TEXTS.items()}, **LISTED}
# where only as much may be touched as is taken, however long the queue
QUEUES = (
    *("claim_rows._QUEUED", "claim_rows._BORROWED", "read_rows._CLAIM", "load_queue._TAKE"),
    *(
        "task_posts._UNPOSTED",
        "task_posts._UNPOSTED_TEXT",
        "task_posts._FROM",
        "task_posts.LAST",
        "task_queue_store._SENT",
    ),
)


@pytest.fixture(scope="module")
def explain() -> Iterator[Explain]:
    with postgres.schema() as schema, closing(PostgresDatabase(postgres.server().url, schema)) as database:
        create_case(database, {"name": "plans"})
        database.write(task_posts.prepare)
        yield lambda name: database.write(lambda tx: _plan(tx, SQL[name]))


def _plan(tx: Connection, sql: str) -> list[str]:
    """As for a prepared statement of which the server does not know the parameters."""
    names = list(dict.fromkeys(re.findall(r"%\((\w+)\)s", sql)))
    for number, parameter in enumerate(names, 1):
        sql = sql.replace(f"%({parameter})s", f"${number}")
    driver = tx.connection.driver_connection
    assert driver
    return [line for (line,) in driver.execute(f"EXPLAIN (GENERIC_PLAN, COSTS OFF) {sql}")]


@pytest.mark.parametrize("name", SQL)
def test_a_statement_finds_its_rows_by_an_index(explain: Explain, name: str) -> None:
    plan = explain(name)
    assert not [step for step in plan if re.search(r"Seq Scan|Hash (Left )?Join|Merge (Left )?Join", step)], plan


@pytest.mark.parametrize("name", QUEUES)
def test_a_queue_is_taken_from_its_beginning(explain: Explain, name: str) -> None:
    plan = explain(name)
    assert not [step for step in plan if re.search(r"Sort|Bitmap", step)], plan


def test_members_of_a_long_manifest_are_looked_up_by_their_locators(explain: Explain) -> None:
    plan = explain("member_rows._KNOWN")
    assert any("Index Cond" in step and "locator = " in step and "derivation = " in step for step in plan), plan


def test_members_of_a_long_manifest_are_replayed_from_where_the_last_step_ended(explain: Explain) -> None:
    plan = explain("member_exhibits._MEMBERS")
    assert any("Index Cond" in step and "ordinal >= " in step for step in plan), plan


def test_what_is_still_to_be_posted_is_found_by_an_index_of_its_own(explain: Explain) -> None:
    assert any("derivation_unposted" in step for step in explain("task_posts._UNPOSTED"))
    assert any("derivation_given_up" in step for step in explain("task_posts._GIVEN_UP"))


def test_members_are_looked_for_in_the_index_where_all_files_have_one_parent(tmp_path: Path) -> None:
    """With statistics of such a case; without them any plan is good."""
    url = postgres.server().url
    with opened(tmp_path, create=True, database=url) as case:
        batch = begin(case, ["/evidence"], "files", None, NewJob())
        [walk] = case.store.claim_walks(batch)
        files = [Found(locator=f"{n}", name=f"{n}", path=f"{n}", size=1) for n in range(3_000)]
        case.store.close_walk(walk, files, len(files))
        note = note_of(case.folder)
    assert note
    sql = re.sub(r"%\(ids\w*\)s(::\w+\[\])?", "ARRAY(SELECT generate_series(2, 400))", _TAKEN.text("postgresql").sql)
    with psycopg.connect(url) as connection:
        connection.execute(f'SET search_path TO "{note.schema}"')
        connection.execute("ANALYZE")
        plan = [line for (line,) in connection.execute(f"EXPLAIN (COSTS OFF) {sql}").fetchall()]
    assert any("member" in step for step in plan)
    assert not [step for step in plan if "Seq Scan on ingestion member" in step], plan
