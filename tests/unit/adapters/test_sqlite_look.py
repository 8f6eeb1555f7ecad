"""A look goes through the connection that writes: it sees what was committed, and leaves nothing behind."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import Connection, text

from redwell.adapters.sqlite.database import SqliteDatabase


@pytest.fixture
def database(tmp_path: Path) -> Iterator[SqliteDatabase]:
    with closing(SqliteDatabase(tmp_path / "case.sqlite")) as made:
        made.write(lambda tx: tx.execute(text("CREATE TABLE note (words TEXT)")))
        yield made


def add(tx: Connection, words: str) -> None:
    tx.execute(text("INSERT INTO note VALUES (:words)"), {"words": words})


def notes(tx: Connection) -> list[str]:
    return [words for (words,) in tx.execute(text("SELECT words FROM note"))]


def test_a_look_sees_what_this_and_other_processes_have_committed(database: SqliteDatabase) -> None:
    database.write(lambda tx: add(tx, "mine"))
    with closing(SqliteDatabase(database.path)) as other:
        other.write(lambda tx: add(tx, "theirs"))
    with database.look() as tx:
        assert notes(tx) == ["mine", "theirs"]


def test_nothing_that_is_done_in_a_look_stays(database: SqliteDatabase) -> None:
    with database.look() as tx:
        add(tx, "lost")
    with database.read() as tx:
        assert notes(tx) == []


def test_a_look_that_fails_keeps_nobody_from_writing(database: SqliteDatabase) -> None:
    with pytest.raises(ZeroDivisionError), database.look():
        raise ZeroDivisionError
    database.write(lambda tx: add(tx, "after it"))
    with database.look() as tx:
        assert notes(tx) == ["after it"]
