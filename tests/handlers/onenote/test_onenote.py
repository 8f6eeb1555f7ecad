"""OneNote sections as files, and as Office 365 hands them out."""

import struct
from pathlib import Path

import pytest
from tests.support.onenote_files import SECTION, Store, properties
from tests.support.pieces import read

from redwell.core.errors import InvalidFile, PasswordProtected
from redwell.core.outcomes import Code, Outcome
from redwell.handlers.documents import onenote
from redwell.handlers.documents.onenote_package import FORMAT

pytestmark = pytest.mark.requirement("A6", "A7")

_TEXT, _ASCII, _TITLE, _AUTHOR, _FILE = 0x1C22, 0x3498, 0x1CF3, 0x1D75, 0x1D9C


def _wide(text: str) -> bytes:
    return (text + "\0").encode("utf-16-le")


def test_text_is_read_as_the_page_nests_it_and_a_later_revision_stands_for_an_object(tmp_path: Path) -> None:
    store = Store()
    store.add(2, {_TEXT: _wide("an early draft")})
    store.add(3, {_ASCII: b"second"})
    store.add(1, {_TITLE: _wide("Plan")}, children=(2, 3))
    store.add(2, {_TEXT: _wide("first ☕"), _AUTHOR: _wide("Ann Lee")})
    pieces = read(onenote, store.bytes(), tmp_path)
    assert pieces.text == "first ☕\nsecond\nAnn Lee\n"
    assert (pieces.metadata["title"], pieces.metadata["author"]) == ("Plan", "Ann Lee")


def test_a_section_tells_when_its_first_object_was_made_and_its_last_changed(tmp_path: Path) -> None:
    """Moments of objects are seconds since 1980, or FILETIME; zero stands for none."""
    store = Store()
    store.add(1, {0x1D09: bytes.fromhex("d3d7224b"), 0x1D7A: bytes.fromhex("d3d7224b")})
    store.add(2, {0x1D09: bytes.fromhex("d0d7224b"), 0x1D77: bytes.fromhex("809292067cb0d501")})
    store.add(3, {0x1D09: bytes(4), 0x1D77: b"\xff" * 8})
    metadata = read(onenote, store.bytes(), tmp_path).metadata
    assert (metadata["created"], metadata["modified"]) == ("2019-12-11T23:37:52Z", "2019-12-11T23:38:01Z")


def test_an_attached_file_is_a_child_under_its_name(tmp_path: Path) -> None:
    store = Store()
    store.add(1, {_FILE: _wide("terms.txt")}, children=(5,))
    store.add_file(5, b"the terms")
    pieces = read(onenote, store.bytes(), tmp_path)
    assert pieces.names == ["terms.txt"]
    assert list(pieces.contents.values()) == [b"the terms"]


def test_an_attached_file_that_is_not_there_is_lost_by_name(tmp_path: Path) -> None:
    store = Store()
    store.add(1, {_FILE: _wide("terms.txt")})
    assert [lost.outcome for lost in read(onenote, store.bytes(), tmp_path).lost.values()] == [Outcome.INVALID_FILE]


def test_an_encrypted_section_is_protected(tmp_path: Path) -> None:
    store = Store()
    store.add_node(0x7C)
    assert isinstance(read(onenote, store.bytes(), tmp_path).error, PasswordProtected)


def test_a_damaged_object_costs_that_object_and_a_cut_file_is_invalid(tmp_path: Path) -> None:
    store = Store()
    store.add(1, {_TEXT: _wide("whole")})
    store.add(2, {_TEXT: _wide("damaged")}, damage=4)
    pieces = read(onenote, store.bytes(), tmp_path)
    assert pieces.text == "whole\n"
    assert [trouble.code for trouble in pieces.troubles] == [Code.TEXT_UNAVAILABLE]
    assert isinstance(read(onenote, store.bytes()[:100], tmp_path).error, InvalidFile)


def _stream_object(kind: int, body: bytes) -> bytes:
    return struct.pack("<I", 2 | kind << 3 | len(body) << 17) + body


def test_the_packaging_of_office_365_is_read(tmp_path: Path) -> None:
    identity = b"\x0c" + bytes(16)  # number 1
    packed = properties({_TEXT: _wide("from the cloud")})
    data = b"\0" + b"\0" + bytes((len(packed) << 1 | 1,)) + packed
    stream = _stream_object(0x18, identity + b"\x03") + b"\x05" + _stream_object(0x16, data)
    pieces = read(onenote, SECTION + bytes(32) + FORMAT + bytes(4) + stream, tmp_path)
    assert pieces.text == "from the cloud\n"
