"""Each page of a PDF has an image, a small one, and its words where the image shows them."""

import io
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from pikepdf import Dictionary, Name, String
from PIL import Image
from tests.support.pdf_files import document_of, saved
from tests.support.pieces import BytesSource, Pieces, read
from tests.support.scans import page_of, pdf_of

from redwell.core import page_words
from redwell.core.artifacts import ArtifactKind
from redwell.core.handler import Artifact, Pages
from redwell.core.outcomes import Code
from redwell.core.work.kinds import Profile, TaskType
from redwell.handlers.host.candidates import Candidates
from redwell.handlers.host.registry import load
from redwell.handlers.render import page_images
from redwell.handlers.render.page_images import dpi_of
from redwell.runtime.bootstrap.handler_modules import BUILT_IN_OF

pytestmark = pytest.mark.requirement("A7", "A6")


def made(pieces: Pieces, kind: ArtifactKind) -> dict[int, Any]:
    return {piece.number: piece for piece in pieces.of(Artifact) if piece.kind is kind}


def image(pieces: Pieces, number: int = 1) -> Any:
    return Image.open(io.BytesIO(made(pieces, ArtifactKind.PAGE_IMAGE)[number].data))


def test_pages_have_an_image_a_small_one_text_and_words(tmp_path: Path) -> None:
    pieces = read(page_images, saved(document_of("First page", "Second page")), tmp_path)
    assert pieces.of(Pages)[0].count == 2
    assert {kind: list(made(pieces, kind)) for kind in ArtifactKind if made(pieces, kind)} == {
        ArtifactKind.PAGE_IMAGE: [1, 2],
        ArtifactKind.THUMBNAIL: [1, 2],
        ArtifactKind.PAGE_TEXT: [1, 2],
        ArtifactKind.WORD_BOXES: [1, 2],
    }
    assert (image(pieces).format, image(pieces).size, image(pieces).mode) == ("PNG", (400, 400), "L")
    small = Image.open(io.BytesIO(made(pieces, ArtifactKind.THUMBNAIL)[1].data))
    assert (small.format, small.size) == ("JPEG", (160, 160))
    assert made(pieces, ArtifactKind.PAGE_TEXT)[2].data == b"Second page"
    words = page_words.decode(made(pieces, ArtifactKind.WORD_BOXES)[2].data).words
    assert [word.text for word in words] == ["Second", "page"]


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_the_ink_of_a_word_is_inside_its_box_however_the_page_is_cut_and_turned(turn: int, tmp_path: Path) -> None:
    document = document_of("Valve")
    page = document.pages[0].obj
    page["/MediaBox"], page["/CropBox"] = pikepdf.Array([-50, -20, 300, 300]), pikepdf.Array([10, 120, 210, 260])
    page["/Rotate"] = turn
    pieces = read(page_images, saved(document), tmp_path)
    [word] = page_words.decode(made(pieces, ArtifactKind.WORD_BOXES)[1].data).words
    shown = image(pieces)
    ink = shown.point(lambda shade: 255 if shade < 128 else 0).getbbox()
    box = (word.left * shown.width, word.top * shown.height, word.right * shown.width, word.bottom * shown.height)
    assert word.text == "Valve" and ink == pytest.approx(box, abs=2.5)


def test_colours_stay_and_the_resolution_is_the_one_that_is_set(tmp_path: Path) -> None:
    document = document_of("x", "y")
    document.pages[1].obj["/Contents"] = document.make_stream(b"1 0 0 rg 20 20 2 2 re f")
    pieces = read(page_images, saved(document), tmp_path, page_dpi=72)
    assert (image(pieces, 1).mode, image(pieces, 2).mode, image(pieces, 2).size) == ("L", "RGB", (300, 300))


def test_only_the_range_is_made(tmp_path: Path) -> None:
    pieces = read(page_images, saved(document_of(*"abcde")), tmp_path, first_page=2, last_page=3)
    assert list(made(pieces, ArtifactKind.PAGE_IMAGE)) == [2, 3]


def test_a_scan_has_an_image_and_no_words(tmp_path: Path) -> None:
    pieces = read(page_images, saved(pdf_of(page_of().picture)), tmp_path)
    assert {piece.kind for piece in pieces.of(Artifact)} == {ArtifactKind.PAGE_IMAGE, ArtifactKind.THUMBNAIL}


def test_what_was_filled_into_a_form_is_drawn(tmp_path: Path) -> None:
    document = document_of("x")
    field = Dictionary(
        Type=Name.Annot, Subtype=Name.Widget, FT=Name.Tx, T=String("a"), V=String("Filled"), F=4,
        Rect=pikepdf.Array([20, 50, 250, 90]), DA=String("/Helv 24 Tf 0 g"),
    )  # fmt: skip
    field = document.make_indirect(field)
    document.pages[0].obj["/Annots"] = pikepdf.Array([field])
    font = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica)
    resources = Dictionary(Font=Dictionary(Helv=font))
    document.Root.AcroForm = Dictionary(
        Fields=pikepdf.Array([field]), NeedAppearances=True, DR=resources, DA=String("/Helv 24 Tf 0 g")
    )
    shown = image(read(page_images, saved(document), tmp_path))
    assert shown.convert("L").crop((30, 290, 330, 330)).getextrema()[0] < 100


def test_a_page_that_fails_is_named_and_the_others_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = page_images._png
    calls: list[Any] = []

    def failing(picture: Any) -> bytes:
        calls.append(picture)
        if len(calls) == 1:
            raise ValueError("no room")
        return whole(picture)

    monkeypatch.setattr(page_images, "_png", failing)
    pieces = read(page_images, saved(document_of("a", "b")), tmp_path)
    assert [(t.code, t.detail) for t in pieces.troubles] == [
        (Code.HANDLER_ERROR, "page 1 has no image: ValueError: no room")
    ]
    assert list(made(pieces, ArtifactKind.PAGE_IMAGE)) == [2]


def test_a_giant_page_is_shown_smaller() -> None:
    assert dpi_of(612, 792, 96) == 96
    assert dpi_of(14_400, 14_400, 96) == 20
    with pytest.raises(ValueError, match="no size"):
        dpi_of(0, 792, 96)


def test_reading_never_asks_it_and_a_task_of_its_own_does() -> None:
    candidates, source = Candidates(load(BUILT_IN_OF[Profile.PARSER])), BytesSource(saved(document_of("x")))
    assert "page-images" not in [found.spec.name for found in candidates.of("application/pdf", source)]
    asked = candidates.of("application/pdf", source, TaskType.RENDER_PAGE_IMAGES)
    assert next(iter(asked)).spec.name == "page-images"
