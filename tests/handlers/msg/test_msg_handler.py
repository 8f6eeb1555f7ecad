"""An Outlook message gives its text, its fields and every attachment."""

import io
import random
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.support.outlook_files import Properties, Sample
from tests.support.packed_rtf import packed
from tests.support.pieces import Pieces, read

from redwell.core.errors import InvalidFile
from redwell.core.outcomes import Outcome
from redwell.handlers.detect.detect import detect
from redwell.handlers.outlook import msg
from redwell.handlers.structures.compound_writer import Storage, write

pytestmark = pytest.mark.requirement("A6", "A7")

APPOINTMENT = "00062002-0000-0000-c000-000000000046"
TASK = "00062003-0000-0000-c000-000000000046"
ADDRESS = "00062004-0000-0000-c000-000000000046"
PUBLIC = "00020329-0000-0000-c000-000000000046"
NOON = datetime(2024, 3, 5, 12, 30, tzinfo=UTC)
NOTE: Properties = {0x001A: "IPM.Note", 0x0037: "Valves", 0x1000: "Plain words."}


def opened(sample: Sample, tmp_path: Path) -> Pieces:
    return read(msg, sample.file(), tmp_path, name="sample.msg")


def test_the_type_is_known_by_content() -> None:
    data = Sample(NOTE).file()
    assert detect(lambda: io.BytesIO(data), len(data), "x") == "application/vnd.ms-outlook"


def test_fields_have_the_names_that_all_mail_has(tmp_path: Path) -> None:
    sample = Sample(
        {
            **NOTE,
            0x0042: "Ann Lee",
            0x5D02: "ann@example.com",
            0x0C1A: "Bo Assistant",
            0x0C1F: "bo@example.com",
            0x0039: NOON,
            0x0E06: datetime(2024, 3, 5, 12, 31, tzinfo=UTC),
            0x1035: "<1@example.com>",
            0x1042: "<0@example.com>",
            0x1039: "<a@example.com> <0@example.com>",
            0x0070: "Valves",
            0x0071: b"\x01\xd5abc",
            0x0017: 2,
            0x0036: 3,
            0x0E07: 1,
            (PUBLIC, "Keywords"): ["Legal hold", "Red"],
        },
        recipients=[
            {0x0C15: 1, 0x3001: "Cy", 0x39FE: "cy@example.com", 0x3003: "/o=x/cn=cy"},
            {0x0C15: 2, 0x3001: "'di@example.com'", 0x3003: "di@example.com"},
            {0x0C15: 3, 0x3001: "Ed", 0x3003: "ed@example.com"},
            {0x0C15: 1, 0x3001: "Flo"},
            {0x0C15: 0, 0x3001: "the originator"},
        ],
    )
    found = opened(sample, tmp_path).metadata
    assert found == {
        "message_class": "IPM.Note",
        "subject": "Valves",
        "from": ["Ann Lee <ann@example.com>"],
        "sender": ["Bo Assistant <bo@example.com>"],
        "to": ["Cy <cy@example.com>", "Flo"],
        "cc": ["di@example.com"],
        "bcc": ["Ed <ed@example.com>"],
        "date": "2024-03-05T12:30:00Z",
        "date_received": "2024-03-05T12:31:00Z",
        "message_id": "<1@example.com>",
        "in_reply_to": "<0@example.com>",
        "references": ["<a@example.com>", "<0@example.com>"],
        "thread_topic": "Valves",
        "thread_index": "AdVhYmM=",
        "importance": "high",
        "sensitivity": "company-confidential",
        "categories": ["Legal hold", "Red"],
        "is_read": True,
        "bodies": ["plain"],
        "attachment_count": 0,
    }


def test_the_transport_header_fills_in_what_exchange_hides(tmp_path: Path) -> None:
    header = "Microsoft Mail Internet Headers Version 2.0\r\n"
    header += "From: Ann <ann@example.com>\r\nTo: Bo <bo@example.com>\r\nDate: Tue, 5 Mar 2024 13:30:00 +0100\r\n\r\n"
    sample = Sample(
        {**NOTE, 0x007D: header, 0x0042: "Ann", 0x0065: "/O=ORG/CN=ANN"},
        recipients=[{0x0C15: 1, 0x3001: "Bo", 0x3003: "/O=ORG/CN=BO"}],
    )
    found = opened(sample, tmp_path).metadata
    assert (found["from"], found["to"]) == (["Ann <ann@example.com>"], ["Bo <bo@example.com>"])
    assert (found["date"], found["transport_headers"]) == ("2024-03-05T12:30:00Z", header)


def test_the_header_s_date_is_the_author_s_and_a_later_one_stands_beside_it(tmp_path: Path) -> None:
    header = "Date: Tue, 5 Mar 2024 13:30:00 +0100\r\n\r\n"
    same = opened(Sample({**NOTE, 0x007D: header, 0x0039: NOON}), tmp_path).metadata
    assert (same["date"], "date_submitted" in same) == ("2024-03-05T12:30:00Z", False)
    later = datetime(2025, 1, 1, tzinfo=UTC)
    stored_anew = opened(Sample({**NOTE, 0x007D: header, 0x0039: later}), tmp_path).metadata
    assert (stored_anew["date"], stored_anew["date_submitted"]) == ("2024-03-05T12:30:00Z", "2025-01-01T00:00:00Z")
    zoneless = opened(Sample({**NOTE, 0x007D: "Date: Tue, 5 Mar 2024 13:30:00\r\n\r\n", 0x0039: NOON}), tmp_path)
    assert (zoneless.metadata["date"], "date_has_zone" in zoneless.metadata) == ("2024-03-05T12:30:00Z", False)


@pytest.mark.parametrize(
    ("more", "author"),
    [
        ({0x5D01: "ann@example.com"}, "Ann <ann@example.com>"),
        ({0x5D0A: "ann@example.com"}, "Ann <ann@example.com>"),
        ({0x5D0A: "ann@example.com", 0x3FF8: "Ann"}, "Ann <ann@example.com>"),
        ({0x5D0A: "bo@example.com", 0x3FF8: "Bo"}, "Ann </o=Org/cn=Ann>"),
    ],
)
def test_an_exchange_author_is_named_by_the_address_of_who_sent_or_made_it(
    more: dict[int, str], author: str, tmp_path: Path
) -> None:
    person = {0x0042: "Ann", 0x0065: "/o=Org/cn=Ann", 0x0C1A: "Ann", 0x0C1F: "/o=Org/cn=Ann"}
    assert read(msg, Sample({**NOTE, **person, **more}).file(), tmp_path).metadata["from"] == [author]


def test_an_exchange_sender_is_named_by_the_address_that_a_recipient_row_tells(tmp_path: Path) -> None:
    sample = Sample(
        {**NOTE, 0x0042: "Ann", 0x0065: "/O=ORG/CN=ANN"},
        recipients=[{0x0C15: 1, 0x3001: "Ann", 0x3003: "/o=Org/cn=Ann", 0x39FE: "ann@example.com"}],
    )
    assert opened(sample, tmp_path).metadata["from"] == ["Ann <ann@example.com>"]


@pytest.mark.parametrize(
    ("page", "codec", "text"), [(932, "cp932", "契約書ソ"), (1251, "cp1251", "Договор"), (950, "big5", "合約書")]
)
def test_old_messages_are_read_in_their_code_page(page: int, codec: str, text: str, tmp_path: Path) -> None:
    sample = Sample(
        {0x001A: "IPM.Note", 0x0037: text, 0x1000: f"{text}, twice: {text}", 0x3FFD: page},
        recipients=[{0x0C15: 1, 0x3001: text}],
        attachments=[{0x3705: 1, 0x3704: f"{text}.txt", 0x3701: b"x"}],
        code_page=codec,
    )
    pieces = opened(sample, tmp_path)
    assert (pieces.metadata["subject"], pieces.metadata["to"], pieces.names) == (text, [text], [f"{text}.txt"])
    assert pieces.text == f"{text}, twice: {text}"


def test_text_comes_from_the_better_body_and_what_only_another_says_is_added(tmp_path: Path) -> None:
    html = "<html><body><p>Plain words.</p><p>Grüße nur hier</p></body></html>".encode("cp1252")
    pieces = opened(Sample({**NOTE, 0x1013: html, 0x3FDE: 1252}), tmp_path)
    assert pieces.text == "Plain words.\n\nGrüße nur hier"
    assert pieces.metadata["bodies"] == ["plain", "html"]


def test_html_wrapped_in_rtf_is_read_as_html(tmp_path: Path) -> None:
    wrapped = rb"{\rtf1\ansi\ansicpg1252\fromhtml1 {\*\htmltag64 <p>}Caf\'e9\htmlrtf\par\htmlrtf0{\*\htmltag72 </p>}}"
    pieces = opened(Sample({0x001A: "IPM.Note", 0x1009: packed(wrapped)}), tmp_path)
    assert (pieces.text, pieces.metadata["bodies"]) == ("Café", ["html", "rtf"])


def test_an_rtf_body_shows_its_attachments_where_they_stand(tmp_path: Path) -> None:
    body = rb"{\rtf1\ansi See {\object\objattph} and {\object\objattph}.}"
    attachments: list[Properties] = [
        {0x3705: 1, 0x3707: "second.txt", 0x3701: b"2", 0x370B: 9},
        {0x3705: 1, 0x3707: "first.txt", 0x3701: b"1", 0x370B: 4},
    ]
    pieces = opened(Sample({0x1009: packed(body)}, attachments=attachments), tmp_path)
    assert pieces.text == "See [first.txt] and [second.txt]."


def test_a_damaged_body_is_named_and_the_other_one_stands(tmp_path: Path) -> None:
    pieces = opened(Sample({**NOTE, 0x1009: b"no packed RTF at all"}), tmp_path)
    assert pieces.text == "Plain words."
    assert [trouble.detail for trouble in pieces.troubles] == ["the RTF body is packed in an unknown way"]


def test_attachments_come_out_byte_for_byte_and_inline_ones_are_marked(tmp_path: Path) -> None:
    big = random.Random(1).randbytes(70_000)
    html = b'<img src="cid:pic@1"><img src="logo.png">'
    attachments: list[Properties] = [
        {0x3705: 1, 0x3707: "C:\\temp\\report.bin", 0x3701: big, 0x370E: "application/x", 0x3008: NOON},
        {0x3705: 1, 0x3707: "pic.png", 0x3701: b"png", 0x3712: "pic@1"},
        {0x3705: 1, 0x3704: "logo.png", 0x3701: b"logo", 0x3713: "logo.png"},
        {0x3705: 1, 0x3707: "hidden.gif", 0x3701: b"gif", 0x7FFE: True},
        {0x3705: 1, 0x3707: "empty.txt", 0x3701: b""},
    ]
    pieces = opened(Sample({**NOTE, 0x1013: html}, attachments=attachments), tmp_path)
    assert list(pieces.contents.values()) == [big, b"png", b"logo", b"gif", b""]
    assert pieces.names == ["report.bin", "pic.png", "logo.png", "hidden.gif", "empty.txt"]
    assert [child.role for child in pieces.children.values()] == [
        "attachment",
        "inline",
        "inline",
        "inline",
        "attachment",
    ]
    assert dict(pieces.children["00000000"].metadata) == {
        "content_type": "application/x",
        "file_modified": "2024-03-05T12:30:00Z",
    }
    assert (pieces.metadata["attachment_count"], pieces.metadata["inline_count"], pieces.declared) == (2, 3, 5)


def test_a_message_inside_is_a_message_file_of_its_own_with_all_it_had(tmp_path: Path) -> None:
    names = {(APPOINTMENT, 0x8208): 0x8000}
    inner = Sample(
        {
            0x001A: "IPM.Appointment",
            0x0037: "Inner",
            0x1000: "inner words",
            (APPOINTMENT, 0x8208): "Room 4",
            0x0039: NOON,
        },
        recipients=[{0x0C15: 1, 0x3001: "Cy"}],
        attachments=[{0x3705: 1, 0x3707: "deep.txt", 0x3701: b"deep"}],
        names=names,
    )
    outer = Sample(NOTE, attachments=[{0x3705: 5, 0x3001: "Re: 1/2 Inner", 0x3701: inner.storage(24)}], names=names)
    pieces = opened(outer, tmp_path)
    assert pieces.names == ["Re: 1 2 Inner.msg"]
    again = opened(outer, tmp_path)
    assert again.contents == pieces.contents  # the same bytes, so the same hash, at each reading
    child = read(msg, pieces.contents["00000000"], tmp_path, name="Inner.msg")
    assert (child.metadata["subject"], child.metadata["location"], child.metadata["to"]) == ("Inner", "Room 4", ["Cy"])
    assert (child.metadata["date"], child.contents) == ("2024-03-05T12:30:00Z", {"00000000": b"deep"})


def test_an_ole_object_gives_the_file_that_it_holds(tmp_path: Path) -> None:
    held = Storage(streams={"\x01Ole": bytes(20), "CONTENTS": b"%PDF-1.4 held"})
    pieces = opened(Sample(NOTE, attachments=[{0x3705: 6, 0x3001: "Drawing", 0x3701: held}]), tmp_path)
    assert (pieces.names, list(pieces.contents.values())) == (["Drawing.pdf"], [b"%PDF-1.4 held"])
    assert pieces.children["00000000"].role == "embedded"


def test_a_link_instead_of_a_file_is_lost_with_its_address(tmp_path: Path) -> None:
    attachments: list[Properties] = [
        {0x3705: 7, 0x3707: "plan.docx", 0x370D: "https://example.com/plan.docx"},
        {0x3705: 1, 0x3707: "gone.txt"},
    ]
    pieces = opened(Sample(NOTE, attachments=attachments), tmp_path)
    assert pieces.lost["00000000"].outcome is Outcome.INVALID_FILE
    assert "https://example.com/plan.docx" in pieces.lost["00000000"].detail
    assert pieces.lost["00000001"].outcome is Outcome.EMPTY
    assert pieces.opened == ["00000000", "00000001"]


def test_appointments_tasks_and_contacts_give_their_fields_and_show_them(tmp_path: Path) -> None:
    meeting = opened(
        Sample({0x001A: "IPM.Schedule.Meeting.Request", (APPOINTMENT, 0x820D): NOON, (APPOINTMENT, 0x8208): "Hall"}),
        tmp_path,
    )
    assert (meeting.metadata["start"], meeting.metadata["location"]) == ("2024-03-05T12:30:00Z", "Hall")
    assert meeting.text == "Start: 2024-03-05T12:30:00Z\nLocation: Hall"
    task = opened(Sample({0x001A: "IPM.Task", (TASK, 0x8101): 1, (TASK, 0x8102): 0.25, (TASK, 0x8105): NOON}), tmp_path)
    assert (task.metadata["status"], task.metadata["percent_complete"]) == ("in progress", 25)
    contact = opened(
        Sample({0x001A: "IPM.Contact", 0x3001: "Ann Lee", 0x3A08: "+1 555", (ADDRESS, 0x8083): "a@example.com"}),
        tmp_path,
    )
    assert contact.text == "Full name: Ann Lee\nEmail: a@example.com\nPhone: +1 555"


def test_a_distribution_list_names_its_members(tmp_path: Path) -> None:
    entry = bytes(4) + bytes.fromhex("812b1fa4bea310199d6e00dd010f5402") + b"\0\0\x01\x80"
    entry += "Ann\0SMTP\0ann@example.com\0".encode("utf-16-le")
    sample = Sample({0x001A: "IPM.DistList"})
    root = sample.storage()
    root.streams["__substg1.0_80001102"] = bytes(8)
    root.streams["__substg1.0_80001102-00000000"] = entry
    sample.names[(ADDRESS, 0x8054)] = 0x8000
    root.storages["__nameid_version1.0"] = sample._names()
    assert read(msg, write(root), tmp_path).metadata["members"] == ["Ann <ann@example.com>"]


def test_a_delivery_report_says_what_became_of_each_recipient(tmp_path: Path) -> None:
    recipient: Properties = {
        0x0C15: 1,
        0x3001: "Bo",
        0x3003: "bo@example.com",
        0x1001: "mailbox full",
        0x0C1B: "#5.2.2",
    }
    report = Sample({0x001A: "REPORT.IPM.Note.NDR", 0x0037: "Undeliverable"}, recipients=[recipient])
    assert opened(report, tmp_path).text == "Bo <bo@example.com> mailbox full #5.2.2"


def test_a_journal_report_tells_its_envelope_and_passes_it_to_the_message(tmp_path: Path) -> None:
    inner = Sample({0x0037: "Secret"})
    outer = Sample(
        {0x007D: "X-MS-Journal-Report: \r\n\r\n", 0x1000: "Sender: a@example.com\r\nBcc: c@example.com\r\n"},
        attachments=[{0x3705: 5, 0x3001: "Secret", 0x3701: inner.storage(24)}],
    )
    pieces = opened(outer, tmp_path)
    assert pieces.metadata["journal_bcc"] == ["c@example.com"]
    assert pieces.children["00000000"].metadata["journal_bcc"] == ["c@example.com"]


def test_without_its_list_of_properties_a_message_keeps_its_texts(tmp_path: Path) -> None:
    root = Sample(NOTE, attachments=[{0x3705: 1, 0x3707: "a.txt", 0x3701: b"a"}]).storage()
    del root.streams["__properties_version1.0"]
    root.streams["__substg1.0_007D001F"] = b""
    root.storages["__nameid_version1.0"] = Storage(streams={"__substg1.0_00020102": b""})
    pieces = read(msg, write(root), tmp_path)
    assert (pieces.metadata["subject"], pieces.text, list(pieces.contents.values())) == (
        "Valves",
        "Plain words.",
        [b"a"],
    )
    assert "__properties_version1.0" in pieces.troubles[0].detail


def test_a_count_of_attachments_that_differs_from_what_is_there_is_told(tmp_path: Path) -> None:
    sample = Sample(NOTE, attachments=[{0x3705: 1, 0x3707: "a.txt", 0x3701: b"a"}], declared=3)
    assert opened(sample, tmp_path).declared == 3


def test_a_cut_off_file_is_invalid(tmp_path: Path) -> None:
    data = Sample(NOTE).file()
    pieces = read(msg, data[:600], tmp_path, media_type="application/vnd.ms-outlook")
    assert isinstance(pieces.error, InvalidFile)


def test_settled_attachments_are_left_out(tmp_path: Path) -> None:
    attachments: list[Properties] = [{0x3705: 1, 0x3707: f"{n}.txt", 0x3701: b"x"} for n in range(4)]
    data = Sample(NOTE, attachments=attachments).file()
    pieces = read(msg, data, tmp_path, after="00000001", skip=frozenset({"00000002"}))
    assert list(pieces.contents) == ["00000003"]
