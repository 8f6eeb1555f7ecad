"""Windows metafiles: the words they draw."""

import struct
from pathlib import Path

import pytest
from tests.support.other_documents import wmf, wmf_record
from tests.support.pieces import read

from redwell.core.errors import InvalidFile
from redwell.core.outcomes import Code
from redwell.handlers.media import metafile

pytestmark = pytest.mark.requirement("A7")

_END = wmf_record(0, b"")


def test_a_metafile_without_a_placeable_header_is_read(tmp_path: Path) -> None:
    font = wmf_record(0x02FB, bytes(13) + b"\xcc" + bytes(20))
    russian = "Договор".encode("cp1251")
    words = wmf_record(0x0A32, struct.pack("<hhHH", 0, 0, len(russian), 0) + russian)
    short = wmf_record(0x0521, struct.pack("<H", 4) + b"plan" + bytes(4))
    pieces = read(metafile, wmf(wmf_record(0x020C, struct.pack("<hh", -20, 30)), short, font, words, _END), tmp_path)
    assert pieces.text == f"plan\n{russian.decode('cp1251')}\n"
    assert (pieces.metadata["width"], pieces.metadata["height"]) == (30, 20)


def test_a_metafile_that_ends_early_keeps_its_words_and_says_so(tmp_path: Path) -> None:
    short = wmf_record(0x0521, struct.pack("<H", 4) + b"plan" + bytes(4))
    assert [t.code for t in read(metafile, wmf(short), tmp_path).troubles] == [Code.FILE_MISSING_OR_INCOMPLETE]
    assert isinstance(read(metafile, wmf()[:7], tmp_path).error, InvalidFile)


def test_an_enhanced_metafile_gives_text_and_its_description(tmp_path: Path) -> None:
    about = "Paint\0Chart\0\0".encode("utf-16-le")
    head = struct.pack("<II4i4iI", 1, 108 + len(about), 0, 0, 40, 30, 0, 0, 0, 0, 0x464D4520)
    head += struct.pack("<IIIHHII", 0x10000, 0, 3, 1, 0, len(about) // 2, 108)
    text = "Umsätze".encode("utf-16-le") + b"\0\0"
    words = struct.pack("<II", 84, 76 + len(text)) + bytes(36) + struct.pack("<II", 7, 76) + bytes(24) + text
    pieces = read(metafile, head.ljust(108, b"\0") + about + words + struct.pack("<II", 14, 20), tmp_path)
    assert pieces.text == "Umsätze\n"
    assert pieces.metadata == {"format": "EMF", "width": 40, "height": 30, "application": "Paint", "title": "Chart"}
