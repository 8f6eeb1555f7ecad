"""WordPerfect documents, 5 and later."""

import struct
from pathlib import Path

import pytest
from tests.support.other_documents import wordperfect_code, wpd
from tests.support.pieces import read

from redwell.core.errors import InvalidFile, PasswordProtected, Unsupported
from redwell.handlers.structures.compound_writer import Storage, write
from redwell.handlers.word import wordperfect

pytestmark = pytest.mark.requirement("A6", "A7")


def test_words_spaces_lines_tabs_and_special_characters(tmp_path: Path) -> None:
    text = (
        b"Dear\x80Ann"
        + wordperfect_code(0xD0, 4)
        + wordperfect_code(0xE0, 0x11)
        + b"\xf0\x29\x01\xf0t\xf0\x1c\x04\xf0s\x84off\xcc"
    )
    assert read(wordperfect, wpd(text), tmp_path).text == "Dear Ann\n\tét’s-off\n\n"  # noqa: RUF001


def test_words_that_were_taken_out_are_told_apart_and_notes_follow_the_body(tmp_path: Path) -> None:
    packet = struct.pack("<HII", 1, 0, 8) + b"The\x80note"
    text = b"kept\xf1\x00\x00\x00\xf1gone\xf1\x01\x00\x00\xf1"
    pieces = read(wordperfect, wpd(text, packets=(packet,)), tmp_path)
    assert pieces.text == "kept[deleted: gone]\nThe note\n"
    assert pieces.metadata["has_hidden_text"] is True


def test_version_5_has_codes_of_its_own(tmp_path: Path) -> None:
    pieces = read(wordperfect, wpd(b"One\x0atwo\xc0\x29\x01\xc0\xd1\x00\x04\x00abcdthree\xa9\x0d", major=0), tmp_path)
    assert pieces.text == "One\ntwoéthree- \n"
    assert pieces.metadata["format_version"] == "5.1"


def test_a_document_in_a_compound_file_is_read(tmp_path: Path) -> None:
    data = write(Storage(streams={"PerfectOffice_MAIN": wpd(b"inside")}))
    assert read(wordperfect, data, tmp_path).text == "inside\n"


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (wpd(b"x", key=7), PasswordProtected),
        (wpd(b"x", kind=1), Unsupported),
        (wpd(b"x")[:10], InvalidFile),
        (b"\xffWPC\xff\xff\xff\x7f\x01\x0a\x02\x01" + bytes(20), InvalidFile),
    ],
)
def test_what_cannot_be_read_is_named(data: bytes, error: type, tmp_path: Path) -> None:
    assert isinstance(read(wordperfect, data, tmp_path).error, error)


def test_a_code_without_an_end_costs_one_byte(tmp_path: Path) -> None:
    assert read(wordperfect, wpd(b"a\xd4\x01\x63\x63b"), tmp_path).text == "aåccb\n"
