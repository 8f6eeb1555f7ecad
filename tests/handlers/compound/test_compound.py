"""Visio, Publisher and Hangul documents in compound files, and compound files without a reader."""

import io
import struct
from pathlib import Path

import pytest
from tests.support.other_documents import hangul, summary, visio
from tests.support.pieces import read

from redwell.core.errors import InvalidFile, PasswordProtected, Unsupported
from redwell.core.handler import Pages
from redwell.handlers.documents import compound
from redwell.handlers.documents.visio_binary import unpacked
from redwell.handlers.structures.compound_writer import Storage, write
from redwell.handlers.structures.ole import Compound

pytestmark = pytest.mark.requirement("A6", "A7")


def test_a_visio_drawing_gives_the_words_of_its_shapes_and_its_pages(tmp_path: Path) -> None:
    pieces = read(compound, write(Storage(streams={"VisioDocument": visio("Router", "Büro 2")})), tmp_path)
    assert pieces.text == "Router\nBüro 2\n"
    assert pieces.of(Pages)[0].count == 1


@pytest.mark.parametrize(("version", "error"), [(2, Unsupported), (11, InvalidFile)])
def test_an_old_or_damaged_drawing_is_named(version: int, error: type, tmp_path: Path) -> None:
    drawing = visio("x", version=version)[:0x110]
    assert isinstance(read(compound, write(Storage(streams={"VisioDocument": drawing})), tmp_path).error, error)


def test_visio_packing_copies_from_its_ring_and_from_what_it_makes() -> None:
    # three letters, then nine from the place of the first: the copy runs into itself
    start = (0 - 18) & 0xFFF
    pair = bytes((start & 0xFF, start >> 4 & 0xF0 | 9 - 3))
    assert unpacked(b"\x07abc" + pair) == b"abc" * 4


def test_publisher_stories_are_text(tmp_path: Path) -> None:
    text = "Invitation\rSunday".encode("utf-16-le")
    entry = struct.pack("<H4sHI4sII", 24, b"TEXT", 0, 1, b"TEXT", 0x40, len(text))
    contents = (b"CHNKINK " + bytes(24) + entry).ljust(0x40, b"\0") + text
    quill = Storage(storages={"QuillSub": Storage(streams={"CONTENTS": contents})})
    data = write(Storage(streams={"\x05SummaryInformation": summary("Party")}, storages={"Quill": quill}))
    pieces = read(compound, data, tmp_path)
    assert pieces.text == "Invitation\nSunday"
    assert pieces.metadata["title"] == "Party"


@pytest.mark.parametrize("properties", [0, 1, 5])
def test_hangul_paragraphs_are_text_packed_or_not_and_handed_out_for_reading_alone(
    properties: int, tmp_path: Path
) -> None:
    assert read(compound, hangul(properties), tmp_path).text == "계약서\n"


def test_an_encrypted_hangul_document_is_protected(tmp_path: Path) -> None:
    assert isinstance(read(compound, hangul(3), tmp_path).error, PasswordProtected)


def test_a_type_without_a_reader_is_unsupported_with_its_properties(tmp_path: Path) -> None:
    data = write(Storage(streams={"\x05SummaryInformation": summary("Schedule"), "Props14": b"x"}))
    pieces = read(compound, data, tmp_path)
    assert isinstance(pieces.error, Unsupported)
    assert pieces.metadata["title"] == "Schedule"


def test_a_large_compound_file_whose_list_of_tables_ends_wrongly_is_opened() -> None:
    data = bytearray(write(Storage(streams={"big": bytes(8 << 20)})))
    (listing,) = struct.unpack_from("<I", data, 68)
    struct.pack_into("<I", data, (listing + 2) * 512 - 4, 0x1234)
    assert len(Compound(io.BytesIO(bytes(data))).stream("big")) == 8 << 20
