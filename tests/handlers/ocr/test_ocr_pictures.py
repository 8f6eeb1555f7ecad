"""Pictures, faxes of many pages, and pictures inside documents are read."""

import io
import zipfile
from pathlib import Path
from types import ModuleType
from typing import Any

import pypdfium2
import pytest
from PIL import Image
from tests.support.pdf_files import saved
from tests.support.pieces import Pieces, read
from tests.support.scans import as_file, in_deep_shadow, page_of, pdf_of, photograph, shaded

from redwell.core import page_words
from redwell.core.artifacts import ArtifactKind
from redwell.core.errors import InvalidFile
from redwell.core.handler import Artifact, Volume
from redwell.core.loadfiles.assembly import PAGE, Part
from redwell.core.loadfiles.records.record_document import page_list
from redwell.core.outcomes import Code
from redwell.handlers.ocr import ocr_image, ocr_image_list, ocr_inline, ocr_page_list
from redwell.handlers.ocr.picture_reading import dpi_of

pytestmark = pytest.mark.requirement("A7", "A6")

LINES = ("Both valves were closed before the test.", "The pressure fell in the afternoon.")


def scan(*lines: str) -> Any:
    return page_of(lines or LINES, dpi=150, size=(5, 3)).picture


def texts(pieces: Pieces) -> dict[int, str]:
    kind = ArtifactKind.OCR_TEXT
    return {piece.number: bytes(piece.data).decode() for piece in pieces.of(Artifact) if piece.kind is kind}


def searchable(pieces: Pieces) -> list[str]:
    [path] = [piece.data for piece in pieces.of(Artifact) if piece.kind is ArtifactKind.SEARCHABLE_PDF]
    document = pypdfium2.PdfDocument(path)
    found = [page.get_textpage().get_text_range() for page in document]
    document.close()
    return found


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "WEBP"])
def test_a_picture_gives_its_words_and_a_pdf(kind: str, tmp_path: Path) -> None:
    pieces = read(ocr_image, as_file(scan(), kind), tmp_path)
    assert texts(pieces)[1].split() == " ".join(LINES).split()
    assert [page.split()[:2] for page in searchable(pieces)] == [["Both", "valves"]]
    assert pieces.troubles == []


def test_a_picture_is_read_as_its_camera_held_it(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # to be turned clockwise
    pieces = read(ocr_image, as_file(scan().rotate(90, expand=True), "JPEG", exif=exif), tmp_path)
    assert texts(pieces)[1].startswith("Both valves")
    [boxes] = [piece.data for piece in pieces.of(Artifact) if piece.kind is ArtifactKind.WORD_BOXES]
    page = page_words.decode(boxes)
    assert page.width > page.height and page.words[0].top < 0.3


def test_each_page_of_a_fax_is_read_and_a_range_alone(tmp_path: Path) -> None:
    pages = [scan("First page of the fax was sent."), scan("Second page of the fax."), scan("Third page of the fax.")]
    first, *others = [page.convert("1") for page in pages]
    fax = as_file(first, "TIFF", save_all=True, append_images=others, compression="group4", dpi=(150, 150))
    pieces = read(ocr_image_list, fax, tmp_path)
    assert [text.split()[0] for text in texts(pieces).values()] == ["First", "Second", "Third"]
    assert [page.split()[0] for page in searchable(pieces)] == ["First", "Second", "Third"]
    ranged = read(ocr_image_list, fax, tmp_path, first_page=2, last_page=2)
    assert list(texts(ranged)) == [2] and len(searchable(ranged)) == 1


def test_pages_that_were_given_with_a_record_are_read_each_as_it_came(tmp_path: Path) -> None:
    fax = as_file(scan("Second page."), "TIFF", save_all=True, append_images=[scan("Third page.")], dpi=(150, 150))
    turned = as_file(scan("First page was scanned.").rotate(90, expand=True), "PNG", dpi=(150, 150))
    last = saved(pdf_of(scan("Fifth page is a PDF."), dpi=150))
    given = [(turned, 0, 1), (fax, 1, 0), (fax, 2, 0), (b"no picture", 0, 0), (last, 1, 0)]
    named = [Part(PAGE, f"p{n}", "00" * 32, len(data), page, "", turn) for n, (data, page, turn) in enumerate(given)]
    whole = [page_list(named), *(data for data, _, _ in given)]
    volumes = tuple(Volume(number=number, suffix="", size=len(data)) for number, data in enumerate(whole))
    pieces = read(ocr_page_list, b"".join(whole), tmp_path, volumes=volumes)
    found = {number: text.split()[0] for number, text in texts(pieces).items()}
    assert found == dict(enumerate(("First", "Second", "Third", "Fifth"), 1))  # as the PDF of the list counts them
    assert [page.split()[0] for page in searchable(pieces)] == ["First", "Second", "Third", "Fifth"]
    [trouble] = pieces.troubles
    assert trouble.code is Code.OCR_FAILED and "page 4 (p3)" in trouble.detail


@pytest.mark.parametrize("handler", [ocr_image, ocr_image_list])
def test_a_photograph_without_words_gives_nothing_and_is_fine(handler: ModuleType, tmp_path: Path) -> None:
    pieces = read(handler, as_file(photograph(), "TIFF" if handler is ocr_image_list else "JPEG"), tmp_path)
    assert (pieces.all, pieces.error) == ([], None)


@pytest.mark.parametrize("kind", ["PNG", "JPEG"])
def test_a_photograph_of_a_page_in_deep_shadow_gives_its_words(kind: str, tmp_path: Path) -> None:
    taken = in_deep_shadow(page_of(LINES, dpi=200, size=(5, 3)).picture)
    pieces = read(ocr_image, as_file(taken, kind), tmp_path)
    assert texts(pieces)[1].split() == " ".join(LINES).split()


def test_what_may_be_a_page_in_shadow_and_cannot_be_read_is_told_and_takes_nothing_away(tmp_path: Path) -> None:
    taken = shaded(Image.new("L", (900, 700), 255))
    for left in range(0, 900, 30):  # a fence
        taken.paste(20, (left, 0, left + 6, 700))
    [trouble] = read(ocr_image, as_file(taken), tmp_path).troubles
    assert (trouble.code, trouble.partial) == (Code.NO_TEXT, False)
    assert trouble.detail.endswith("it may be a page in deep shadow, or a photograph")


def test_a_page_in_which_nothing_is_readable_says_so(tmp_path: Path) -> None:
    hatched = Image.new("1", (600, 600), 1)
    hatched.putdata([255 if (x // 3 + y // 3) % 5 else 0 for y in range(600) for x in range(600)])
    pieces = read(ocr_image_list, as_file(hatched, "TIFF"), tmp_path)
    assert [(trouble.code, trouble.partial) for trouble in pieces.troubles] == [(Code.NO_TEXT, True)]
    assert "ocr_languages=eng" in pieces.troubles[0].detail


def test_a_damaged_picture_is_invalid_and_a_cut_fax_keeps_its_first_pages(tmp_path: Path) -> None:
    whole = as_file(scan())
    assert isinstance(read(ocr_image, whole[: len(whole) // 2], tmp_path).error, InvalidFile)
    fax = bytearray(as_file(scan("First page of the fax."), "TIFF", save_all=True, append_images=[scan()]))
    second = fax.rfind(b"II*\0") if fax.count(b"II*\0") > 1 else len(fax) - 100
    pieces = read(ocr_image_list, bytes(fax[:second]), tmp_path)
    assert pieces.error or texts(pieces)[1].startswith("First")


@pytest.mark.parametrize(("told", "side", "dpi"), [((200, 200), 100, 200), ((1, 1), 1100, 100), (None, 9000, 300)])
def test_a_resolution_that_no_scanner_has_is_guessed(told: object, side: int, dpi: int) -> None:
    assert dpi_of(told, side) == dpi


# inside documents


def package(**parts: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        for name, data in parts.items():
            archive.writestr(f"word/media/{name}.png", data)
    return out.getvalue()


def test_pictures_inside_a_document_are_read_and_a_failure_is_a_warning(tmp_path: Path) -> None:
    good, photo = as_file(scan()), as_file(photograph(300, 200))
    pieces = read(ocr_inline, package(image1=photo, image2=good, image3=good[:500]), tmp_path, name="a.docx")
    assert {number: text.split()[0] for number, text in texts(pieces).items()} == {2: "Both"}
    assert {piece.kind for piece in pieces.of(Artifact)} == {ArtifactKind.OCR_TEXT}
    assert [(trouble.code, trouble.partial) for trouble in pieces.troubles] == [(Code.OCR_FAILED, False)]
    assert pieces.troubles[0].detail.startswith("image3.png: ")


def test_pictures_of_rtf_are_read(tmp_path: Path) -> None:
    data = b"{\\rtf1 before {\\pict\\pngblip " + as_file(scan()).hex().encode() + b"} after}"
    assert texts(read(ocr_inline, data, tmp_path, name="a.rtf"))[1].startswith("Both valves")
