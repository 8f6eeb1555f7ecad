"""Presentations: slides in their order, notes, hidden ones, and what is embedded."""

import struct
import warnings
import zlib
from pathlib import Path

import pytest
from tests.support.office_files import NAMESPACES, pptx, relations, slide, with_parts
from tests.support.pieces import read

from redwell.core.errors import PasswordProtected, Unsupported
from redwell.core.handler import Pages
from redwell.core.outcomes import Code, Outcome
from redwell.handlers.slides import slides
from redwell.handlers.structures.compound_writer import Storage, write

pytestmark = pytest.mark.requirement("A6")


def test_slides_come_in_order_each_with_its_notes(tmp_path: Path) -> None:
    data = pptx([slide("First"), slide("Second")], {0: "Say hello"})
    pieces = read(slides, data, tmp_path)
    assert pieces.text == "First\nSay hello\nSecond\n"
    assert pieces.of(Pages)[0].count == 2
    assert pieces.metadata["has_notes"] is True
    assert pieces.metadata["author"] == "Jane Roe"


def test_a_hidden_slide_is_read_and_flagged(tmp_path: Path) -> None:
    pieces = read(slides, pptx([slide("Shown"), slide("Kept back", 'show="0"')], {}), tmp_path)
    assert "Kept back" in pieces.text
    assert pieces.metadata["has_hidden"] is True


def test_what_layouts_and_masters_show_on_every_slide_is_text_once_and_prompts_are_not(tmp_path: Path) -> None:
    def words(text: str, place: str = "") -> str:
        named = f"<p:nvSpPr><p:nvPr>{place}</p:nvPr></p:nvSpPr>"
        return f"<p:sp>{named}<p:txBody><a:p><a:r><a:t>{text}</a:t></a:r></a:p></p:txBody></p:sp>"

    further = {
        **{f"ppt/slides/_rels/slide{n}.xml.rels": relations(l="slideLayout ../slideLayouts/l1.xml") for n in (0, 1)},
        "ppt/slideLayouts/l1.xml": f"<p:sldLayout {NAMESPACES}>{words('Board only')}</p:sldLayout>",
        "ppt/slideLayouts/_rels/l1.xml.rels": relations(m="slideMaster ../slideMasters/m1.xml"),
        "ppt/slideLayouts/l2.xml": f"<p:sldLayout {NAMESPACES}>{words('Not used')}</p:sldLayout>",
        "ppt/slideMasters/m1.xml": f"<p:sldMaster {NAMESPACES}>{words('Click to edit', '<p:ph/>')}"
        f"{words('Privileged')}</p:sldMaster>",
    }
    data = with_parts(pptx([slide("First"), slide("Second")], {}), further)
    assert read(slides, data, tmp_path).text == "First\nSecond\nBoard only\nPrivileged\n"


def test_a_damaged_slide_costs_that_slide(tmp_path: Path) -> None:
    pieces = read(slides, pptx([slide("Bad <"), slide("Good")], {}), tmp_path)
    assert "Good" in pieces.text
    assert [trouble.code for trouble in pieces.troubles] == [Code.TEXT_UNAVAILABLE]


def _record(kind: int, body: bytes, *, instance: int = 0, container: bool = False) -> bytes:
    return struct.pack("<HHI", instance << 4 | (0xF if container else 0), kind, len(body)) + body


def _ppt(objects: bytes = b"", *, token: int = 0xE391C05F) -> bytes:
    """An old presentation whose second edit replaces the first version of its slide."""
    old = _record(0x03EE, _record(0x0FA0, "taken back".encode("utf-16-le")), container=True)
    words = "Drawn".encode("utf-16-le") + bytes(2)
    art = struct.pack("<HIHIHI", 0x80C5, 4, 0x80C0, len(words), 0x00FF, 1) + bytes(4) + words
    drawn = _record(0xF00B, art, instance=3)
    new = _record(0x03EE, _record(0x0FA8, b"in a box") + drawn, container=True)
    outline = _record(0x03F3, struct.pack("<I", 2) + bytes(16)) + _record(0x0FA0, "Title ü".encode("utf-16-le"))
    listing = _record(0x0FF0, outline, container=True)
    embedding = _record(0x0FC3, struct.pack("<6I", 0, 0, 1, 0, 3, 0))
    document = _record(0x03E8, listing + _record(0x0409, embedding, container=True), container=True)
    stream = old + new + document + objects
    offsets = struct.pack("<4I", 3 << 20 | 1, len(old + new), len(old), len(old + new + document))
    first = _record(0x1772, struct.pack("<2I", 1 << 20 | 2, 0))
    second = _record(0x1772, offsets)
    at = len(stream)
    edits = first + _record(0x0FF5, struct.pack("<IIIII", 0, 0, 0, at, 1) + bytes(8))
    at_second = at + len(edits)
    edits += second + _record(0x0FF5, struct.pack("<IIIII", 0, 0, at + len(first), at_second, 1) + bytes(8))
    user = bytes(12) + struct.pack("<II", token, at_second + len(second))
    return write(Storage(streams={"PowerPoint Document": stream + edits, "Current User": user}))


def test_an_old_presentation_is_read_as_it_was_last_saved(tmp_path: Path) -> None:
    inner = write(Storage(streams={"Workbook": b"w"}))
    raw = struct.pack("<I", len(inner)) + zlib.compress(inner)[:-4] + b"bad!"  # a wrong checksum does no harm
    pieces = read(slides, _ppt(_record(0x1011, raw, instance=1)), tmp_path)
    assert pieces.text == "in a box\nDrawn\nTitle ü"
    assert pieces.of(Pages)[0].count == 1
    assert (pieces.names, pieces.contents["ole:3"]) == (["embedded 3.xls"], inner)


def test_an_embedded_object_that_is_cut_off_is_lost_and_named(tmp_path: Path) -> None:
    raw = struct.pack("<I", 500) + zlib.compress(b"x" * 100)
    pieces = read(slides, _ppt(_record(0x1011, raw, instance=1)), tmp_path)
    assert pieces.lost["ole:3"].outcome is Outcome.INVALID_FILE
    assert "in a box" in pieces.text


def test_an_encrypted_old_presentation_is_named_so(tmp_path: Path) -> None:
    assert isinstance(read(slides, _ppt(token=0xF3D1C4DF), tmp_path).error, PasswordProtected)


def test_a_presentation_from_before_97_is_unsupported(tmp_path: Path) -> None:
    assert isinstance(read(slides, write(Storage(streams={"PP40": b"x"})), tmp_path).error, Unsupported)


def test_sound_and_film_are_files_of_their_own(tmp_path: Path) -> None:
    sound = (
        '<Types><Default Extension="mp3" ContentType="audio/mpeg"/><Default Extension="png" ContentType="image/png"/>'
    )
    main = '<Override PartName="/ppt/presentation.xml" ContentType="presentationml.presentation.main+xml"/></Types>'
    parts = {"ppt/media/call.mp3": "ID3", "ppt/media/icon.png": "PNG", "[Content_Types].xml": sound + main}
    with warnings.catch_warnings(action="ignore"):  # the last of two parts with one name counts
        data = with_parts(pptx([slide("Listen")], {}), parts)
    assert read(slides, data, tmp_path).names == ["call.mp3"]
