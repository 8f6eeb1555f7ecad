"""A mailbox of Gmail over its documented API: each mail is taken once, whatever the service says meanwhile."""

import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.gmail_server import SUBSCRIPTION, TOPIC, USER, GmailServer
from tests.support.product import ask, redwell

from redwell.adapters.google.gmail import GmailWatcher
from redwell.core.errors import ServiceUnavailable, UserError
from redwell.core.patience import Patience

pytestmark = pytest.mark.requirement("B1", "B2")
MAIL = b"From: bo@example.org\r\nTo: ann@example.org\r\nSubject: %b\r\n\r\nthe coating\r\n"
_HASTY = Patience(connect_s=2, read_s=2, tries=2)


@pytest.fixture
def gmail() -> Iterator[GmailServer]:
    with GmailServer() as server:
        for number in (b"1", b"2", b"3", b"4", b"5"):
            server.deliver(f"m{number.decode()}", MAIL % number)
        server.deliver("other", MAIL % b"private", label="Private")
        yield server


@pytest.fixture
def mailbox(gmail: GmailServer, tmp_path: Path) -> Iterator[GmailWatcher]:
    watcher = GmailWatcher(settings(gmail), gmail.write_key(tmp_path / "key.json"), _HASTY)
    yield watcher
    watcher.close()


def settings(gmail: GmailServer) -> dict[str, str]:
    return {"user": USER, "label": "INBOX", "endpoint": gmail.url, "topic": TOPIC, "subscription": SUBSCRIPTION}


def looked(mailbox: GmailWatcher, cursor: str) -> tuple[set[str], str]:
    seen = list(mailbox.look(cursor))
    return {each.key for each in seen}, seen[-1].cursor if seen else cursor


def test_all_of_a_label_is_seen_and_then_what_is_new(gmail: GmailServer, mailbox: GmailWatcher) -> None:
    seen, cursor = looked(mailbox, "")
    assert seen == {"m1", "m2", "m3", "m4", "m5"}
    assert looked(mailbox, cursor) == (set(), cursor)
    for number in (b"6", b"7", b"8"):
        gmail.deliver(f"m{number.decode()}", MAIL % number)
    gmail.move("other", "INBOX")
    seen, cursor = looked(mailbox, cursor)
    assert seen == {"m6", "m7", "m8", "other"}
    assert looked(mailbox, cursor)[0] == set()


def test_a_history_that_is_forgotten_means_looking_at_all_again(gmail: GmailServer, mailbox: GmailWatcher) -> None:
    cursor = looked(mailbox, "")[1]
    gmail.deliver("m6", MAIL % b"6")
    gmail.forget_history()
    seen, cursor = looked(mailbox, cursor)
    assert seen == {"m1", "m2", "m3", "m4", "m5", "m6"}
    assert looked(mailbox, cursor)[0] == set(), "the new cursor is one that is known"


def test_a_mail_comes_as_it_is_with_what_gmail_says_of_it(gmail: GmailServer, mailbox: GmailWatcher) -> None:
    last, *_, first = mailbox.look("")
    brought = mailbox.fetch(first)
    assert brought and brought.name == "m1.eml"
    assert brought.open().read() == MAIL % b"1"
    told = {"thread": "t-m1", "labels": "INBOX", "stored_ms": 1_700_000_000_000, "subject": "1"}
    assert told.items() <= brought.said.items()
    gmail.delete("m5")
    assert mailbox.fetch(last) is None


@pytest.mark.parametrize(
    ("status", "answer"),
    [
        (429, b'{"error": {"message": "slow down"}}'),
        (403, b'{"error": {"message": "slow down", "errors": [{"reason": "userRateLimitExceeded"}]}}'),
        (503, b"<html>away</html>"),
        (200, b'{"messages": [{"id": "m'),
        (200, b"[]"),
        (206, b'{"messages": '),  # and the connection is closed before the last byte
    ],
)
def test_what_passes_is_tried_again_and_what_stays_is_named(
    gmail: GmailServer, mailbox: GmailWatcher, status: int, answer: bytes
) -> None:
    gmail.faults = [("/messages?", status, answer)]
    assert len(looked(mailbox, "")[0]) == 5, "the second try"
    gmail.faults = [("/messages?", status, answer)] * 2
    with pytest.raises(ServiceUnavailable, match=r"127\.0\.0\.1"):
        list(mailbox.look(""))


def test_what_a_person_agreed_to_once_is_enough(gmail: GmailServer, tmp_path: Path) -> None:
    watcher = GmailWatcher(settings(gmail), gmail.write_consent(tmp_path / "consent.json"), _HASTY)
    assert len(looked(watcher, "")[0]) == 5
    watcher.close()


def test_what_a_person_has_to_mend_is_said_at_once(gmail: GmailServer, mailbox: GmailWatcher, tmp_path: Path) -> None:
    gmail.faults = [("/profile", 403, b'{"error": {"message": "Gmail API has not been used in project p"}}')]
    with pytest.raises(UserError, match="has not been used in project p: see that the account may read this"):
        list(mailbox.look(""))
    gmail.is_refused = True
    again = GmailWatcher(settings(gmail), str(tmp_path / "key.json"), _HASTY)
    with pytest.raises(UserError, match="Google refuses the credentials"):
        list(again.look(""))
    again.close()
    (tmp_path / "no-key.json").write_text('{"type": "external_account"}')
    with pytest.raises(UserError, match="service_account"):
        GmailWatcher(settings(gmail), str(tmp_path / "no-key.json"))
    with pytest.raises(UserError, match=r"nowhere\.json"):
        GmailWatcher(settings(gmail), str(tmp_path / "nowhere.json"))


def test_a_note_of_pub_sub_ends_the_wait_and_the_watch_is_asked_for_once(
    gmail: GmailServer, mailbox: GmailWatcher
) -> None:
    later = threading.Timer(0.7, gmail.note)
    gmail.note("somebody-else@example.org")
    later.start()
    mailbox.wait(3_600)
    later.join()
    gmail.note()
    mailbox.wait(3_600)
    assert gmail.watches == [{"topicName": TOPIC, "labelIds": ["INBOX"], "labelFilterBehavior": "include"}]
    assert len(gmail.acknowledged) == 3
    mailbox.wait(0.1)


def test_mails_of_gmail_are_imported_once_under_their_names(gmail: GmailServer, tmp_path: Path) -> None:
    key = gmail.write_key(tmp_path / "key.json")
    place = ("source", "add", "gmail", USER, "--case", "A", "--endpoint", gmail.url)
    assert redwell(tmp_path, "watch", "--once", "--case", "A").returncode == 0
    refused = redwell(tmp_path, *place)
    assert refused.returncode != 0 and "--credentials-variable" in refused.stderr
    added = redwell(tmp_path, *place, "--credentials-variable", "GMAIL_KEY")
    assert added.returncode == 0, added.stderr
    unset = redwell(tmp_path, "watch", "--once", "--case", "A")
    assert "environment variable GMAIL_KEY, which is empty" in unset.stderr
    gmail.delete("m5")
    for _ in range(2):
        run = redwell(tmp_path, "watch", "--once", "--case", "A", GMAIL_KEY=key)
        assert run.returncode == 0, run.stderr
        listed = ask(tmp_path, "documents", "--case", "A", "--json").stdout.splitlines()
        assert sorted(json.loads(line)["name"] for line in listed) == ["m1.eml", "m2.eml", "m3.eml", "m4.eml"]


def test_nothing_is_sent_where_it_could_be_read_on_the_way(tmp_path: Path) -> None:
    place = ("source", "add", "gmail", USER, "--credentials-variable", "K", "--case", "A")
    assert redwell(tmp_path, "watch", "--once", "--case", "A").returncode == 0
    plain = redwell(tmp_path, *place, "--endpoint", "http://gmail.example.org")
    assert plain.returncode != 0 and "only https, or http on this machine" in plain.stderr
    topic = redwell(tmp_path, *place, "--topic", "mails")
    assert topic.returncode != 0 and "projects/PROJECT/topics/TOPIC" in topic.stderr
