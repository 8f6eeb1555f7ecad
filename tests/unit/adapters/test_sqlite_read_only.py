"""A SQLite file that is only looked at, while somebody else comes and goes."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from redwell.adapters.sql_reader.session import Row
from redwell.adapters.sqlite.read_only import SqliteFile, SqliteSession
from redwell.core.errors import NotFound, Permanent
from redwell.ports.audit import Overtaken

COUNT = "SELECT count(*) FROM t"


@pytest.fixture
def file(tmp_path: Path) -> Iterator[Path]:
    with closing(written(tmp_path / "a.sqlite")) as driver:
        driver.execute("CREATE TABLE t (x)")
        driver.executemany("INSERT INTO t VALUES (?)", [(number,) for number in range(2_000)])
    yield tmp_path / "a.sqlite"


def written(path: Path) -> sqlite3.Connection:
    driver = sqlite3.connect(path, isolation_level=None)
    driver.execute("PRAGMA journal_mode=WAL")
    return driver


def count(database: SqliteFile) -> int:
    with database.view() as session:
        return int(session.all(COUNT)[0][0])


def test_a_file_that_nobody_is_at_is_read_without_a_trace(file: Path) -> None:
    before = os.stat(file.parent)
    with closing(SqliteFile(file)) as database:
        assert count(database) == 2_000
        assert os.listdir(file.parent) == ["a.sqlite"]
    assert os.stat(file.parent).st_mtime_ns == before.st_mtime_ns


def test_what_a_writer_commits_is_seen_by_the_next_look(file: Path) -> None:
    with closing(SqliteFile(file)) as database:
        assert count(database) == 2_000
        with closing(written(file)) as driver:
            driver.execute("INSERT INTO t VALUES (0)")
            assert count(database) == 2_001
            driver.execute("INSERT INTO t VALUES (0)")
            assert count(database) == 2_002
        assert count(database) == 2_002
    with closing(SqliteFile(file)) as database:
        assert count(database) == 2_002


def test_a_look_during_which_somebody_begins_to_write_gives_nothing_of_two_states(file: Path) -> None:
    with closing(SqliteFile(file)) as database:
        with pytest.raises(Overtaken), database.view() as session:
            rows = session.stream("SELECT x FROM t")
            assert next(rows) == (0,)
            with closing(written(file)) as driver:
                driver.execute("DELETE FROM t")
                driver.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                list(rows)
        assert count(database) == 0


def test_a_look_beside_a_writer_sees_one_state_and_holds_nobody_up(file: Path) -> None:
    with closing(written(file)) as driver, closing(SqliteFile(file)) as database:
        driver.execute("INSERT INTO t VALUES (0)")
        with database.view() as session:
            rows = session.stream("SELECT x FROM t")
            next(rows)
            driver.execute("DELETE FROM t")
            assert len(list(rows)) == 2_000
        assert count(database) == 0


def test_lists_are_parameters(file: Path) -> None:
    with closing(SqliteFile(file)) as database, database.view() as session:
        assert session.all("SELECT x FROM t WHERE x IN :some ORDER BY x", some=[7, 3, 9_999]) == [(3,), (7,)]
        assert session.all("SELECT x FROM t WHERE x IN :some", some=[]) == []
        assert session.all("SELECT 1 WHERE x'ab' IN :some", some=[b"\xab", b"\xcd"]) == [(1,)]


def test_nothing_can_be_written(file: Path) -> None:
    with closing(SqliteFile(file)) as database, pytest.raises(sqlite3.OperationalError), database.view() as session:
        session.all("DELETE FROM t")


def test_a_file_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    with closing(SqliteFile(tmp_path / "a.sqlite")) as database:
        assert not database.has_table("t")
        with pytest.raises(NotFound), database.view():
            pass
    assert os.listdir(tmp_path) == []


def test_a_file_that_is_no_database_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.sqlite").write_bytes(b"nothing of the kind" * 100)
    with closing(SqliteFile(tmp_path / "a.sqlite")) as database, pytest.raises(Permanent), database.view():
        pass


def test_whether_a_table_is_there_is_answered_while_somebody_begins_to_write(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As `redwell workers` asks in the moment that a worker begins."""
    look, begun = SqliteSession.all, []

    def all_but_first(session: SqliteSession, query: str, **values: object) -> list[Row]:
        if not begun:
            begun.append(written(file))
            begun[0].execute("INSERT INTO t VALUES (0)")
        return look(session, query, **values)

    monkeypatch.setattr(SqliteSession, "all", all_but_first)
    with closing(SqliteFile(file)) as database:
        assert database.has_table("t")
    begun[0].close()
