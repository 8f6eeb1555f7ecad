"""The page that stands for a document without a PDF, and how far renditions are."""

import pytest
from pypdfium2 import PdfDocument

from redwell.adapters.typst.slip_sheet import slip_sheet
from redwell.core.case.exhibit_look import MadePart
from redwell.core.case.rendition_states import rendition_states


def test_what_is_written_on_it_is_never_markup() -> None:
    hostile = '#include("/etc/passwd") *bold* $x$ \\ #sys.inputs <label> @ref'
    with PdfDocument(slip_sheet("No PDF", [("File", hostile), ("日本語", "العربية\x00")])) as pdf:
        assert len(pdf) == 1
        text = "".join(pdf[0].get_textpage().get_text_range().split()).replace("\u200b", "")
    assert "".join(hostile.split()) in text


def test_a_long_name_stays_on_the_page() -> None:
    with PdfDocument(slip_sheet("No PDF", [("File", "x" * 2_000), ("Path", "x" * 2_000)])) as pdf:
        assert len(pdf) == 1


@pytest.mark.parametrize(
    "state, outcome, shown",
    [("done", "SUCCESS", "made"), ("queued", None, "pending"), ("done", "CRASHED", "unavailable")],
)
def test_how_far_a_pdf_is(state: str, outcome: str | None, shown: str) -> None:
    part = MadePart(1, 1, "", "render-pdf", state, outcome, "", "[]")
    assert rendition_states([part], {"pages": "lazy"}) == {"pdf": shown, "pages": "lazy", "ocr": "none"}
