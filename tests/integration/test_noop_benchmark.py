"""The ceiling that the ledger is measured against does the ledger's own work."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from benchmarks.engine import replaced
from benchmarks.noop import Pair, asked_by_ledger, in_turns, made_case
from benchmarks.recorded_sql import Asked, replayed, transactions, without_reads

TASKS = 250


def _rows(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        return list(connection.iterdump())


@pytest.fixture
def recorded(tmp_path: Path) -> tuple[list[Asked], Path, Path]:
    """What was asked, the case before it and the case after it."""
    before, after = tmp_path / "before.sqlite", tmp_path / "after.sqlite"
    batch = made_case(before, TASKS)
    shutil.copyfile(before, after)
    return asked_by_ledger(after, batch), before, after


def test_replayed_writes_leave_the_rows_that_the_ledger_leaves(recorded: tuple[list[Asked], Path, Path]) -> None:
    asked, case, after = recorded
    assert _rows(case) != _rows(after)
    in_turns(replayed(case, without_reads(asked)))
    assert _rows(case) == _rows(after)


def test_writes_are_replayed_in_as_many_transactions(recorded: tuple[list[Asked], Path, Path]) -> None:
    asked, _, _ = recorded
    assert transactions(without_reads(asked)) == transactions(asked) == 7  # claim and record thrice, then nothing
    assert all(type(value) in {str, int, bytes, type(None)} for each in asked for value in _flat(each))


def _flat(asked: Asked) -> list[object]:
    return [value for row in asked.values for value in row] if asked.many else list(asked.values)


def test_the_round_with_the_middle_ratio_counts() -> None:
    pair = Pair(ours=[9.0, 1.0, 4.0], bare=[10.0, 10.0, 8.0])
    assert pair.middle == (4.0, 8.0)


def test_a_part_of_the_page_is_replaced_and_the_others_stay() -> None:
    page = "head\n<!-- measured: a -->\nold\n<!-- end: a -->\nbetween\n<!-- measured: b -->\nkept\n<!-- end: b -->\n"
    assert replaced(page, "a", "new\n") == page.replace("old", "new")
