"""The pages of an exhibit are what was made of each; what is missing is a row, too."""

import pytest

from redwell.core.artifacts import ArtifactKind
from redwell.core.case.pages import ExhibitPage, pages_of
from redwell.core.case.rows import MadeArtifact

pytestmark = pytest.mark.requirement("D10")


def made(kind: ArtifactKind, number: int, amount: int = 0, figures: str = "{}") -> MadeArtifact:
    sha256 = f"{kind}{number}".encode()
    return MadeArtifact(str(kind), number, "image/png", sha256, 9, amount, figures)


def test_a_document_without_pages_has_no_rows() -> None:
    assert pages_of(None, [made(ArtifactKind.CELL_MAP, 0)]) == (0, ())
    assert pages_of(3, []) == (3, ())


def test_a_page_has_its_image_its_words_and_what_was_recognised_on_it() -> None:
    size, quality = '{"width": 816, "height": 1056, "dpi": 96}', '{"quality": 0.92, "engine": "tesseract"}'
    kinds = (ArtifactKind.THUMBNAIL, ArtifactKind.WORD_BOXES)
    artifacts = [
        made(ArtifactKind.PAGE_IMAGE, 1, figures=size),
        made(ArtifactKind.PAGE_TEXT, 1, 20),
        made(ArtifactKind.OCR_TEXT, 1, 300, quality),
        *(made(kind, 1) for kind in kinds),
    ]
    [page] = pages_of(1, artifacts).rows
    assert (page.number, page.width, page.height, page.media_type) == (1, 816, 1056, "image/png")
    assert (page.chars, page.quality) == (320, 0.92)
    assert None not in (page.image, page.thumbnail, page.text, page.words, page.recognised)


def test_what_a_range_has_not_brought_yet_is_named() -> None:
    """Of 250 pages the second range of 100 is missing."""
    there = [*range(1, 101), *range(201, 251)]
    pages = pages_of(None, [made(ArtifactKind.PDF, 0, 250), *(made(ArtifactKind.PAGE_IMAGE, n) for n in there)])
    assert pages.asked == len(pages.rows) == 250
    assert pages.missing == list(range(101, 201))
    assert pages.rows[100] == ExhibitPage(101)


def test_a_pdf_knows_better_than_the_document_how_many_pages_there_are() -> None:
    assert pages_of(7, [made(ArtifactKind.PDF, 0, 2), made(ArtifactKind.PAGE_IMAGE, 1)]).asked == 2
