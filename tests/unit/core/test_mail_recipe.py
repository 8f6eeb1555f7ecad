"""Copies of a mail have one key, whatever store each came from; mails that differ in anything else have two."""

from typing import Any

import pytest

from redwell.core.case.mail_recipe import key_of, mail_parts, message_hash

pytestmark = pytest.mark.requirement("D6")
MAIL: dict[str, Any] = {
    "date": "2024-05-17T09:30:00.250Z",
    "from": ["Ann Lee <Ann@Example.com>"],
    "to": ["bob@example.com", "Carol <carol@example.com>"],
    "cc": [],
    "subject": "Budget",
}
BODY = "Dear Bob,\nthe figures: 12.50"
FILES = [("a.pdf", 10), ("b.pdf", 20)]


def key(body: str = BODY, files: list[tuple[str, int]] = FILES, **changed: object) -> bytes:
    parts = mail_parts(MAIL | changed, body, files)
    assert parts is not None
    return key_of(parts)


@pytest.mark.parametrize(
    "same",
    [
        {"date": "2024-05-17T09:30:00Z"},
        {"from": ["ann@example.com"]},
        {"from": ["'ann@example.com'"]},
        {"to": ["Bob <BOB@example.com>"], "cc": ["carol@example.com"]},
        {"to": ["carol@example.com", "bob@example.com", "bob@example.com"]},
        {"bcc": ["eve@example.com"]},
        {"received": "from elsewhere"},
        {"body": "Dear Bob, the figures:   12.50\r\n"},
        {"files": FILES[::-1]},
    ],
)
def test_what_stores_write_in_their_own_ways_makes_no_difference(same: dict[str, Any]) -> None:
    assert key(**same) == key()


@pytest.mark.parametrize(
    "other",
    [
        {"date": "2024-05-17T09:30:01Z"},
        {"from": ["Ann Lee <ann@example.org>"]},
        {"to": ["bob@example.com"]},
        {"subject": "budget"},
        {"body": BODY + "1"},
        {"files": [("a.pdf", 10)]},
        {"files": [("a.pdf", 11), ("b.pdf", 20)]},
    ],
)
def test_what_a_reader_would_see_makes_a_difference(other: dict[str, Any]) -> None:
    assert key(**other) != key()


def test_parts_never_run_into_one_another() -> None:
    assert key_of([b"ab", b"c"]) != key_of([b"a", b"bc"])
    assert key("xy", subject="Budget") != key("y", subject="Budgetx")
    assert key(files=[("a", 1), ("b", 2)]) != key(files=[("a\x001b", 2)])


def test_a_draft_is_compared_by_its_bytes_alone() -> None:
    assert mail_parts(MAIL | {"date": ""}, BODY, FILES) is None


def test_the_message_hash_is_that_of_edrm() -> None:
    told = "<CALckR-a8UDkRjO4xJyjd_s0GPxQWw@mail.gmail.com>"
    assert message_hash({"message_id": told}) == "1de319c276884bd0c9e2f1621ada26cc"
    assert message_hash({"message_id": f"  {told} (added)"}) == message_hash({"message_id": told})
    assert message_hash({"message_id": " "}) == message_hash({}) == message_hash({"message_id": "<>"}) == ""
