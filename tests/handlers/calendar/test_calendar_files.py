"""Calendar files: fields, text and files inside."""

import base64
from pathlib import Path

import pytest
from tests.support.pieces import Pieces, read

from redwell.handlers.mail import calendar

pytestmark = pytest.mark.requirement("A7")


def opened(lines: str, tmp_path: Path) -> Pieces:
    data = ("BEGIN:VCALENDAR\n" + lines + "END:VCALENDAR\n").replace("\n", "\r\n").encode()
    return read(calendar, data, tmp_path, name="x.ics")


def test_an_appointment_gives_the_fields_that_outlook_s_have(tmp_path: Path) -> None:
    pieces = opened(
        "METHOD:REQUEST\nBEGIN:VTIMEZONE\nTZID:CET\nEND:VTIMEZONE\nBEGIN:VEVENT\nUID:1@example.com\n"
        "SUMMARY:Board\\, second\n  day\nDTSTART:20240305T123000Z\nDTEND;TZID=CET:20240305T140000\nLOCATION:Hall\n"
        'ORGANIZER;CN="Lee, Ann":mailto:ann@example.com\nATTENDEE;CN=Bo:MAILTO:bo@example.com\n'
        "ATTENDEE:mailto:cy@example.com\nRRULE:FREQ=DAILY\nCATEGORIES:Legal,Red\nDESCRIPTION:one\\ntwo\n"
        "BEGIN:VALARM\nDESCRIPTION:Reminder\nEND:VALARM\nEND:VEVENT\n",
        tmp_path,
    )
    assert pieces.metadata == {
        "items": 1,
        "uid": "1@example.com",
        "title": "Board, second day",
        "start": "2024-03-05T12:30:00Z",
        "end": "2024-03-05T14:00:00",
        "location": "Hall",
        "organizer": ["Lee, Ann <ann@example.com>"],
        "attendees": ["Bo <bo@example.com>", "cy@example.com"],
        "recurrence": "FREQ=DAILY",
        "categories": ["Legal", "Red"],
        "method": "request",
    }
    assert "Summary: Board, second day" in pieces.text and "Description: one\ntwo" in pieces.text
    assert "Dtend: 2024-03-05T14:00:00 CET" in pieces.text
    assert "Reminder" not in pieces.text


def test_every_item_is_in_the_text_and_the_first_one_in_the_fields(tmp_path: Path) -> None:
    pieces = opened(
        "BEGIN:VTODO\nSUMMARY:first\nDUE;VALUE=DATE:20240305\nEND:VTODO\nBEGIN:VEVENT\nSUMMARY:second\nEND:VEVENT\n",
        tmp_path,
    )
    assert (pieces.metadata["items"], pieces.metadata["due"]) == (2, "2024-03-05")
    assert pieces.text == "Summary: first\nDue: 2024-03-05\n\nSummary: second"


def test_a_day_without_a_time_is_a_whole_day(tmp_path: Path) -> None:
    pieces = opened("BEGIN:VEVENT\nDTSTART;VALUE=DATE:20240305\nEND:VEVENT\n", tmp_path)
    assert (pieces.metadata["all_day"], pieces.metadata["start"]) == (True, "2024-03-05")


def test_old_calendars_with_quoted_printable_in_a_charset_are_read(tmp_path: Path) -> None:
    line = "SUMMARY;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:Gr=F6=DFe=0A=\nzwei\n"
    assert opened(f"BEGIN:VEVENT\n{line}END:VEVENT\n", tmp_path).metadata["title"] == "Größe\nzwei"


def test_a_file_inside_comes_out_byte_for_byte(tmp_path: Path) -> None:
    content = bytes(range(256))
    line = "ATTACH;FMTTYPE=application/pdf;ENCODING=BASE64;VALUE=BINARY;X-FILENAME=a.pdf:"
    folded = "\n ".join([line, *(base64.b64encode(content).decode()[at : at + 60] for at in range(0, 344, 60))])
    pieces = opened(f"BEGIN:VEVENT\nSUMMARY:x\n{folded}\nLOCATION:behind\nEND:VEVENT\n", tmp_path)
    assert (pieces.names, list(pieces.contents.values())) == (["a.pdf"], [content])
    assert pieces.metadata["location"] == "behind"


def test_a_cut_off_calendar_is_partial(tmp_path: Path) -> None:
    pieces = read(calendar, b"BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:kept", tmp_path, name="x.ics")
    assert (pieces.metadata["title"], [trouble.partial for trouble in pieces.troubles]) == ("kept", [True])


def test_other_encodings_are_known_by_their_bytes(tmp_path: Path) -> None:
    text = "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:Größe\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
    for encoding in ("utf-16", "utf-8-sig", "cp1252"):
        assert read(calendar, text.encode(encoding), tmp_path, name="x.ics").metadata["title"] == "Größe"
