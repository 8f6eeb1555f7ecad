"""Pictures inside documents are members where the setting asks, and only there (SPEC A7)."""

import io
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from PIL import Image
from tests.support.office_files import docx, odf, paragraph
from tests.support.pieces import Pieces, read

from redwell.core.outcomes import Code, Outcome
from redwell.handlers import office, pdf

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


def taken(handler: Any, data: bytes, tmp_path: Path, **options: Any) -> Pieces:
    return read(handler, data, tmp_path, **{"embedded_images": 1, **options})


def test_picture_parts_of_packages_come_out_byte_for_byte_and_thumbnails_do_not(tmp_path: Path) -> None:
    png, jpeg = picture("PNG"), picture("JPEG")
    word = docx(paragraph("hello"), **{"word__media__image1.png": png, "docProps__thumbnail.jpeg": jpeg})
    text = odf("<office:text/>", TEXT, **{"Pictures__a.jpg": jpeg, "Thumbnails__thumbnail.png": png})
    for data, name, content in ((word, "image1.png", png), (text, "a.jpg", jpeg)):
        pieces = taken(office, data, tmp_path)
        [child] = pieces.children.values()
        assert (child.name, child.role, child.hash_kind, child.data) == (name, "inline", "bytes", content)
        assert pieces.error is None


def test_pictures_of_a_pdf_come_out_once_each_and_those_without_a_file_are_made(tmp_path: Path) -> None:
    pieces = taken(pdf, sample_pdf(), tmp_path)
    jpeg, made = pieces.children.values()
    assert (jpeg.name, jpeg.hash_kind, jpeg.data) == ("page 1 picture 1.jpg", "bytes", picture("JPEG"))
    assert (made.name, made.hash_kind, made.role) == ("page 1 picture 2.png", "synthetic", "inline")
    assert Image.open(io.BytesIO(bytes(made.data))).tobytes() == bytes(range(144))  # type: ignore[arg-type]


def test_without_the_setting_nothing_is_taken_out(tmp_path: Path) -> None:
    word = docx(paragraph("hello"), **{"word__media__image1.png": picture("PNG")})
    for handler, data in ((office, word), (pdf, sample_pdf())):
        pieces = taken(handler, data, tmp_path, embedded_images=0)
        assert not pieces.children and not pieces.is_container


def test_a_picture_that_claims_too_many_pixels_costs_itself(tmp_path: Path) -> None:
    document = pikepdf.new()
    bomb = image(document, b"x", Width=1_000_000, Height=1_000_000)
    small = image(document, picture("JPEG"), Filter=pikepdf.Name.DCTDecode)
    pieces = taken(pdf, pdf_with(bomb, small, document=document), tmp_path)
    assert [lost.outcome for lost in pieces.lost.values()] == [Outcome.TOO_LARGE]
    assert [child.data for child in pieces.children.values()] == [picture("JPEG")]


@pytest.mark.parametrize("limit", [{"max_members": 2}, {"max_total_bytes": 150}])
def test_limits_hold_for_pictures(limit: dict[str, int], tmp_path: Path) -> None:
    pictures = {f"word__media__image{n}.png": picture("PNG", n) for n in range(5)}
    pieces = taken(office, docx(paragraph("hello"), **pictures), tmp_path, **limit)
    assert len(pieces.children) == 2
    assert [trouble.code for trouble in pieces.troubles] == [Code.LIMIT_REACHED]
