"""Pages, Numbers and Keynote documents, XML and packed."""

import struct
from pathlib import Path

import pytest
from tests.support.office_files import zipped
from tests.support.other_documents import iwa, iwa_message, protobuf
from tests.support.pieces import read

from redwell.core.errors import InvalidFile, PasswordProtected
from redwell.core.handler import Pages
from redwell.core.outcomes import Code
from redwell.handlers.documents import iwork
from redwell.handlers.documents.iwa import snappy

pytestmark = pytest.mark.requirement("A6", "A7")

_HISTORY = {"buildVersionHistory.plist": "<plist/>"}


def test_an_xml_document_gives_text_cells_slides_and_properties(tmp_path: Path) -> None:
    title = '<sf:metadata><sf:title><sf:string sfa:string="Plan"/></sf:title></sf:metadata>'
    slides = "<key:slide-list><key:slide><sf:p>One<sf:br/>two</sf:p></key:slide><key:slide><sf:t>"
    slides += '<sf:ct sfa:s="cell"/></sf:t><sf:n sf:v="3"/><key:notes><sf:p>Say it</sf:p></key:notes></key:slide>'
    index = f'<key:d xmlns:key="k" xmlns:sf="s" xmlns:sfa="a"><sf:stylesheet><sf:p>style</sf:p></sf:stylesheet>{title}'
    data = zipped({"index.apxl": f"{index}{slides}</key:slide-list></key:d>", **_HISTORY})
    pieces = read(iwork, data, tmp_path, name="a.key")
    assert pieces.text == "One\ntwo\ncell\n3\nSay it\n"
    assert pieces.metadata == {"title": "Plan", "has_notes": True}
    assert pieces.of(Pages)[0].count == 2


def test_packed_text_and_table_cells_are_read(tmp_path: Path) -> None:
    words = iwa_message(1, 2001, protobuf(3, "Grüße\n".encode()))
    strings = iwa_message(3, 6005, protobuf(3, protobuf(1, 7) + protobuf(3, b"rent")))
    cells = struct.pack("<BB6xII", 5, 3, 8, 7) + struct.pack("<BB6xId", 5, 2, 2, 1200.5)
    row = protobuf(6, cells) + protobuf(7, struct.pack("<3H", 0, 16, 0xFFFF))
    tile = iwa_message(4, 6002, protobuf(5, row))
    store = protobuf(3, protobuf(1, protobuf(2, protobuf(1, 4)))) + protobuf(4, protobuf(1, 3))
    table = iwa_message(2, 6001, protobuf(4, store))
    data = zipped({"Index/Document.iwa": iwa(words, table), "Index/Tables/T.iwa": iwa(strings, tile)})
    pieces = read(iwork, data, tmp_path, name="a.numbers")
    assert pieces.text == "Grüße\nrent\t1200.5\n"


def test_archives_in_a_package_of_their_own_are_found(tmp_path: Path) -> None:
    inner = zipped({"Index/Document.iwa": iwa(iwa_message(1, 2001, protobuf(3, b"inner")))})
    assert read(iwork, zipped({"Index.zip": inner, **_HISTORY}), tmp_path, name="a.pages").text == "inner\n"


def test_a_damaged_archive_costs_that_archive(tmp_path: Path) -> None:
    parts = {"Index/Document.iwa": b"\0\x05\0\0junk!", "Index/Other.iwa": iwa(iwa_message(1, 2001, protobuf(3, b"ok")))}
    pieces = read(iwork, zipped(parts), tmp_path, name="a.pages")
    assert pieces.text == "ok\n"
    assert [trouble.code for trouble in pieces.troubles] == [Code.TEXT_UNAVAILABLE]


def test_a_protected_document_and_one_without_an_index_are_named(tmp_path: Path) -> None:
    locked = bytearray(zipped({"index.xml": "<a/>", **_HISTORY}))
    for sign, place in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
        struct.pack_into("<H", locked, locked.find(sign) + place, 0x636C)
    assert isinstance(read(iwork, bytes(locked), tmp_path, name="a.pages").error, PasswordProtected)
    assert isinstance(read(iwork, zipped(dict(_HISTORY)), tmp_path, name="a.pages").error, InvalidFile)


def test_snappy_copies_may_overlap_and_must_stay_inside() -> None:
    assert snappy(b"\x08\x00a\x0d\x01", 100) == b"a" * 8  # a letter, then seven copied from one before
    for damaged in (b"\x08\x00a\x0d\x05", b"\xff\xff\xff\x7f\x00a"):
        with pytest.raises(ValueError):
            snappy(damaged, 100)


def test_a_package_of_a_zip_version_that_nobody_reads_is_invalid_in_its_own_words(tmp_path: Path) -> None:
    data = bytearray(zipped({"index.xml": "<a/>", **_HISTORY}))
    at = data.index(b"PK\x01\x02")
    data[at + 6 : at + 8] = struct.pack("<H", 99)
    error = read(iwork, bytes(data), tmp_path, name="a.pages").error
    assert isinstance(error, InvalidFile)
    assert "cannot be opened" in str(error)
