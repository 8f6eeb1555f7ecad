"""Pages that go out: stamped, burned, in the right kind of file; and several PDFs made one."""

import io
from pathlib import Path

import msgspec
import pikepdf
import pypdfium2
import pytest
from PIL import Image
from tests.support.production_evidence import LETTER, pdf

from redwell.core.handler import Artifact, Options
from redwell.core.page_words import Word
from redwell.core.production.orders import BindingOrder, Box, Part, PrintOrder, written
from redwell.handlers.host.source import BytesSource
from redwell.handlers.produce import bound_pdf, produced_pages

ORDER = PrintOrder(numbers=["ABC000001", "ABC000002"], designation="CONFIDENTIAL", dpi=100)


def made(data: bytes, order: PrintOrder, scratch: Path, first_page: int = 1) -> list[Artifact]:
    options = Options(name="", media_type="application/pdf", order=written(order), first_page=first_page)
    pieces = produced_pages.extract(BytesSource(data, "x.pdf", scratch), scratch, options)
    return [piece for piece in pieces if isinstance(piece, Artifact)]


def opened(page: Artifact) -> Image.Image:
    assert isinstance(page.data, bytes)
    return Image.open(io.BytesIO(page.data))


def test_a_page_in_black_and_white_is_a_group_4_tiff_with_a_margin_below(tmp_path: Path) -> None:
    pages = made(pdf(LETTER), ORDER, tmp_path)
    first = opened(pages[0])
    assert [page.media_type for page in pages] == ["image/tiff"] * 2
    assert (first.info["compression"], first.mode, first.info["dpi"]) == ("group4", "1", (100, 100))
    paper = (583, 827)  # A5 at 100 dots an inch
    assert first.size == (paper[0], paper[1] + 36)
    margin = first.crop((0, paper[1], *first.size)).convert("L")
    assert margin.crop((paper[0] // 2, 0, *margin.size)).getextrema() == (0, 255)  # the number
    assert made(pdf(LETTER), ORDER, tmp_path)[0].data == pages[0].data


def test_what_is_hidden_is_not_in_the_pixels(tmp_path: Path) -> None:
    box = Box(0.1, 0.1, 0.9, 0.5, "")
    [page, _] = made(pdf(LETTER), msgspec.structs.replace(ORDER, hidden={1: [box]}), tmp_path)
    inside = opened(page).convert("L").crop((59, 84, 520, 412))
    assert inside.getextrema() == (0, 0)


def test_colours_and_shades_are_kept_as_jpeg(tmp_path: Path) -> None:
    for colour, mode in (("#c03030", "RGB"), ("#b0b0b0", "L")):
        out = io.BytesIO()
        Image.new("RGB", (400, 500), colour).save(out, "PDF", resolution=72)
        [page] = made(out.getvalue(), msgspec.structs.replace(ORDER, numbers=["A1"]), tmp_path)
        assert page.media_type == "image/jpeg"
        assert opened(page).mode == mode


@pytest.mark.parametrize(
    ("packing", "named"), [("lzw", "tiff_lzw"), ("deflate", "tiff_adobe_deflate"), ("none", "raw")]
)
def test_a_tiff_is_packed_as_it_is_wanted_and_shows_the_same(tmp_path: Path, packing: str, named: str) -> None:
    usual = made(pdf(LETTER), ORDER, tmp_path)[0]
    other = made(pdf(LETTER), msgspec.structs.replace(ORDER, tiff=packing), tmp_path)[0]
    assert opened(other).info["compression"] == named
    assert opened(other).tobytes() == opened(usual).tobytes()
    assert len(usual.data) < len(other.data) < 65_000  # type: ignore[arg-type]  # a pixel is a bit


def test_colours_go_out_without_a_loss_where_that_is_wanted(tmp_path: Path) -> None:
    picture = Image.effect_noise((400, 500), 60).convert("RGB")
    picture.paste("#c03030", (0, 0, 400, 100))
    out = io.BytesIO()
    picture.save(out, "PDF", resolution=72)
    order = msgspec.structs.replace(ORDER, numbers=["A1"], shades="tiff")
    [exact] = made(out.getvalue(), order, tmp_path)
    [packed] = made(out.getvalue(), msgspec.structs.replace(order, tiff="deflate"), tmp_path)
    [rough, fine] = (
        made(out.getvalue(), msgspec.structs.replace(order, shades="jpeg", quality=quality), tmp_path)[0]
        for quality in (30, 95)
    )
    assert (exact.media_type, opened(exact).info["compression"], opened(exact).mode) == (
        "image/tiff",
        "tiff_lzw",
        "RGB",
    )
    assert opened(packed).tobytes() == opened(exact).tobytes() != opened(fine).tobytes()
    assert len(rough.data) * 2 < len(fine.data) < len(exact.data)  # type: ignore[arg-type]


def test_a_narrow_page_is_made_as_wide_as_its_number(tmp_path: Path) -> None:
    out = io.BytesIO()
    Image.new("1", (30, 60), 1).save(out, "PDF", resolution=72)
    [page] = made(out.getvalue(), msgspec.structs.replace(ORDER, numbers=["ABCDEFGH000001"]), tmp_path)
    assert opened(page).width > 150


def test_a_range_goes_on_and_what_has_fewer_pages_repeats_its_last(tmp_path: Path) -> None:
    pages = made(pdf(LETTER), ORDER, tmp_path, first_page=2)
    assert [page.number for page in pages] == [2, 3]


def test_all_pages_can_be_one_pdf_of_the_same_pictures(tmp_path: Path) -> None:
    [whole] = made(pdf(LETTER), msgspec.structs.replace(ORDER, form="pdf"), tmp_path)
    assert isinstance(whole.data, bytes)
    with pikepdf.open(io.BytesIO(whole.data)) as opened_pdf:
        assert len(opened_pdf.pages) == whole.amount == 2
    assert made(pdf(LETTER), msgspec.structs.replace(ORDER, form="pdf"), tmp_path)[0].data == whole.data


def said(data: bytes) -> list[str]:
    with pypdfium2.PdfDocument(data) as made:
        return [page.get_textpage().get_text_range() for page in made]


def test_words_stand_behind_the_pages_of_a_pdf_where_they_are_shown(tmp_path: Path) -> None:
    order = msgspec.structs.replace(ORDER, form="pdf", layer=True)
    [whole] = made(pdf(LETTER), order, tmp_path)
    assert isinstance(whole.data, bytes)
    first, second = said(whole.data)
    assert "Our contact is Barnaby Quill." in " ".join(first.split()) and "ABC000001" in first
    assert "Barnaby Quill will call on Monday." in " ".join(second.split())
    with pypdfium2.PdfDocument(whole.data) as out:
        words = out[0].get_textpage()
        found = words.search("Barnaby").get_next()
        assert found is not None
        left, bottom, right, top = words.get_rect(words.count_rects(*found) - 1)
        height = out[0].get_size()[1]
        ink = opened(made(pdf(LETTER), ORDER, tmp_path)[0]).convert("L")
        place = [round(side * 100 / 72) for side in (left, height - top, right, height - bottom)]
        assert ink.crop(tuple(place)).getextrema() == (0, 255)
    assert made(pdf(LETTER), order, tmp_path)[0].data == whole.data


def test_words_of_a_scan_are_those_that_were_recognised_and_none_are_without_being_asked_for(tmp_path: Path) -> None:
    words = tmp_path / "words.json"
    words.write_bytes(msgspec.json.encode({1: [Word("秘密", 0.1, 0.1, 0.3, 0.15), Word("ñandú", 0.4, 0.1, 0.6, 0.15)]}))
    order = msgspec.structs.replace(ORDER, numbers=["A1"], form="pdf", layer=True, words=str(words))
    out = io.BytesIO()
    Image.new("1", (400, 500), 1).save(out, "PDF", resolution=72)
    [whole] = made(out.getvalue(), order, tmp_path)
    [text] = said(whole.data)
    assert "秘密" in text and "ñandú" in text and "A1" in text
    [plain] = made(pdf(LETTER), msgspec.structs.replace(order, layer=False, words=""), tmp_path)
    assert said(plain.data) == [""]


def test_small_black_letters_on_a_full_page_are_no_shades(tmp_path: Path) -> None:
    text = ["Quick brown foxes jump over the lazy dog, and over again, said nobody."] * 40
    [page] = made(pdf([text]), msgspec.structs.replace(ORDER, numbers=["A1"], dpi=300), tmp_path)
    assert page.media_type == "image/tiff"


@pytest.mark.parametrize("broken", [b"", b"%PDF-1.4 no such thing"])
def test_pdfs_become_one_with_bookmarks_and_a_broken_one_is_named(broken: bytes, tmp_path: Path) -> None:
    files = [pdf(LETTER), broken or pdf([["x"]]), pdf([["an attachment"]])]
    titles = [("mail", 0), ("broken", 0), ("attached", 1)]
    parts = [Part(title, len(data), depth) for data, (title, depth) in zip(files, titles, strict=True)]
    options = Options(name="", media_type="", order=written(BindingOrder(parts=parts)))
    *troubles, whole = bound_pdf.extract(BytesSource(b"".join(files), "x.pdf", tmp_path), tmp_path, options)
    assert len(troubles) == bool(broken)
    assert isinstance(whole, Artifact) and isinstance(whole.data, Path)
    with pikepdf.open(whole.data) as bound, bound.open_outline() as outline:
        assert len(bound.pages) == (3 if broken else 4)
        last = outline.root[-1]
        assert (last.title, last.children[0].title) == ("mail" if broken else "broken", "attached")
