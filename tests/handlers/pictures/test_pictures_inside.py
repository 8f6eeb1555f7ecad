"""Pictures inside documents are members where the setting asks, and only there."""

import io
import struct
import zlib
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from PIL import Image
from tests.support.office_files import doc, docx, odf, paragraph
from tests.support.pieces import Pieces, read_by_type

from redwell.core.handler import Options
from redwell.core.outcomes import Code, Outcome
from redwell.handlers.office.office_art import pictures
from redwell.handlers.structures.compound_writer import Storage, write
from redwell.handlers.structures.ole import Compound

pytestmark = pytest.mark.requirement("A7")

TEXT = "application/vnd.oasis.opendocument.text"


def picture(kind: str, colour: int = 128) -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", (8, 6), (colour, 20, 30)).save(buffer, kind)
    return buffer.getvalue()


def pdf_with(*images: pikepdf.Stream, document: pikepdf.Pdf) -> bytes:
    page = document.add_blank_page(page_size=(100, 100))
    form = document.make_stream(b"/P1 Do")
    form.Type, form.Subtype = pikepdf.Name.XObject, pikepdf.Name.Form
    form.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary({f"/P{n}": i for n, i in enumerate(images)}))
    page.obj.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary({"/F": form, "/P0": images[0]}))
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def image(document: pikepdf.Pdf, data: bytes, **fields: Any) -> pikepdf.Stream:
    stream = document.make_stream(data)
    told = {"Type": pikepdf.Name.XObject, "Subtype": pikepdf.Name.Image, "Width": 8, "Height": 6}
    for name, value in {**told, "ColorSpace": pikepdf.Name.DeviceRGB, "BitsPerComponent": 8, **fields}.items():
        stream[f"/{name}"] = value
    return stream


def sample_pdf() -> bytes:
    document = pikepdf.new()
    jpeg = image(document, picture("JPEG"), Filter=pikepdf.Name.DCTDecode)
    plain = image(document, bytes(range(144)))
    return pdf_with(jpeg, plain, document=document)


def taken(data: bytes, tmp_path: Path, **options: Any) -> Pieces:
    return read_by_type(data, tmp_path, **{"embedded_images": 1, **options})


def test_picture_parts_of_packages_come_out_byte_for_byte_and_thumbnails_do_not(tmp_path: Path) -> None:
    png, jpeg = picture("PNG"), picture("JPEG")
    word = docx(paragraph("hello"), **{"word__media__image1.png": png, "docProps__thumbnail.jpeg": jpeg})
    text = odf("<office:text/>", TEXT, **{"Pictures__a.jpg": jpeg, "Thumbnails__thumbnail.png": png})
    for data, name, content in ((word, "image1.png", png), (text, "a.jpg", jpeg)):
        pieces = taken(data, tmp_path)
        [child] = pieces.children.values()
        assert (child.name, child.role, child.hash_kind, child.data) == (name, "inline", "bytes", content)
        assert pieces.error is None


def test_pictures_of_a_pdf_come_out_once_each_and_those_without_a_file_are_made(tmp_path: Path) -> None:
    pieces = taken(sample_pdf(), tmp_path)
    jpeg, made = pieces.children.values()
    assert (jpeg.name, jpeg.hash_kind, jpeg.data) == ("page 1 picture 1.jpg", "bytes", picture("JPEG"))
    assert (made.name, made.hash_kind, made.role) == ("page 1 picture 2.png", "synthetic", "inline")
    assert Image.open(io.BytesIO(bytes(made.data))).tobytes() == bytes(range(144))  # type: ignore[arg-type]


def test_pictures_of_a_pdf_come_in_the_same_order_in_every_process(tmp_path: Path) -> None:
    """Their places are their names: a reading that goes on behind one of them must not meet another there."""
    document = pikepdf.new()
    images = [image(document, picture("JPEG", n), Filter=pikepdf.Name.DCTDecode) for n in range(9)]
    pieces = taken(pdf_with(*images, document=document), tmp_path)
    assert list(pieces.contents.values()) == [picture("JPEG", n) for n in range(9)]


def test_without_the_setting_nothing_is_taken_out(tmp_path: Path) -> None:
    word = docx(paragraph("hello"), **{"word__media__image1.png": picture("PNG")})
    for data in (word, sample_pdf()):
        pieces = taken(data, tmp_path, embedded_images=0)
        assert not pieces.children and not pieces.is_container


def test_a_picture_that_claims_too_many_pixels_costs_itself(tmp_path: Path) -> None:
    document = pikepdf.new()
    bomb = image(document, b"x", Width=1_000_000, Height=1_000_000)
    small = image(document, picture("JPEG"), Filter=pikepdf.Name.DCTDecode)
    pieces = taken(pdf_with(bomb, small, document=document), tmp_path)
    assert [lost.outcome for lost in pieces.lost.values()] == [Outcome.TOO_LARGE]
    assert [child.data for child in pieces.children.values()] == [picture("JPEG")]


@pytest.mark.parametrize("limit", [{"max_members": 2}, {"max_total_bytes": 150}])
def test_limits_hold_for_pictures(limit: dict[str, int], tmp_path: Path) -> None:
    pictures = {f"word__media__image{n}.png": picture("PNG", n) for n in range(5)}
    pieces = taken(docx(paragraph("hello"), **pictures), tmp_path, **limit)
    assert len(pieces.children) == 2
    assert [trouble.code for trouble in pieces.troubles] == [Code.LIMIT_REACHED]


def blip(instance: int, kind: int, body: bytes, identity: int = 1) -> bytes:
    """A picture's record in a drawing of Office's binary files."""
    return struct.pack("<HHI", instance << 4, kind, 16 + len(body)) + bytes([identity] * 16) + body


def metafile(data: bytes) -> bytes:
    return struct.pack("<I28xBB", len(data), 0, 0xFE) + zlib.compress(data)


def test_pictures_of_an_old_document_come_out_each_once(tmp_path: Path) -> None:
    png, drawing = picture("PNG"), b"\x01\0\x09\0 a metafile"
    stored = blip(0x6E0, 0xF01E, b"\xff" + png) + b"between" + blip(0x216, 0xF01B, metafile(drawing), 2)
    again = blip(0x6E0, 0xF01E, b"\xff" + png)
    file = write(Storage(streams={"Pictures": stored, "Data": again}))
    options = Options(name="a", media_type="b", embedded_images=1)
    found = pictures(Compound(io.BytesIO(file)), options)
    assert [item.take() for item in found] == [("picture 1.png", png), ("picture 2.wmf", drawing)]
    assert pictures(Compound(io.BytesIO(file)), Options(name="a", media_type="b")) == []


def test_a_damaged_picture_of_an_old_document_is_lost_and_the_text_stands(tmp_path: Path) -> None:
    damaged = blip(0x3D4, 0xF01A, metafile(b"x" * 500)[:38])
    pieces = taken(doc("The text.", streams={"Data": damaged}), tmp_path)
    (lost,) = pieces.lost.values()
    assert (lost.name, lost.outcome) == ("picture 1.emf", Outcome.INVALID_FILE)
    assert "The text." in pieces.text


def test_a_picture_that_runs_over_a_workbooks_records_is_whole(tmp_path: Path) -> None:
    bitmap = picture("BMP")[14:]
    group = blip(0x7A8, 0xF01F, b"\xff" + bitmap)
    record = lambda kind, body: struct.pack("<HH", kind, len(body)) + body  # noqa: E731
    bof = record(0x0809, struct.pack("<HHHHII", 0x0600, 5, 0, 0, 0, 0))
    stream = bof + record(0xEB, group[:50]) + record(0x3C, group[50:]) + record(0x0A, b"")
    file = write(Storage(streams={"Workbook": stream.ljust(4096, b"\0")}))
    (found,) = pictures(Compound(io.BytesIO(file)), Options(name="a", media_type="b", embedded_images=1))
    assert (found.take()[1], found.hash_kind) == (picture("BMP"), "synthetic")


def test_pictures_of_rich_text_come_out_and_their_copies_for_old_readers_do_not(tmp_path: Path) -> None:
    png, jpeg = picture("PNG"), picture("JPEG")
    data = (
        rb"{\rtf1 see {\*\shppict{\pict{\*\picprop{\sp{\sn a}{\sv 12}}}\picw8\pngblip " + png.hex().encode() + rb"}}"
        rb"{\nonshppict{\pict\wmetafile8 010009}} and {\pict\jpegblip\bin%d " % len(jpeg) + jpeg + rb"}.}"
    )
    pieces = taken(data, tmp_path)
    assert [child.name for child in pieces.children.values()] == ["picture 1.png", "picture 2.jpg"]
    assert list(pieces.contents.values()) == [png, jpeg]
    assert "see" in pieces.text
    assert not read_by_type(data, tmp_path).is_container
