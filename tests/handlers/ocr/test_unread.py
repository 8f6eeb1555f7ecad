"""What lies in shadow and was not read is told: confidence alone does not."""

from pathlib import Path

import pytest
from PIL import Image
from tests.support.pdf_files import saved
from tests.support.pieces import Pieces, read
from tests.support.scans import LETTER, Scan, as_file, half_in_the_dark, in_deep_shadow, page_of, pdf_of, photograph

from redwell.core.artifacts import ArtifactKind
from redwell.core.handler import Artifact
from redwell.core.outcomes import Code
from redwell.core.page_words import Word
from redwell.handlers.ocr import ocr_image, ocr_pages
from redwell.handlers.ocr.unread import MUCH, unread_share

pytestmark = pytest.mark.requirement("A7", "A20", "B5")


def page() -> Scan:
    return page_of(LETTER * 3, dpi=150, size=(6, 4))


def words_of(scan: Scan, right_of: float = 0.0) -> list[Word]:
    return [Word(p.word, p.left, p.top, p.right, p.bottom, 0.95) for p in scan.places if p.left >= right_of]


def test_writing_in_shadow_that_has_no_word_is_counted() -> None:
    scan = page()
    dark = in_deep_shadow(scan.picture)
    assert unread_share(dark, words_of(scan)) < MUCH / 2
    assert unread_share(dark, words_of(scan, right_of=0.5)) > MUCH


def test_what_was_not_read_in_good_light_is_no_matter_of_shadow() -> None:
    """A drawing, a stamp, a signature."""
    scan = page()
    assert unread_share(scan.picture, words_of(scan, right_of=0.5)) == 0.0
    assert unread_share(Image.new("L", (900, 700), 255), []) == 0.0
    assert unread_share(Image.new("L", (9, 9), 255), []) == 0.0


def unread_pages(pieces: Pieces) -> list[str]:
    return [each.detail.partition(":")[0] for each in pieces.troubles if each.code is Code.PARTLY_UNREAD]


def test_a_page_of_which_half_is_read_says_so(tmp_path: Path) -> None:
    pieces = read(ocr_image, as_file(half_in_the_dark(page().picture)), tmp_path)
    [text] = [each for each in pieces.of(Artifact) if each.kind is ArtifactKind.OCR_TEXT]
    assert text.figures["quality"] > 0.7 and text.figures["unread"] >= MUCH, "what was read was read well"
    assert unread_pages(pieces) == ["page 1"]
    assert not any(trouble.partial for trouble in pieces.troubles)


def test_of_a_pdf_the_pages_are_named(tmp_path: Path) -> None:
    good, bad = page().picture, half_in_the_dark(page().picture)
    pieces = read(ocr_pages, saved(pdf_of(good, bad, dpi=150)), tmp_path)
    assert unread_pages(pieces) == ["page 2"]


def test_a_page_that_reads_well_and_a_photograph_say_nothing(tmp_path: Path) -> None:
    assert unread_pages(read(ocr_image, as_file(in_deep_shadow(page().picture)), tmp_path)) == []
    assert unread_pages(read(ocr_image, as_file(photograph()), tmp_path)) == []
