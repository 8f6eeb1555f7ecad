"""Which pages of a PDF are pictures of text, and when a text layer is none."""

from pathlib import Path

import pikepdf
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.pdf_files import document_of, saved
from tests.support.pieces import read
from tests.support.scans import GERMAN, LETTER, add_picture, page_of, pdf_of

from redwell.core.outcomes import Code
from redwell.handlers.pdf import pdf
from redwell.handlers.structures.pages.text_layer import Drawn, Lack, is_junk, lack_of, told

pytestmark = pytest.mark.requirement("A7", "A20")

ENGLISH = " ".join(LETTER)
GOOD = [
    ENGLISH,
    " ".join(GERMAN),
    "Strč prst skrz krk, řekl dědeček vnukovi a oba se zasmáli. " * 10,
    "Жизнь прекрасна и удивительна, " * 10,
    "これは良い文書です。" * 10,
    "انواع الخطوط العربية " * 10,
    "BRK MSFT NVDA XOM JPM GS TSLA pct qty no. " * 10 + ENGLISH,
    "4111 1111 0000 12.50 EUR 33 x 7 = 231 " * 20,
    "\uf0b7 first point\n\uf0b7 second point\n" * 10,
    "Tel. +49 30 1234, Str. 5, D-10115 " * 10,
]


@pytest.mark.parametrize("text", GOOD)
def test_good_text_is_never_junk(text: str) -> None:
    assert not is_junk(text)


@pytest.mark.parametrize(
    "text",
    [
        "".join(chr(0xE000 + ord(char)) if char != " " else char for char in ENGLISH),
        "".join(chr(ord(char) % 31 + 1) if char != " " else char for char in ENGLISH),
        "\ufffd" * 40 + " Page 1",
        "".join({"a": "q", "e": "x", "i": "k", "o": "z", "u": "w", "y": "v"}.get(c, c) for c in ENGLISH),
    ],
)
def test_characters_that_stand_for_nothing_and_words_that_nobody_says_are_junk(text: str) -> None:
    assert is_junk(text)


@given(st.text(max_size=300), st.floats(0, 1), st.floats(0, 1), st.integers(0, 200))
def test_a_page_lacks_text_only_where_it_draws_something_or_has_junk(
    text: str, unmapped: float, pictures: float, outlines: int
) -> None:
    lack = lack_of(text, Drawn(pictures, outlines), unmapped)
    if lack is Lack.NO_TEXT:
        assert not text.split() and (pictures > 0 or outlines)
    if lack is Lack.STAMPED:
        assert text.split() and pictures >= 0.5
    assert lack_of(text, Drawn(), unmapped) in (None, Lack.JUNK)


def test_a_layer_that_somebody_recognised_before_stands_however_short_it_is() -> None:
    assert lack_of("Percent 40", Drawn(1.0, texts=4, hidden_texts=4)) is None
    assert lack_of("Percent 40", Drawn(1.0, texts=4)) is Lack.STAMPED


def test_pages_are_named_as_ranges() -> None:
    lacks = dict.fromkeys((1, 2, 3, 7), Lack.NO_TEXT)
    assert told(lacks, 10) == "pages 1-3, 7 of 10 have no text"
    assert (
        told({4: Lack.JUNK, 2: Lack.NO_TEXT}, 4) == "page 2 of 4 has no text; page 4 of 4 has text that cannot be read"
    )


# the reader


def pending(data: bytes, folder: Path) -> list[tuple[str, bool]]:
    found = read(pdf, data, folder).troubles
    return [(trouble.detail, trouble.partial) for trouble in found if trouble.code is Code.OCR_PENDING]


def test_pages_that_are_pictures_are_named_and_others_are_not(tmp_path: Path) -> None:
    document = pdf_of(page_of().picture)
    typed = document_of("typed")
    document.pages.append(typed.pages[0])
    document.add_blank_page()
    add_picture(document, page_of().picture)
    assert pending(saved(document), tmp_path) == [("pages 1, 4 of 4 have no text", False)]


def test_a_scan_with_a_stamp_is_a_picture_still(tmp_path: Path) -> None:
    document = pikepdf.new()
    add_picture(document, page_of().picture, more=b"BT /F1 9 Tf 20 5 Td (Case 4:08-cv-02214 Page 1 of 2) Tj ET")
    assert pending(saved(document), tmp_path) == [("page 1 of 1 is a picture with a line of text", False)]


def test_a_recognised_scan_and_a_blank_page_and_a_letterhead_are_not_pending(tmp_path: Path) -> None:
    recognised = pikepdf.new()
    add_picture(recognised, page_of().picture, more=b"BT 3 Tr /F1 9 Tf 20 5 Td (The inspection of) Tj ET")
    assert pending(saved(recognised), tmp_path) == []
    blank = pikepdf.new()
    blank.add_blank_page()
    assert pending(saved(blank), tmp_path) == []
    head = pdf_of(page_of(size=(0.5, 0.5)).picture)
    head.pages[0].obj["/MediaBox"] = pikepdf.Array([0, 0, 612, 792])
    assert pending(saved(head), tmp_path) == []


def test_letters_that_were_drawn_as_outlines_are_pending(tmp_path: Path) -> None:
    document = document_of("x")
    strokes = b"".join(b"%d %d m %d %d l S " % (x, y, x + 3, y + 7) for x in range(20, 280, 8) for y in (100, 120, 140))
    document.pages[0].obj["/Contents"] = document.make_stream(strokes)
    assert pending(saved(document), tmp_path) == [("page 1 of 1 has no text", False)]
