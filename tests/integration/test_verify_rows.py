"""`redwell verify` finds every value and every row of a case that was changed or removed by hand."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Table
from tests.support.cases import by_hand, opened

from redwell.adapters.sql.tables import metadata
from redwell.core.case.findings import Check
from redwell.runtime.bootstrap.open_case import Case
from redwell.runtime.upkeep.verify import verify

# Columns whose value says nothing any more once the row is done; every other one must be guarded.
WITHOUT_MEANING = {
    ("batch", "finished_ms"): "when the end was noticed; that there was one is checked",
    ("ingestion", "attempt"): "fences writers of an open row; a done row has none",
    ("derivation", "attempt"): "fences writers of an open row; a done row has none",
    ("derivation", "lane"): "where to work on it next; there is no next",
    ("derivation", "tries"): "failures until the end, not part of the result",
    ("derivation", "lost"): "failures until the end; the lost members are rows themselves",
    ("derivation", "deaths"): "failures until the end, not part of the result",
    ("derivation", "batch"): "whose turn it is while the row is open",
    ("derivation", "profile"): "which children take it; a done row is taken by nobody",
    ("derivation", "given_up"): "that it waits for a person; how it ended is in its outcome",
    ("derivation", "posted"): "for which claim a message is out; a done row is claimed by nobody",
    ("job", "served_ms"): "whose turn it is while the job is open",
    ("exhibit", "sketch"): "what `redwell near` compares by; the score is of the words themselves",
    ("load_pending", "taken"): "lets the loader notice a change while it works",
    ("load_pending", "owner"): "whose turn it is while the row is there",
    ("load_pending", "until_ms"): "likewise",
}
# Tables whose rows stand for themselves: nothing else in a case depends on them.
UNGUARDED = {
    "case_info": "labels of the case; one without its schema does not even open",
    "thread_key": "by what mails find their threads; every reindex makes it anew",
    "custodian": "names in the order in which they came; every reindex notes them anew",
    "batch_source": "what the sealed rows of walks say, too; every reindex notes it anew",
    "batch_outcome": "counts, compared with the rows; without any of a batch its rows are counted (test_case_reader)",
    "held_by": "custodians of copies; what is told of them is compared with the index",
    "worker": "processes at work now; those of the dead go by themselves",
    "task_queue": "how messages reach workers while a job is open; the ledger's rows are sent again without it",
    "wanted": "renditions that an open batch waits for beside its own; a finished one has none",
    "run": "the history of the case: a value that was changed breaks its seal, and no exhibit depends on it",
    "parked_post": "notices that nobody took; no exhibit depends on them",
    "uploaded": "which PDFs an engine elsewhere was handed; without a row it is handed them again",
    "event": "a log of what happened when; a kill right after the fact may cost an event",
}
GUARDED = [table for table in metadata.sorted_tables if table.name not in UNGUARDED]
COLUMNS = [
    (table, column.name)
    for table in GUARDED
    for column in table.columns
    if (table.name, column.name) not in WITHOUT_MEANING
]
# One way to provoke each check; that nothing else can be wrong without being found is shown below.
PROVOKED = {
    Check.UNFINISHED: "UPDATE batch SET finished_ms = NULL WHERE id = 1",
    Check.SOURCES: "DELETE FROM ingestion WHERE source = 1 AND batch = 2",
    Check.WALK: "DELETE FROM ingestion WHERE name = 'link'",
    Check.FAMILY: "UPDATE exhibit SET control = control || 'x' WHERE number = 2",
    Check.OUTCOME: "UPDATE ingestion SET outcome = NULL WHERE name = 'inner.txt'",
    Check.BALANCE: "DELETE FROM member WHERE name = 'broken.doc'",
    Check.CHILDREN: "DELETE FROM ingestion WHERE name = 'inner.txt'",
    Check.DECLARED: "UPDATE derivation SET problems = '[]' WHERE declared = 7",
    Check.REFERENCE: "DELETE FROM document WHERE id = 1",
    Check.ORPHAN: "DELETE FROM member WHERE name = 'deepest.txt'",
    Check.SEAL: "UPDATE ingestion SET dates = '{}' WHERE name = 'link'",
    Check.BYTES: 'UPDATE blob SET "offset" = "offset" + 1',
    Check.INDEX: "UPDATE ingestion SET path = 'elsewhere' WHERE name = 'link'",
    Check.PENDING: "INSERT INTO load_pending (exhibit) VALUES (2)",
}


@pytest.fixture(scope="module")
def copied(prepared: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Case]:
    with opened(Path(shutil.copytree(prepared, tmp_path_factory.mktemp("copied") / "home"))) as case:
        yield case


@pytest.fixture
def case(prepared: Path, copied: Case) -> Iterator[Case]:
    """The same case for every test; its rows are put back afterwards."""
    yield copied
    [untouched] = prepared.glob("cases/*/case.sqlite")
    with closing(sqlite3.connect(untouched)) as source, by_hand(copied) as sql:
        source.backup(sql)
    assert list(verify(copied)) == []


@pytest.mark.parametrize(("check", "change"), PROVOKED.items())
def test_each_check_names_what_it_is_for(case: Case, check: Check, change: str) -> None:
    with by_hand(case) as sql:
        sql.execute(change)
    assert check in {finding.check for finding in verify(case)}


def test_every_check_is_provoked() -> None:
    """The database check has a test of its own in test_verify.py, the noted counts in test_mail_stores.py, what a
    cancelled import left unread in test_unfinished.py, the chain of the audit log in test_review_store.py, what is
    read from texts in test_verify_texts.py."""
    elsewhere = {Check.DATABASE, Check.COUNTS, Check.CANCELLED, Check.AUDIT, Check.TEXTS}
    assert set(PROVOKED) | elsewhere == set(Check)


def test_what_is_left_out_is_still_in_the_schema() -> None:
    columns = {(table.name, column.name) for table in metadata.sorted_tables for column in table.columns}
    assert set(WITHOUT_MEANING) <= columns
    assert set(UNGUARDED) <= set(metadata.tables)


@pytest.mark.parametrize(("table", "column"), COLUMNS, ids=lambda value: getattr(value, "name", value))
def test_a_value_changed_by_hand_is_found(case: Case, table: Table, column: str) -> None:
    with by_hand(case) as sql:
        if table.name == "load_pending":  # empty in a finished case: an exhibit of another one waits
            sql.execute("INSERT INTO load_pending (exhibit) VALUES (2)")
        tried = 0
        for row in _rows(sql, table):
            for value in _others(row[column], str(table.columns[column].type)):
                with _with_value(sql, table, row, {column: value}) as accepted:
                    tried += accepted
                    assert not accepted or next(verify(case), None), f"{column} = {value!r} in {row}"
        assert tried


@pytest.mark.parametrize("table", GUARDED, ids=lambda table: table.name)
def test_a_row_deleted_by_hand_is_found(case: Case, table: Table) -> None:
    with by_hand(case) as sql:
        for row in _rows(sql, table):
            where = " AND ".join(f"{key.name} IS ?" for key in table.primary_key)
            sql.execute(f"DELETE FROM {table.name} WHERE {where}", [row[key.name] for key in table.primary_key])
            assert next(verify(case), None), row
            marks = ", ".join("?" * len(row))
            sql.execute(f"INSERT INTO {table.name} ({', '.join(row)}) VALUES ({marks})", list(row.values()))


def _rows(sql: sqlite3.Connection, table: Table) -> list[dict[str, Any]]:
    cursor = sql.execute(f"SELECT * FROM {table.name}")
    return [dict(zip([column[0] for column in cursor.description], row, strict=True)) for row in cursor]


def _others(value: object, kind: str) -> list[object]:
    """What somebody might put there instead: something plausible, nonsense, nothing at all."""
    if value is None:
        return [{"INTEGER": 1, "VARCHAR": "x", "BLOB": b"x"}[kind], b"\xff\x00"]
    if isinstance(value, bytes):
        return [bytes([value[0] ^ 1]) + value[1:], "text", None]
    if isinstance(value, int):
        return [value + 1, value - 1, value + 1000, "text", None]
    text = str(value)
    if text.startswith(("{", "[")):
        return [f"{text[0]} {text[-1]}", text + "x", None]
    return [text + "x", b"\xff\x00", None]


@contextmanager
def _with_value(sql: sqlite3.Connection, table: Table, row: dict[str, Any], new: dict[str, object]) -> Iterator[bool]:
    """The row has a new value for a while; False when the schema itself refuses that."""
    [(column, value)] = new.items()
    keys = [key.name for key in table.primary_key]
    change = f"UPDATE {table.name} SET {column} = ? WHERE {' AND '.join(f'{key} IS ?' for key in keys)}"
    try:
        sql.execute(change, (value, *(row[key] for key in keys)))
    except sqlite3.Error:
        yield False
        return
    yield True
    sql.execute(change, (row[column], *({**row, **new}[key] for key in keys)))
