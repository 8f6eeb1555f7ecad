"""OLM, the archive of Outlook for Mac: every message as a synthetic one with its attachments."""

import email
import email.policy
from pathlib import Path

import pytest
from tests.support.evidence import zipped
from tests.support.pieces import Pieces, read

from redwell.core.errors import InvalidFile
from redwell.core.outcomes import Code, Outcome
from redwell.handlers.outlook import olm

pytestmark = pytest.mark.requirement("A7")

FOLDER = "Accounts/ann@example.org/com.microsoft.__Messages/Inbox"
FILES = f"{FOLDER}/com.microsoft.__Attachments"


def message(subject: str, *attachments: str, body: str = "Hello.") -> bytes:
    files = "".join(
        f"<messageAttachment OPFAttachmentName='{url.rpartition('/')[2]}' OPFAttachmentURL='{url}'"
        " OPFAttachmentContentType='application/pdf'/>"
        for url in attachments
    )
    person = "<emailAddress OPFContactEmailAddressAddress='{0}@example.org' OPFContactEmailAddressName='{1}'/>"
    return (
        "<?xml version='1.0' encoding='UTF-8'?><emails><email>"
        f"<OPFMessageCopySubject>{subject}</OPFMessageCopySubject><OPFMessageCopyBody>{body}</OPFMessageCopyBody>"
        f"<OPFMessageCopyFromAddresses>{person.format('ann', 'Ann Müller')}</OPFMessageCopyFromAddresses>"
        f"<OPFMessageCopyToAddresses>{person.format('bob', 'Bob')}{person.format('cy', 'Cy')}"
        "</OPFMessageCopyToAddresses>"
        "<OPFMessageCopySentTime>2020-01-02T03:04:05</OPFMessageCopySentTime>"
        "<OPFMessageCopyReceivedTime>2020-01-02T03:05:00</OPFMessageCopyReceivedTime>"
        "<OPFMessageCopyMessageID>1@example.org</OPFMessageCopyMessageID>"
        f"<OPFMessageCopyAttachmentList>{files}</OPFMessageCopyAttachmentList></email></emails>"
    ).encode()


def opened(members: dict[str, bytes], tmp_path: Path, **options: object) -> Pieces:
    return read(olm, zipped(members), tmp_path, name="mail.olm", **options)


def test_a_message_comes_out_with_people_dates_and_attachments(tmp_path: Path) -> None:
    pieces = opened(
        {f"{FOLDER}/message_00001.xml": message("Plan", f"{FILES}/a.pdf"), f"{FILES}/a.pdf": b"%PDF"}, tmp_path
    )
    (child,) = pieces.children.values()
    assert (child.name, child.hash_kind) == ("Accounts/ann@example.org/Inbox/Plan.eml", "synthetic")
    assert child.metadata == {"folder": "Accounts/ann@example.org/Inbox", "date_received": "2020-01-02T03:05:00Z"}
    found = email.message_from_bytes(pieces.contents["0"], policy=email.policy.default)
    assert found["from"] == "Ann Müller <ann@example.org>"
    assert found["to"] == "Bob <bob@example.org>, Cy <cy@example.org>"
    assert (found["subject"], found["date"]) == ("Plan", "Thu, 02 Jan 2020 03:04:05 +0000")
    (attached,) = found.iter_attachments()
    assert (attached.get_filename(), attached.get_content()) == ("a.pdf", b"%PDF")
    assert pieces.skipped == ["1"]


def test_an_html_body_is_known_by_its_markup(tmp_path: Path) -> None:
    page = "&lt;html&gt;&lt;p&gt;Hi&lt;/p&gt;&lt;/html&gt;"
    pieces = opened({f"{FOLDER}/message_00001.xml": message("Page", body=page)}, tmp_path)
    found = email.message_from_bytes(pieces.contents["0"], policy=email.policy.default)
    assert (found.get_content_type(), found.get_content()) == ("text/html", "<html><p>Hi</p></html>")


def test_attachments_without_a_message_and_other_files_come_out_as_they_are(tmp_path: Path) -> None:
    members = {
        f"{FILES}/lost.pdf": b"%PDF lost",
        f"{FOLDER}/message_00001.xml": message("Plan"),
        "Local/Address Book/Contacts.xml": b"<contacts/>",
    }
    pieces = opened(members, tmp_path)
    assert pieces.contents["0"] == b"%PDF lost" and pieces.contents["2"] == b"<contacts/>"
    assert list(pieces.children) == ["1", "2", "0"]


def test_an_attachment_that_the_archive_does_not_hold_is_named(tmp_path: Path) -> None:
    pieces = opened({f"{FOLDER}/message_00001.xml": message("Plan", f"{FILES}/gone.pdf")}, tmp_path)
    assert [trouble.code for trouble in pieces.troubles] == [Code.MEMBER_FAILED]
    assert b"X-Redwell-Missing: attachment gone.pdf" in pieces.contents["0"]


def test_reading_goes_on_behind_any_member_and_knows_whose_attachments_are_whose(tmp_path: Path) -> None:
    members = {
        f"{FOLDER}/message_00001.xml": message("One", f"{FILES}/a.pdf"),
        f"{FOLDER}/message_00002.xml": message("Two"),
        f"{FILES}/a.pdf": b"%PDF a",
        f"{FILES}/b.pdf": b"%PDF b",
    }
    rest = opened(members, tmp_path, after="0")
    assert list(rest.children) == ["1", "3"] and rest.skipped == ["2"]


def test_a_message_that_is_no_xml_costs_that_message(tmp_path: Path) -> None:
    members = {f"{FOLDER}/message_00001.xml": b"", f"{FOLDER}/message_00002.xml": message("Two")}
    pieces = opened(members, tmp_path)
    assert [child.name.rpartition("/")[2] for child in pieces.children.values()] == ["Two.eml"]
    assert [lost.outcome for lost in pieces.lost.values()] == [Outcome.INVALID_FILE]


def test_an_entity_is_never_looked_up(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("not for you")
    evil = f"<!DOCTYPE a [<!ENTITY x SYSTEM 'file://{secret}'>]>".encode()
    data = message("Plan", body="&x;").replace(b"<emails>", evil + b"<emails>")
    assert b"not for you" not in opened({f"{FOLDER}/message_00001.xml": data}, tmp_path).contents["0"]


def test_an_archive_without_members_is_invalid(tmp_path: Path) -> None:
    assert isinstance(read(olm, b"PK\x05\x06" + bytes(18), tmp_path, media_type="application/x-olm").error, InvalidFile)
