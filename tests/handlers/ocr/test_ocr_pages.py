"""Pages of a PDF that are pictures of text are read, and come back as a PDF that can be searched."""

from pathlib import Path
from typing import Any

import pikepdf
import pypdfium2
import pytest
from tests.support.pdf_files import document_of, saved
from tests.support.pieces import Pieces
from tests.support.pieces import read as read_pieces
from tests.support.scans import Place, add_picture, page_of, pdf_of, photograph

from redwell.core import page_words
from redwell.core.artifacts import ArtifactKind
from redwell.core.errors import PasswordProtected, Unsupported
from redwell.core.handler import Artifact, Pages
from redwell.core.outcomes import Code
from redwell.core.page_words import PageWords, Word
from redwell.handlers.engines import tesseract
from redwell.handlers.ocr import ocr_pages
from redwell.handlers.ocr.page_pieces import beside
from redwell.handlers.ocr.page_rendering import dpi_of
from redwell.handlers.ocr.recognition import Reading

pytestmark = pytest.mark.requirement("A7", "A6")

PAPER = (612, 792)
SHORT = ("Both valves were closed before the test began.", "The pressure fell slowly in the afternoon.")


def scan(dpi: int = 200) -> Any:
    return page_of(SHORT, dpi=dpi, size=(5, 2))


def read(document: Any, folder: Path, **options: Any) -> Pieces:
    return read_pieces(ocr_pages, saved(document), folder, **options)


def made(pieces: Pieces, kind: ArtifactKind) -> dict[int, Artifact]:
    return {piece.number: piece for piece in pieces.of(Artifact) if piece.kind is kind}


def words_of(pieces: Pieces, number: int) -> PageWords:
    return page_words.decode(bytes(made(pieces, ArtifactKind.WORD_BOXES)[number].data))  # type: ignore[arg-type]


def test_only_pages_that_need_it_are_read(tmp_path: Path) -> None:
    document, typed = pdf_of(scan().picture, dpi=200), document_of("typed words")
    document.pages.append(typed.pages[0])
    pieces = read(document, tmp_path)
    texts = made(pieces, ArtifactKind.OCR_TEXT)
    assert list(texts) == [1] and bytes(texts[1].data).decode().split() == " ".join(SHORT).split()  # type: ignore[arg-type]
    figures = texts[1].figures
    assert (figures["engine"], figures["languages"], figures["preprocessed"]) == ("tesseract", "eng", 0)
    assert figures["lack"] == "no-text" and float(figures["confidence"]) > 0.8 and texts[1].amount == 15
    assert (pieces.of(Pages)[0].count, pieces.troubles) == (2, [])


def test_all_pages_are_read_where_that_is_set_and_give_what_their_own_layer_lacks(tmp_path: Path) -> None:
    document, typed = pdf_of(scan().picture, dpi=200), document_of("typed words")
    document.pages.append(typed.pages[0])
    assert list(made(read(document, tmp_path, ocr_all=1), ArtifactKind.OCR_TEXT)) == [1], "no word stands there twice"
    ranged = read(document, tmp_path, ocr_all=1, first_page=2, last_page=2)
    [searchable] = made(ranged, ArtifactKind.SEARCHABLE_PDF).values()
    assert list(made(ranged, ArtifactKind.OCR_TEXT)) == []
    assert (searchable.number, searchable.last, searchable.amount) == (2, 2, 1)


def test_of_a_page_with_words_of_its_own_only_others_are_kept() -> None:
    words = [Word(text, 0, 0, 1, 1) for text in ("Typed,", "words", "stamped", "|")]
    kept = beside(Reading(text="Typed, words stamped |", words=words), "typed Words")
    assert (kept.text, [word.text for word in kept.words]) == ("stamped\n", ["stamped"])
    assert not beside(Reading(text="words", words=words[1:2]), "typed words").says_something


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_boxes_and_hidden_words_stand_where_the_page_shows_them(turn: int, tmp_path: Path) -> None:
    """Whatever the page's own space is: turned, cut, and not beginning at 0."""
    drawn = scan()
    picture = drawn.picture.rotate(turn, expand=True)  # the page's own turn brings it upright again
    document = pdf_of(picture, dpi=200)
    page = document.pages[0].obj
    width, height = (float(side) for side in page["/MediaBox"][2:])
    page["/Contents"] = document.make_stream(b"q %f 0 0 %f 100 50 cm /Im Do Q" % (width, height))
    page["/MediaBox"] = pikepdf.Array([0, 0, width + 200, height + 200])
    page["/CropBox"] = pikepdf.Array([100, 50, 100 + width, 50 + height])
    page["/Rotate"] = turn
    pieces = read(document, tmp_path)
    placed = words_of(pieces, 1)
    assert (round(placed.width), round(placed.height)) == (360, 144)
    assert [word.text for word in placed.words] == [place.word for place in drawn.places]
    for word, place in zip(placed.words, drawn.places, strict=True):
        assert (word.left, word.top, word.right, word.bottom) == pytest.approx(place[1:], abs=0.03)
    assert_hidden_words(made(pieces, ArtifactKind.SEARCHABLE_PDF)[1], drawn.places)


def assert_hidden_words(artifact: Artifact, places: list[Place]) -> None:
    """By pdfium: what a reader would select at the middle of a word is that word."""
    assert isinstance(artifact.data, Path)
    document = pypdfium2.PdfDocument(artifact.data)
    page = document[0]
    words = page.get_textpage()
    assert words.get_text_range().split() == " ".join(SHORT).split()
    for place in places:
        x, y = _own_point(page, (place.left + place.right) / 2, (place.top + place.bottom) / 2)
        at = words.get_index(x, y, 1, 1)
        assert at is not None
        text = words.get_text_range()
        start = max(text.rfind(" ", 0, at), text.rfind("\n", 0, at)) + 1
        assert text[start:].split()[0] == place.word
    words.close(), page.close(), document.close()


def _own_point(page: Any, x: float, y: float) -> tuple[float, float]:
    from ctypes import byref, c_double

    from pypdfium2 import raw

    found = c_double(), c_double()
    size = 10_000
    raw.FPDF_DeviceToPage(page, 0, 0, size, size, 0, round(x * size), round(y * size), *map(byref, found))
    return found[0].value, found[1].value


def test_the_searchable_pdf_looks_as_the_page_did(tmp_path: Path) -> None:
    from PIL import ImageChops

    document = pdf_of(scan().picture, dpi=200)
    artifact = made(read(document, tmp_path), ArtifactKind.SEARCHABLE_PDF)[1]
    shown = []
    for data in (saved(document), artifact.data):
        opened = pypdfium2.PdfDocument(data)
        shown.append(opened[0].render(scale=1, grayscale=True).to_pil())
        opened.close()
    assert ImageChops.difference(*shown).getbbox() is None


def test_letters_of_every_script_are_hidden_in_the_page(tmp_path: Path) -> None:
    """More than the 256 of one font."""
    from redwell.handlers.ocr.searchable import SearchablePdf

    many = ["".join(map(chr, range(at, at + 50))) for at in range(0x4E00, 0x4F40, 50)]
    told = ["Prüfung", "проверка", "检查", "\U0001d49cvalve", *many]
    words = [Word(text, 0.1, 0.02 + 0.05 * n, 0.9, 0.05 + 0.05 * n) for n, text in enumerate(told)]
    pdf = SearchablePdf.of_pages(document_of("x"), [1])
    pdf.add(0, Reading(words=words))
    opened = pypdfium2.PdfDocument(pdf.save(tmp_path / "made.pdf"))
    assert set(told) <= set(opened[0].get_textpage().get_text_range().split())
    opened.close()


def test_pictures_of_text_beside_text_are_read_alone(tmp_path: Path) -> None:
    document = pikepdf.new()
    line = b"1 0 0 1 20 %d Tm (These typed words are the page's own, and enough of them to stand.) Tj "
    lines = b"".join(line % y for y in range(300, 420, 12))
    page = add_picture(document, page_of(SHORT * 4, size=(6, 3)).picture, more=b"BT /F1 10 Tf " + lines + b"ET")
    page.obj["/MediaBox"] = pikepdf.Array([0, 0, 432, 450])
    text = made(read(document, tmp_path), ArtifactKind.OCR_TEXT)[1]
    assert text.figures["lack"] == "pictures"
    assert b"valves" in text.data and b"typed" not in text.data  # type: ignore[operator]


def test_a_document_in_which_nothing_can_be_read_says_so_and_a_blank_one_does_not(tmp_path: Path) -> None:
    pieces = read(pdf_of(photograph()), tmp_path)
    assert [(t.code, t.partial) for t in pieces.troubles] == [(Code.NO_TEXT, True)]
    assert pieces.of(Artifact) == []
    blank = read(pdf_of(page_of(("",)).picture), tmp_path)
    assert (blank.troubles, blank.of(Artifact)) == ([], [])


def test_a_page_that_can_not_be_read_costs_no_other(tmp_path: Path) -> None:
    document = pdf_of(scan().picture, scan().picture, dpi=200)
    document.pages[0].obj["/MediaBox"] = pikepdf.Array([0, 0, 500_000, 500_000])
    pieces = read(document, tmp_path, ocr_all=1)
    assert [t.code for t in pieces.troubles] == [Code.OCR_FAILED]
    assert list(made(pieces, ArtifactKind.OCR_TEXT)) == [2]


def test_passwords_are_tried(tmp_path: Path) -> None:
    document = pdf_of(scan().picture, dpi=200)
    data = saved(document, encryption=pikepdf.Encryption(user="sesame", owner="owner"))
    assert isinstance(read_pieces(ocr_pages, data, tmp_path).error, PasswordProtected)
    assert made(read_pieces(ocr_pages, data, tmp_path, passwords=("sesame",)), ArtifactKind.SEARCHABLE_PDF)


def test_without_tesseract_the_document_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tesseract, "_folder", lambda: None)
    error = read(pdf_of(scan().picture), tmp_path).error
    assert isinstance(error, Unsupported) and "apt-get install tesseract-ocr-eng" in str(error)


@pytest.mark.parametrize(
    ("points", "scanned", "dpi"),
    [(PAPER, None, 300), (PAPER, 200, 200), (PAPER, 96, 300), (PAPER, 600, 300), ((7200, 7200), 300, 71)],
)
def test_a_scan_is_read_at_its_own_resolution_where_that_is_near(
    points: tuple[float, float], scanned: float | None, dpi: int
) -> None:
    assert dpi_of(points, 300, scanned) == dpi
