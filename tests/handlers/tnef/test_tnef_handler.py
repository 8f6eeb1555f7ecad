"""TNEF gives back the message that Outlook wrapped: text, fields, attachments."""

import random
import struct
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.support.outlook_files import Properties, attribute, tnef, tnef_values
from tests.support.packed_rtf import packed
from tests.support.pieces import Pieces, read

from redwell.core.outcomes import Code, Outcome
from redwell.handlers.outlook import tnef as handler
from redwell.handlers.structures.compound_writer import Storage, write

pytestmark = pytest.mark.requirement("A6", "A7")

SUBJECT, CLASS, BODY, SENDER, SENT = 0x00018004, 0x00078008, 0x0002800C, 0x00008000, 0x00038005
PROPERTIES, RECIPIENTS, CODE_PAGE = 0x00069003, 0x00069004, 0x00069007
BEGIN, TITLE, DATA, ATTACHMENT = 0x00069002, 0x00018010, 0x0006800F, 0x00069005
NOON = datetime(2024, 3, 5, 12, 30, tzinfo=UTC)
APPOINTMENT = "00062002-0000-0000-c000-000000000046"
PUBLIC = "00020329-0000-0000-c000-000000000046"
MESSAGE_INTERFACE = bytes.fromhex("0703020000000000c000000000000046")
STORAGE_INTERFACE = bytes.fromhex("0b00000000000000c000000000000046")


def opened(data: bytes, tmp_path: Path) -> Pieces:
    return read(handler, data, tmp_path, name="winmail.dat")


def attached(title: bytes, data: bytes, properties: Properties | None = None) -> bytes:
    rows = [attribute(2, BEGIN, struct.pack("<HIHHI", 1, 0xFFFFFFFF, 0, 0, 0)), attribute(2, TITLE, title + b"\0")]
    rows += [attribute(2, DATA, data)] if data else []
    return b"".join((*rows, *([attribute(2, ATTACHMENT, tnef_values(properties))] if properties else [])))


def test_properties_are_the_fields_that_all_mail_has(tmp_path: Path) -> None:
    values: Properties = {
        0x0037: "Größe",
        0x0039: NOON,
        0x1035: "<1@example.com>",
        0x0042: "Ann",
        0x5D02: "ann@example.com",
        0x1013: b"<p>the words</p>",
        0x0E07: 1,
        (PUBLIC, "Keywords"): ["one", "two"],
        (APPOINTMENT, 0x8208): "Hall",
        0x001A: "IPM.Appointment",
    }
    people = struct.pack("<I", 2) + tnef_values({0x0C15: 1, 0x3001: "Bo"}) + tnef_values({0x0C15: 3, 0x3001: "Cy"})
    pieces = opened(tnef(attribute(1, PROPERTIES, tnef_values(values)), attribute(1, RECIPIENTS, people)), tmp_path)
    found = pieces.metadata
    assert (found["subject"], found["date"], found["message_id"]) == (
        "Größe",
        "2024-03-05T12:30:00Z",
        "<1@example.com>",
    )
    assert (found["from"], found["to"], found["bcc"]) == (["Ann <ann@example.com>"], ["Bo"], ["Cy"])
    assert (found["categories"], found["location"], pieces.text) == (
        ["one", "two"],
        "Hall",
        "Location: Hall\n\nthe words",
    )


def test_attributes_from_before_mapi_are_read_in_the_stream_s_code_page(tmp_path: Path) -> None:
    sender = struct.pack("<HHHH", 4, 0, 4, 21) + b"Ann\0" + b"SMTP:ann@example.com\0"
    data = tnef(
        attribute(1, CODE_PAGE, struct.pack("<II", 1251, 0)),
        attribute(1, SUBJECT, "Договор".encode("cp1251") + b"\0"),
        attribute(1, CLASS, b"IPM.Microsoft Mail.Note\0"),
        attribute(1, SENDER, sender),
        attribute(1, SENT, struct.pack("<7H", 2024, 3, 5, 12, 30, 0, 2)),
        attribute(1, BODY, "Тело письма".encode("cp1251")),
    )
    found = opened(data, tmp_path)
    assert (found.metadata["subject"], found.text) == ("Договор", "Тело письма")
    assert (found.metadata["message_class"], found.metadata["from"]) == ("IPM.Note", ["Ann <ann@example.com>"])
    assert found.metadata["date"] == "2024-03-05T12:30:00Z"


def test_attachments_come_out_byte_for_byte(tmp_path: Path) -> None:
    files = {f"file {size}.bin": random.Random(size).randbytes(size) for size in (1, 3, 4, 70_000)}
    data = tnef(*(attached(b"SHORT", content, {0x3707: name}) for name, content in files.items()))
    pieces = opened(data, tmp_path)
    assert dict(zip(pieces.names, pieces.contents.values(), strict=True)) == files
    assert pieces.opened == ["1", "2", "3", "4"]


def test_a_message_inside_is_a_tnef_stream_of_its_own(tmp_path: Path) -> None:
    inner = tnef(attribute(1, SUBJECT, b"inner\0"), attached(b"deep.txt", b"deep"))
    data = tnef(attached(b"Untitled Attachment", b"", {0x3705: 5, 0x3001: "inner", 0x3701: MESSAGE_INTERFACE + inner}))
    data = data.replace(struct.pack("<HH", 0x102, 0x3701), struct.pack("<HH", 0x0D, 0x3701))
    pieces = opened(data, tmp_path)
    assert (pieces.names, pieces.contents) == (["inner.tnef"], {"1": inner})
    child = opened(pieces.contents["1"], tmp_path)
    assert (child.metadata["subject"], child.contents) == ("inner", {"1": b"deep"})


def test_an_ole_object_gives_the_file_that_it_holds(tmp_path: Path) -> None:
    held = write(Storage(streams={"CONTENTS": b"%PDF-1.4 held"}))
    begin = attribute(2, BEGIN, struct.pack("<HIHHI", 2, 0, 0, 0, 0))
    pieces = opened(tnef(begin, attribute(2, TITLE, b"Drawing\0"), attribute(2, DATA, held)), tmp_path)
    assert (pieces.names, list(pieces.contents.values())) == (["Drawing.pdf"], [b"%PDF-1.4 held"])


def test_a_wrong_checksum_and_bytes_behind_the_end_are_noted_and_nothing_is_missing(tmp_path: Path) -> None:
    data = tnef(attribute(1, SUBJECT, b"odd\0", checksum=1), attached(b"a.txt", b"a")) + b"\0" * 40
    pieces = opened(data, tmp_path)
    assert (pieces.metadata["subject"], pieces.contents) == ("odd", {"1": b"a"})
    assert [trouble.partial for trouble in pieces.troubles] == [False, False]


@pytest.mark.parametrize("cut", [3, 30, 60])
def test_a_cut_off_stream_is_partial_and_keeps_what_stands_before(cut: int, tmp_path: Path) -> None:
    data = tnef(attribute(1, SUBJECT, b"first\0"), attached(b"a.txt", b"a" * 100))
    pieces = opened(data[:-cut], tmp_path)
    assert pieces.metadata["subject"] == "first"
    assert [(trouble.code, trouble.partial) for trouble in pieces.troubles] == [(Code.FILE_MISSING_OR_INCOMPLETE, True)]
    assert b"a" * (100 - cut + 2) == pieces.contents["1"]


def test_damaged_properties_cost_only_themselves(tmp_path: Path) -> None:
    broken = tnef_values({0x0037: "subject", 0x1000: "words"})[:-3] + b""
    pieces = opened(tnef(attribute(1, PROPERTIES, broken), attached(b"a.txt", b"a")), tmp_path)
    assert (pieces.metadata["subject"], pieces.contents) == ("subject", {"1": b"a"})
    assert "cut off" in pieces.troubles[0].detail


def test_an_attachment_without_bytes_is_named(tmp_path: Path) -> None:
    pieces = opened(tnef(attached(b"a.txt", b"")), tmp_path)
    assert pieces.lost["1"].outcome is Outcome.EMPTY


def test_an_rtf_body_is_unpacked(tmp_path: Path) -> None:
    pieces = opened(tnef(attribute(1, PROPERTIES, tnef_values({0x1009: packed(rb"{\rtf1 rich words}")}))), tmp_path)
    assert pieces.text == "rich words"
