"""One page of a PDF, for somebody who waits for it."""

from pathlib import Path

import pytest
from tests.support.pdf_files import document_of, saved
from tests.support.pieces import FileSource, Pieces, read_from

from redwell.core import page_words
from redwell.core.artifacts import ArtifactKind
from redwell.core.errors import InvalidFile
from redwell.core.handler import Artifact, Pages
from redwell.handlers.render import one_page

pytestmark = pytest.mark.requirement("A7")


def words(pieces: Pieces) -> list[str]:
    [made] = [piece for piece in pieces.of(Artifact) if piece.kind is ArtifactKind.WORD_BOXES]
    assert isinstance(made.data, bytes)
    return [word.text for word in page_words.decode(made.data).words]


@pytest.mark.parametrize("pages", [3, 250])
def test_the_page_that_is_asked_for_is_drawn_and_no_other(pages: int, tmp_path: Path) -> None:
    pdf = saved(document_of(*(f"leaf {number}" for number in range(1, pages + 1))))
    pieces = read_from(one_page, FileSource(pdf, tmp_path), tmp_path, first_page=3)
    assert pieces.of(Pages)[0].count == pages
    assert [(piece.kind, piece.number) for piece in pieces.of(Artifact)] == [
        (ArtifactKind.PAGE_IMAGE, 3),
        (ArtifactKind.WORD_BOXES, 3),
    ]
    assert words(pieces) == ["leaf", "3"]


def test_a_page_that_is_not_there_is_named(tmp_path: Path) -> None:
    source = FileSource(saved(document_of("a", "b")), tmp_path)
    error = read_from(one_page, source, tmp_path, first_page=4).error
    assert isinstance(error, InvalidFile) and "page 4" in str(error)
