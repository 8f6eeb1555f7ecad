"""What a PostgreSQL server and the way to it can do to a case: named, tried again, or stopped, and never half done."""

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import psycopg
import pytest
from sqlalchemy import Connection, text
from tests.support import postgres

from redwell.adapters.postgres import database as adapter
from redwell.adapters.postgres.connect import server_version
from redwell.adapters.postgres.database import PostgresDatabase
from redwell.adapters.sql.new_case import create_case
from redwell.core.errors import DatabaseUnavailable, Recoverable, UserError

Opener = Callable[[], PostgresDatabase]


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Iterator[Opener]:
    """Opens databases on one case, which waits for locks but a short time."""
    monkeypatch.setattr(adapter, "PAUSE_S", 0.01)
    monkeypatch.setattr(adapter, "LOCK_S", 0.3)
    with postgres.schema() as schema, ExitStack() as stack:

        def open_one() -> PostgresDatabase:
            database = PostgresDatabase(postgres.server().url, schema)
            stack.callback(database.close)
            return database

        create_case(open_one(), {"name": "contract"})
        yield open_one


def note(value: str) -> Callable[[Connection], None]:
    def work(tx: Connection) -> None:
        tx.execute(text("INSERT INTO case_info VALUES (:value, 'x')"), {"value": value})

    return work


def notes(database: PostgresDatabase) -> set[str]:
    with database.read() as tx:
        return set(tx.execute(text("SELECT key FROM case_info")).scalars()) - {"name", "schema"}


def backend(tx: Connection) -> int:
    return int(tx.execute(text("SELECT pg_backend_pid()")).scalar_one())


def administer(statement: str) -> None:
    with psycopg.connect(postgres.server().url, autocommit=True) as connection:
        connection.execute(statement)


@pytest.mark.requirement("D4")
def test_writers_of_a_case_take_turns(opened: Opener) -> None:
    first, second, seen = opened(), opened(), list[set[str]]()
    inside, over = threading.Event(), threading.Event()

    def slow(tx: Connection) -> None:
        note("first")(tx)
        inside.set()
        over.wait(0.1)

    thread = threading.Thread(target=first.write, args=(slow,))
    thread.start()
    inside.wait()
    second.write(lambda tx: seen.append(set(tx.execute(text("SELECT key FROM case_info")).scalars())))
    thread.join()
    assert "first" in seen[0], "the second began when the first had ended"


@pytest.mark.requirement("D5")
def test_a_lock_that_is_not_to_be_had_is_tried_for_again_and_named(opened: Opener) -> None:
    database, tries = opened(), []
    with psycopg.connect(postgres.server().url) as outsider:
        outsider.execute(f"LOCK TABLE {database._schema}.case_info")

        def work(tx: Connection) -> None:
            tries.append(1)
            note("mine")(tx)

        with pytest.raises(Recoverable, match="locked by others"):
            database.write(work)
    assert len(tries) == adapter.TRIES
    assert notes(database) == set()


@pytest.mark.requirement("D5")
def test_a_deadlock_is_rolled_back_and_tried_again(opened: Opener) -> None:
    database, tries = opened(), []

    def work(tx: Connection) -> None:
        tries.append(1)
        note(f"try {len(tries)}")(tx)
        if len(tries) < adapter.TRIES:
            tx.execute(text("DO $$ BEGIN RAISE EXCEPTION SQLSTATE '40P01'; END $$"))

    database.write(work)
    assert notes(database) == {f"try {adapter.TRIES}"}


def test_a_connection_that_is_cut_undoes_its_transaction_and_the_next_one_connects_anew(opened: Opener) -> None:
    database = opened()

    def cut(tx: Connection) -> None:
        note("half")(tx)
        administer(f"SELECT pg_terminate_backend({backend(tx)}, 5000)")
        note("other half")(tx)

    with pytest.raises(DatabaseUnavailable, match="went away"):
        database.write(cut)
    database.write(note("later"))
    assert notes(database) == {"later"}


def test_a_server_that_is_stopped_is_named_and_after_its_start_all_goes_on(opened: Opener) -> None:
    database, server = opened(), postgres.server()
    database.write(note("before"))
    server.stop()
    try:
        for ask in (lambda: database.write(note("lost")), lambda: notes(database), lambda: server_version(server.url)):
            with pytest.raises(DatabaseUnavailable):
                ask()
    finally:
        server.start()
    database.write(note("after"))
    assert notes(database) == {"before", "after"}


def test_a_frozen_writer_loses_its_transaction_and_others_go_on(
    opened: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    frozen, other = opened(), opened()
    monkeypatch.setattr(adapter, "FROZEN_S", 0.1)

    def freeze(tx: Connection) -> None:
        note("frozen")(tx)
        other.write(note("other"))  # waits for the lock until the server has had enough of the frozen one
        note("awake")(tx)

    with pytest.raises(DatabaseUnavailable):
        frozen.write(freeze)
    assert notes(other) == {"other"}


@pytest.mark.requirement("D4")
def test_a_reader_sees_one_state_and_cannot_write(opened: Opener) -> None:
    database, writer = opened(), opened()
    with database.read() as tx:
        before = tx.execute(text("SELECT count(*) FROM case_info")).scalar_one()
        writer.write(note("meanwhile"))
        assert tx.execute(text("SELECT count(*) FROM case_info")).scalar_one() == before
        with pytest.raises(Exception, match="read-only"):
            note("no")(tx)


@pytest.mark.parametrize(
    ("url", "error"),
    [
        ("mysql://user:hush@host/db", UserError),
        ("postgresql//user:hush@host/db", UserError),
        ("postgresql://user:hush@host:port/db", DatabaseUnavailable),
        ("postgresql://user:hush@127.0.0.1:1/db", DatabaseUnavailable),
    ],
)
def test_no_message_about_a_url_tells_its_password(url: str, error: type[Exception]) -> None:
    with pytest.raises(error) as raised:
        server_version(url)
    chain = [raised.value, raised.value.__cause__]
    assert not [each for each in chain if "hush" in str(each)]


def test_a_database_that_is_not_there_is_named() -> None:
    with pytest.raises(DatabaseUnavailable, match="nowhere"):
        server_version(postgres.server().url_of("nowhere"))


def test_a_case_that_is_not_in_the_database_is_the_users_to_mend() -> None:
    database = PostgresDatabase(postgres.server().url, "redwell_case_of_elsewhere")
    with pytest.raises(UserError, match="is not in the database"):
        notes(database)
    database.close()


def test_a_database_that_cannot_keep_every_character_is_refused() -> None:
    administer("CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
    database = PostgresDatabase(postgres.server().url_of("latin"), "any")
    with pytest.raises(UserError, match="LATIN1"):
        notes(database)
    database.close()


def test_an_index_that_the_server_calls_invalid_is_found(opened: Opener) -> None:
    database = opened()
    with database.read() as tx:
        assert list(database.integrity(tx)) == []
    administer("UPDATE pg_index SET indisvalid = false WHERE indexrelid = "
               f"'{database._schema}.ingestion_document'::regclass")  # fmt: skip
    with database.read() as tx:
        assert list(database.integrity(tx)) == ["PostgreSQL calls the index ingestion_document invalid; REINDEX it"]
