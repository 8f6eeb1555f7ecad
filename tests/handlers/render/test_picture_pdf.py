"""Pictures as PDF: a page for each frame, upright, on white, as large as they say they are."""

import io
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from PIL import Image
from tests.support.rendered import page_size, picture_of, render

from redwell.core.errors import InvalidFile, TooLarge
from redwell.handlers.render import picture_frames, picture_pdf

pytestmark = pytest.mark.requirement("A6", "A7")


def half_red(size: tuple[int, int] = (600, 400), mode: str = "RGB") -> Any:
    """Red above, white below."""
    picture = Image.new("RGB", size, "white")
    picture.paste("red", (0, 0, size[0], size[1] // 2))
    return picture.convert(mode)


def saved(picture: Any, form: str, **how: Any) -> bytes:
    out = io.BytesIO()
    picture.save(out, form, **how)
    return out.getvalue()


def colours(pdf: bytes, page: int = 0) -> list[str]:
    """Of the page's upper, lower, left and right middle."""
    shown = picture_of(pdf, page)
    width, height = shown.size
    places = [(width // 2, height // 8), (width // 2, height * 7 // 8), (width // 8, height // 2)]
    return [_name(shown.getpixel(place)) for place in places]


def _name(colour: tuple[int, int, int]) -> str:
    red, green, blue = colour
    return "red" if red > 180 > 100 > max(green, blue) else "white" if min(colour) > 230 else str(colour)


@pytest.mark.parametrize(
    ("form", "mode"),
    [
        *[("PNG", "RGB"), ("PNG", "RGBA"), ("PNG", "P"), ("JPEG", "RGB"), ("JPEG", "CMYK"), ("GIF", "P")],
        *[("BMP", "RGB"), ("WEBP", "RGBA"), ("TIFF", "RGB"), ("JPEG2000", "RGB"), ("PCX", "RGB"), ("PPM", "RGB")],
        *[("SGI", "RGB"), ("ICO", "RGBA"), ("TGA", "RGB"), ("AVIF", "RGB")],
    ],
)
def test_every_kind_of_picture_is_shown(tmp_path: Path, form: str, mode: str) -> None:
    size = (200, 200) if form == "ICO" else (600, 400)
    data = saved(half_red(size, mode), form, **({"sizes": [size]} if form == "ICO" else {}))
    found = render(picture_pdf, data, tmp_path, name=f"a.{form.lower()}", media_type="image/x")
    assert found.pages == {"pdf": 1} and colours(found.pdf)[:2] == ["red", "white"]


def test_every_page_of_a_fax_is_kept_bit_by_bit(tmp_path: Path) -> None:
    pages = [half_red((1728, 2200), "1") for _ in range(3)]
    fax = saved(pages[0], "TIFF", save_all=True, append_images=pages[1:], compression="group4", dpi=(204, 196))
    found = render(picture_pdf, fax, tmp_path)
    assert found.pages == {"pdf": 3}
    with pikepdf.open(io.BytesIO(found.pdf)) as opened:
        held = [next(iter(page.Resources.XObject.values())) for page in opened.pages]
        assert ["CCITTFaxDecode" in str(image.Filter) for image in held] == [True] * 3
        assert pikepdf.PdfImage(held[2]).as_pil_image().convert("1").tobytes() == pages[2].tobytes()


def test_a_jpeg_is_put_in_as_it_is(tmp_path: Path) -> None:
    data = saved(half_red(), "JPEG")
    with pikepdf.open(io.BytesIO(render(picture_pdf, data, tmp_path).pdf)) as opened:
        assert next(iter(opened.pages[0].Resources.XObject.values())).read_raw_bytes() == data


@pytest.mark.parametrize("orientation", [2, 3, 4, 5, 6, 7, 8])
def test_a_photograph_stands_as_its_camera_was_held(tmp_path: Path, orientation: int) -> None:
    turned = {2: 0, 3: 3, 4: 1, 5: 5, 6: 2, 7: 6, 8: 4}  # PIL's transpositions that undo what EXIF says
    exif = Image.Exif()
    exif[0x0112] = orientation
    data = saved(half_red().transpose(Image.Transpose(turned[orientation])), "JPEG", exif=exif)
    found = render(picture_pdf, data, tmp_path)
    assert colours(found.pdf)[:2] == ["red", "white"]
    assert page_size(found.pdf)[0] > page_size(found.pdf)[1]


@pytest.mark.parametrize(
    ("pixels", "dpi", "points"),
    [
        ((1700, 2200), 200, (612, 792)),  # a scan of a letter
        ((4000, 3000), 72, (794, 595)),  # a photograph that nobody gave a size: A4
        ((400, 300), 0, (300, 225)),  # as on a screen
        ((16, 16), 0, (72, 72)),
        ((1000, 10), 1_000_000, (750, 72)),  # what can't be is not believed
    ],
)
def test_a_page_is_as_large_as_its_picture_was(
    tmp_path: Path, pixels: tuple[int, int], dpi: int, points: tuple[int, int]
) -> None:
    data = saved(half_red(pixels, "L"), "PNG", **({"dpi": (dpi, dpi)} if dpi else {}))
    found = page_size(render(picture_pdf, data, tmp_path).pdf)
    assert all(abs(got - wanted) <= 1 for got, wanted in zip(found, points, strict=True)), found


def test_what_is_clear_is_white(tmp_path: Path) -> None:
    clear = half_red(mode="RGBA")
    clear.putalpha(Image.new("L", clear.size, 0))
    assert colours(render(picture_pdf, saved(clear, "PNG"), tmp_path).pdf) == ["white"] * 3


def test_a_long_animation_ends_with_a_note(tmp_path: Path) -> None:
    frames = [Image.new("RGB", (40, 40), (number, 0, 0)) for number in range(120)]
    moving = saved(frames[0], "GIF", save_all=True, append_images=frames[1:])
    found = render(picture_pdf, moving, tmp_path)
    assert found.pages == {"pdf": 100}
    assert [(t.detail, t.partial) for t in found.troubles] == [("the PDF ends after 100 of 120 frames", False)]


def test_many_large_pages_are_joined_from_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("redwell.handlers.render.joined_pdf._TOGETHER", 2_000)
    pages = [half_red((100 + number, 100)) for number in range(5)]
    found = render(picture_pdf, saved(pages[0], "TIFF", save_all=True, append_images=pages[1:]), tmp_path)
    assert found.pages == {"pdf": 5} and colours(found.pdf, 4)[:2] == ["red", "white"]
    assert sorted(file.name for file in tmp_path.iterdir()) == ["joined.pdf", "source"]


def test_a_picture_that_claims_too_much_is_not_decoded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(picture_frames, "_MOST_PIXELS", 100)
    assert isinstance(render(picture_pdf, saved(half_red(), "PNG"), tmp_path).error, TooLarge)


def test_what_is_no_picture_is_invalid(tmp_path: Path) -> None:
    assert isinstance(render(picture_pdf, b"\x89PNG\r\n\x1a\n no", tmp_path).error, InvalidFile)


def test_a_picture_that_is_cut_off_shows_what_there_is(tmp_path: Path) -> None:
    whole = saved(half_red(), "BMP")
    found = render(picture_pdf, whole[: len(whole) * 3 // 4], tmp_path)
    assert found.pages == {"pdf": 1}
    with pytest.raises(OSError, match="truncated"):  # what others of this process do with it does not hang on that
        Image.open(io.BytesIO(whole[: len(whole) * 3 // 4])).load()


def test_the_same_picture_gives_the_same_bytes(tmp_path: Path) -> None:
    data = saved(half_red(), "TIFF", save_all=True, append_images=[half_red()])
    assert render(picture_pdf, data, tmp_path / "a").made == render(picture_pdf, data, tmp_path / "b").made
    assert b"/ID" not in render(picture_pdf, saved(half_red(), "PNG"), tmp_path / "c").pdf, "which would be of its time"
