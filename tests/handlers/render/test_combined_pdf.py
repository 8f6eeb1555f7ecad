"""Parts of a document, made of ranges of its pages, become one PDF again."""

import io
from pathlib import Path

import pytest
from tests.support.pdf_files import document_of, saved
from tests.support.rendered import page_texts, render

from redwell.core.errors import InvalidFile
from redwell.core.handler import Volume
from redwell.handlers.render import combined_pdf

pytestmark = pytest.mark.requirement("A6")


def volumes(*parts: bytes) -> tuple[Volume, ...]:
    return tuple(Volume(number=number, suffix="", size=len(part)) for number, part in enumerate(parts, 1))


def test_parts_are_joined_in_their_order(tmp_path: Path) -> None:
    parts = [saved(document_of(word)) for word in ("first", "second", "third")]
    found = render(combined_pdf, b"".join(parts), tmp_path, media_type="application/pdf", volumes=volumes(*parts))
    texts = page_texts(io.BytesIO(found.made["searchable-pdf"]).getvalue())
    assert [text.strip() for text in texts] == ["first", "second", "third"]
    assert found.pages == {"searchable-pdf": 3}


def test_a_part_that_is_no_pdf_is_named(tmp_path: Path) -> None:
    parts = [saved(document_of("first")), b"nothing"]
    found = render(combined_pdf, b"".join(parts), tmp_path, media_type="application/pdf", volumes=volumes(*parts))
    assert isinstance(found.error, InvalidFile)
