"""Evidence that comes by itself: folders and a real mailbox. Each arrival is taken once, whatever happens."""

import json
import os
import signal
import threading
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest
from imapclient import IMAPClient
from tests.support.dovecot import PASSWORD, imap_server
from tests.support.product import ask, redwell
from tests.support.review_cases import case_with_exhibits

from redwell.adapters.imap.watcher import ImapWatcher
from redwell.adapters.sql_understanding.sources import SqlSourceStore
from redwell.adapters.sqlite.database import SqliteDatabase
from redwell.core.errors import ServiceUnavailable, UserError
from redwell.intake.watch_folder import FolderWatcher
from redwell.ports.sources import Brought, Sighted, Source
from redwell.runtime.sources.acquiring import Acquiring
from redwell.runtime.sources.deliveries import Deliveries
from redwell.runtime.sources.waiting import Waiting

pytestmark = pytest.mark.requirement("B1", "B2")
MAIL = b"From: bo@example.org\r\nTo: ann@example.org\r\nSubject: %b\r\n\r\nthe coating\r\n"


@pytest.fixture
def store(tmp_path: Path) -> SqlSourceStore:
    database = SqliteDatabase(tmp_path / "case.sqlite")
    case_with_exhibits(database, 1)
    return SqlSourceStore(database)


def gathered(store: SqlSourceStore, source: Source, watcher: FolderWatcher | ImapWatcher, home: Path) -> list[str]:
    """The names of what is new; the bytes of each lie in the home."""
    (now,) = [each for each in store.all() if each.id == source.id]
    deliveries = Deliveries(home, 1, store)
    before = {each.key for each in store.open_arrivals(source.id)}
    Acquiring(store, deliveries)(now, watcher)
    new = [each for each in store.open_arrivals(source.id) if each.key not in before]
    assert all((deliveries.path_of(source, each) / each.name).is_file() for each in new)
    return [each.name for each in new]


def test_a_file_is_taken_once_when_it_has_come_to_rest(store: SqlSourceStore, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    (folder / "deeper").mkdir(parents=True)
    (folder / "a.txt").write_text("one")
    (folder / "deeper" / "b.txt").write_text("two")
    (folder / "link").symlink_to("/etc/passwd")
    os.utime(folder / "a.txt", (1, 1))
    source = store.add("folder", str(folder), {}, "ada")
    patient, eager = FolderWatcher(folder, settled_s=600), FolderWatcher(folder, settled_s=-10)
    assert gathered(store, source, patient, tmp_path / "home") == ["a.txt"], "the other is being written"
    assert gathered(store, source, eager, tmp_path / "home") == ["b.txt"], "a link leads out of the folder"
    assert gathered(store, source, eager, tmp_path / "home") == []
    (folder / "a.txt").write_text("one more")
    assert gathered(store, source, eager, tmp_path / "home") == ["a.txt"], "it has changed"


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with imap_server() as port:
        yield port


def mailbox(port: int, user: str) -> IMAPClient:
    client = IMAPClient("127.0.0.1", port=port, ssl=False)
    client.login(user, PASSWORD)
    return client


def watcher(port: int, user: str, password: str = PASSWORD) -> ImapWatcher:
    settings = {"host": "127.0.0.1", "port": port, "user": user, "folder": "INBOX", "tls": False}
    return ImapWatcher(settings, password)


def test_mails_are_taken_once_and_left_as_they_are(store: SqlSourceStore, tmp_path: Path, port: int) -> None:
    client, watching = mailbox(port, "ann"), watcher(port, "ann")
    client.append("INBOX", MAIL % b"first")
    source = store.add("imap", "ann", {}, "ada")
    assert gathered(store, source, watching, tmp_path) == ["1.eml"]
    assert gathered(store, source, watching, tmp_path) == []
    for subject in (b"second", b"third"):
        client.append("INBOX", MAIL % subject)
    assert gathered(store, source, watching, tmp_path) == ["2.eml", "3.eml"]
    arrived = store.open_arrivals(source.id)
    assert [each.said["subject"] for each in arrived] == ["first", "second", "third"]
    raw = (Deliveries(tmp_path, 1, store).path_of(source, arrived[0]) / "1.eml").read_bytes()
    assert raw == MAIL % b"first", "raw mails are kept"
    client.select_folder("INBOX", readonly=True)
    assert client.search(["UNSEEN"]) == [1, 2, 3], "nothing is marked as read"
    watching.close()
    client.logout()


def test_a_mailbox_that_was_made_anew_brings_no_mail_twice(store: SqlSourceStore, tmp_path: Path, port: int) -> None:
    client, watching = mailbox(port, "bob"), watcher(port, "bob")
    watching._settings["folder"] = "Evidence"
    client.create_folder("Evidence")
    for subject in (b"first", b"second"):
        client.append("Evidence", MAIL % subject)
    source = store.add("imap", "bob", {}, "ada")
    assert len(gathered(store, source, watching, tmp_path)) == 2
    (before,) = store.all()
    client.delete_folder("Evidence")
    client.create_folder("Evidence")
    for subject in (b"second", b"third"):
        client.append("Evidence", MAIL % subject)
    watching.close()
    assert len(gathered(store, source, watching, tmp_path)) == 1, "the second one came before"
    (after,) = store.all()
    assert after.cursor.partition("/")[0] != before.cursor.partition("/")[0]
    watching.close()
    client.logout()


def test_idle_ends_when_a_mail_comes_and_a_wrong_password_is_named(port: int) -> None:
    client, watching = mailbox(port, "cy"), watcher(port, "cy")
    list(watching.look(""))
    sent = threading.Timer(0.5, client.append, ("INBOX", MAIL % b"now"))
    sent.start()
    watching.wait(60)
    sent.join()
    assert [each.key.partition("/")[2] for each in watching.look("")] == ["1"]
    watching.close()
    client.logout()
    with pytest.raises(UserError, match="password"):
        list(watcher(port, "cy", "wrong").look(""))


class Uneven(FolderWatcher):
    """Of these files the first so many tries fail, or all."""

    def __init__(self, folder: Path, failing: dict[str, int]) -> None:
        super().__init__(folder, settled_s=-10)
        self.failing = failing

    def fetch(self, sighted: Sighted) -> Brought | None:
        if self.failing.get(sighted.name, 0) > 0:
            self.failing[sighted.name] -= 1
            raise ServiceUnavailable("the line was cut")
        return super().fetch(sighted)


def three_files(tmp_path: Path) -> Path:
    folder = tmp_path / "in"
    folder.mkdir()
    for name in ("a.txt", "b.txt", "c.txt"):
        (folder / name).write_text(name)
    return folder


def test_what_was_seen_waits_by_row_and_one_that_fails_holds_up_none(store: SqlSourceStore, tmp_path: Path) -> None:
    folder = three_files(tmp_path)
    source = store.add("folder", str(folder), {}, "ada")
    uneven = Uneven(folder, {"a.txt": 100, "b.txt": 1})
    waiting = []
    for _ in range(4):
        with pytest.raises(ServiceUnavailable):
            gathered(store, source, uneven, tmp_path / "home")
        waiting.append(store.all()[0].waiting)
    assert [each.name for each in store.open_arrivals(source.id)] == ["c.txt", "b.txt"]
    (now,) = store.all()
    assert (waiting, now.waiting, now.failed) == ([3, 3, 2, 0], 0, 1), "seen once, tried three times, then named"
    assert gathered(store, source, uneven, tmp_path / "home") == []
    store.set_state(source.id, "active", "ada")
    uneven.failing.clear()
    assert gathered(store, source, uneven, tmp_path / "home") == ["a.txt"], "a person may say: once more"
    assert store.all()[0].failed == 0


def test_what_is_gone_or_has_changed_since_it_was_seen_is_not_taken_for_it(
    store: SqlSourceStore, tmp_path: Path
) -> None:
    folder = three_files(tmp_path)
    source = store.add("folder", str(folder), {}, "ada")
    seen = FolderWatcher(folder, settled_s=-10)
    assert store.queue(source.id, list(seen.look(""))) == 3
    (folder / "a.txt").unlink()
    (folder / "b.txt").write_text("written anew")
    assert sorted(gathered(store, source, seen, tmp_path / "home")) == ["b.txt", "c.txt"]
    assert store.all()[0].waiting == 0
    kept = {each.name: each.sha256 for each in store.open_arrivals(source.id)}
    assert kept["b.txt"] == sha256(b"written anew").digest()


def test_a_mailbox_made_anew_brings_no_mail_twice_even_if_a_look_at_it_is_cut_short(
    store: SqlSourceStore, tmp_path: Path, port: int
) -> None:
    client, watching = mailbox(port, "dee"), watcher(port, "dee")
    watching._settings["folder"] = "Evidence"
    for _ in range(2):
        client.create_folder("Evidence")
        for subject in (b"first", b"second"):
            client.append("Evidence", MAIL % subject)
        source = next(iter(store.all()), None) or store.add("imap", "dee", {}, "ada")
        if source.cursor:
            store.queue(source.id, list(watching.look(source.cursor))[:1])  # killed here
        gathered(store, source, watching, tmp_path)
        watching.close()
        client.delete_folder("Evidence")
    assert len(store.open_arrivals(source.id)) == 2
    client.logout()


def test_several_sources_are_waited_for_each_in_its_own_way(store: SqlSourceStore, port: int, tmp_path: Path) -> None:
    client, watching = mailbox(port, "eve"), watcher(port, "eve")
    list(watching.look(""))
    watching.close()
    idle, slow = store.add("imap", "eve", {}, "ada"), store.add("folder", str(tmp_path), {}, "ada")
    wait = Waiting(lambda source: watcher(port, "eve") if source.id == idle.id else FolderWatcher(tmp_path))
    sent = threading.Timer(1, client.append, ("INBOX", MAIL % b"now"))
    sent.start()
    wait([slow, idle], 3_600)
    sent.join()
    client.logout()


@pytest.mark.parametrize(
    "point",
    [
        "acquire.before_commit",
        "acquire.after_commit",
        "arrive.after_bytes",
        "arrive.before_commit",
        "arrive.after_commit",
        "arrive.after_batch",
    ],
)
def test_killed_in_between_nothing_is_lost_or_taken_twice(tmp_path: Path, point: str) -> None:
    folder, home = tmp_path / "in", tmp_path / "home"
    folder.mkdir()
    (folder / "a.txt").write_text("the coating")
    os.utime(folder / "a.txt", (1, 1))
    watch = ("watch", str(folder), "--case", "A", "--once", "--json")
    assert redwell(home, *watch, REDWELL_TRIP=point).returncode == -signal.SIGKILL
    for _ in range(2):
        run = redwell(home, *watch)
        assert run.returncode == 0, run.stderr
    listed = ask(home, "documents", "--case", "A", "--json")
    assert [json.loads(line)["name"] for line in listed.stdout.splitlines()] == ["a.txt"]
    assert list((home / "arrivals").rglob("*.txt")) == [], "the case has the bytes"


@pytest.mark.requirement("B3")
@pytest.mark.parametrize("point", ["understand.claim.after_commit", "understand.complete.before_commit"])
def test_b3_understanding_that_was_killed_is_gone_on_with_at_once(tmp_path: Path, point: str) -> None:
    folder, home = tmp_path / "in", tmp_path / "home"
    folder.mkdir()
    (folder / "a.txt").write_text("INVOICE\nInvoice no: INV-7\nTotal due: EUR 2.50\n")
    schema = Path(__file__).parents[2] / "examples" / "schemas" / "invoice.json"
    for command in (["import", str(folder)], ["schema", "add", str(schema)]):
        assert redwell(home, *command, "--case", "A").returncode == 0
    assert redwell(home, "understand", "--case", "A", REDWELL_TRIP=point).returncode == -signal.SIGKILL
    again = redwell(home, "understand", "--case", "A", "--json")
    assert again.returncode == 0, again.stderr
    account = json.loads(again.stdout)
    assert (account["asked"], account["completed"]) == (0, 1) and account["documents"] == {"needs review": 1}
