"""A picture of a page is told from a photograph, a logo and an icon, without reading it."""

import io
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from tests.support.pieces import read
from tests.support.scans import (
    as_file,
    blurred,
    in_deep_shadow,
    leaves,
    logo,
    noisy,
    page_of,
    photograph,
    shaded,
    skewed,
)

from redwell.core.outcomes import Code
from redwell.handlers.media import image
from redwell.handlers.media.page_picture import is_page

pytestmark = pytest.mark.requirement("A7", "A20")


def looked_at(picture: Any, kind: str = "PNG", **how: Any) -> bool:
    return is_page(io.BytesIO(as_file(picture, kind, **how)))


@pytest.mark.parametrize("dpi", [100, 200, 300])
@pytest.mark.parametrize(
    "change", [lambda page: page, noisy, skewed, blurred, lambda page: page.rotate(90, expand=True)]
)
def test_pages_are_pages_at_any_resolution_and_however_bad(dpi: int, change: Any) -> None:
    assert looked_at(change(page_of(dpi=dpi, size=(6, 6)).picture))


def test_white_letters_on_black_and_letters_on_nothing_are_a_page() -> None:
    page = page_of(dpi=150, size=(6, 5)).picture
    assert looked_at(page.point(lambda shade: 255 - shade))
    clear = Image.merge("LA", (Image.new("L", page.size), page.point(lambda shade: 255 - shade)))
    assert looked_at(clear)
    assert looked_at(page.convert("RGB"), "JPEG", quality=60)


def test_a_fax_is_a_page_and_an_empty_one_is_none() -> None:
    page = page_of(dpi=200, size=(6, 6)).picture.convert("1")
    assert looked_at(page, "TIFF", compression="group4")
    assert not looked_at(Image.new("1", page.size, 1), "TIFF", compression="group4")


@pytest.mark.parametrize("dpi", [100, 200, 300])
@pytest.mark.parametrize("shadow", [shaded, in_deep_shadow])
@pytest.mark.parametrize("kind", ["PNG", "JPEG"])
def test_a_photograph_of_a_page_in_shadow_is_a_page(dpi: int, shadow: Any, kind: str) -> None:
    assert looked_at(shadow(page_of(dpi=dpi, size=(6, 6)).picture), kind)


@pytest.mark.parametrize("made", [photograph, leaves, logo, lambda: shaded(photograph()), lambda: shaded(leaves())])
@pytest.mark.parametrize("kind", ["PNG", "JPEG"])
def test_photographs_and_logos_are_no_pages(made: Any, kind: str) -> None:
    assert not looked_at(made(), kind)


def test_icons_and_damaged_and_giant_pictures_are_no_pages() -> None:
    assert not looked_at(page_of(dpi=40).picture)
    whole = as_file(page_of().picture)
    assert not is_page(io.BytesIO(whole[: len(whole) // 2]))
    assert not looked_at(Image.new("L", (8_000, 8_000), 255))


def test_the_reader_says_that_a_page_waits_for_recognition(tmp_path: Path) -> None:
    first, second = (page_of(dpi=100, size=(6, 6)).picture for _ in range(2))
    fax = read(image, as_file(first, "TIFF", save_all=True, append_images=[second]), tmp_path)
    assert [(t.code, t.detail, t.partial) for t in fax.troubles] == [
        (Code.OCR_PENDING, "pages 1-2 of 2 have no text", False)
    ]
    assert read(image, as_file(photograph(), "JPEG"), tmp_path).troubles == []
