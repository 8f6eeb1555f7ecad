"""How pictures are packed in PDFs: to the last bit, small, or by what they were, as the settings say."""

import io
import tempfile
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from PIL import Image, ImageChops
from tests.support.illustrated import letter_with
from tests.support.pieces import FileSource, read
from tests.support.rendered import render
from tests.support.scans import page_of

from redwell.core.artifacts import ArtifactKind
from redwell.core.compression import PdfCompression
from redwell.core.handler import Artifact, Document, Options
from redwell.handlers.ocr import ocr_image
from redwell.handlers.render import picture_pdf
from redwell.handlers.render.office import office_pdf

pytestmark = pytest.mark.requirement("A7")
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
LOSSLESS, JPEG = {"pdf_compression": PdfCompression.LOSSLESS}, {"pdf_compression": PdfCompression.JPEG}


# shades that no packing without a loss makes small
PHOTOGRAPH = Image.merge("RGB", [Image.effect_noise((600, 400), spread) for spread in (40, 50, 60)])


def packed(picture: Any, form: str) -> bytes:
    out = io.BytesIO()
    picture.save(out, form)
    return out.getvalue()


def picture_in(pdf: bytes) -> Any:
    with pikepdf.open(io.BytesIO(pdf)) as opened:
        [found] = opened.pages[0].Resources.XObject.values()
        return pikepdf.PdfImage(found).as_pil_image().convert("RGB")


def is_equal(one: Any, other: Any) -> bool:
    return one.size == other.size and not ImageChops.difference(one, other).getbbox()


def test_a_picture_without_a_loss_stays_so_unless_it_shall_be_small(tmp_path: Path) -> None:
    bitmap = packed(PHOTOGRAPH, "BMP")
    usual, exact = (render(picture_pdf, bitmap, tmp_path, **how).pdf for how in ({}, LOSSLESS))
    small, smaller = (render(picture_pdf, bitmap, tmp_path, **JPEG, jpeg_quality=q).pdf for q in (0, 40))
    assert usual == exact and is_equal(picture_in(usual), PHOTOGRAPH)
    assert len(smaller) * 2 < len(small) and len(small) * 1.5 < len(usual)
    assert not is_equal(picture_in(small), PHOTOGRAPH)
    png = packed(PHOTOGRAPH, "PNG")
    assert len(render(picture_pdf, png, tmp_path, **JPEG).pdf) * 1.5 < len(usual)


def test_a_drawing_that_a_jpeg_would_make_larger_stays_as_it_is(tmp_path: Path) -> None:
    drawing = Image.new("RGB", (600, 400), "white")
    drawing.paste("navy", (100, 100, 300, 101))
    for form in ("PNG", "GIF"):
        assert is_equal(picture_in(render(picture_pdf, packed(drawing, form), tmp_path, **JPEG).pdf), drawing)


def test_a_picture_with_a_loss_gets_no_second_one_where_none_is_wanted(tmp_path: Path) -> None:
    webp = packed(PHOTOGRAPH, "WEBP")
    with Image.open(io.BytesIO(webp)) as shown:
        usual, exact = (render(picture_pdf, webp, tmp_path, **how).pdf for how in ({}, LOSSLESS))
        assert is_equal(picture_in(exact), shown.convert("RGB")) and not is_equal(
            picture_in(usual), shown.convert("RGB")
        )
    assert len(usual) < len(exact)


def test_a_recognised_page_is_the_scan_to_the_last_bit_where_that_is_wanted(tmp_path: Path) -> None:
    words = page_of(("Both valves were closed before the test began.",), dpi=200, size=(5, 2)).picture.convert("L")
    found = {}
    for name, how in {"usual": {}, "exact": LOSSLESS, "small": {"jpeg_quality": 20}}.items():
        pieces = read(ocr_image, packed(words, "PNG"), tmp_path, media_type="image/png", **how)
        [pdf] = [each.data for each in pieces.of(Artifact) if each.kind is ArtifactKind.SEARCHABLE_PDF]
        found[name] = pdf.read_bytes() if isinstance(pdf, Path) else bytes(pdf)
    assert is_equal(picture_in(found["exact"]), words.convert("RGB"))
    assert not is_equal(picture_in(found["usual"]), words.convert("RGB"))
    assert len(found["small"]) < len(found["usual"])


def test_libreoffice_packs_as_it_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))  # where its profiles are
    sizes = {}
    for name, how in {"exact": LOSSLESS, "small": {**JPEG, "jpeg_quality": 20}}.items():
        (tmp_path / name).mkdir()
        options = Options(name="a.docx", media_type=DOCX, **how)
        document = Document(source=FileSource(letter_with(packed(PHOTOGRAPH, "PNG")), tmp_path / name), options=options)
        [(_, made)] = office_pdf.extract_many([document], tmp_path / name)
        assert isinstance(made, Artifact) and isinstance(made.data, Path)
        sizes[name] = made.data.stat().st_size
        if name == "exact":
            assert is_equal(picture_in(made.data.read_bytes()), PHOTOGRAPH)
    assert sizes["small"] * 5 < sizes["exact"]
