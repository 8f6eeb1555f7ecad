"""Extracted text on pages: as it is, whatever it says, in any script, and never without an end."""

from pathlib import Path

import pytest
from tests.support.rendered import page_texts, picture_of, render, text_of

from redwell.handlers.render import text_pdf, typeset

pytestmark = pytest.mark.requirement("A6", "A7")
MARKUP = '#read("/etc/passwd") *not bold* $x^2$ = heading `raw` \\ <label> @reference #import "@preview/x:1.0.0": *'


def test_nothing_in_a_text_is_markup(tmp_path: Path) -> None:
    found = render(text_pdf, MARKUP.encode(), tmp_path)
    assert (text_of(found.pdf), found.pages) == (MARKUP + " 1", {"pdf": 1})


def test_form_feeds_begin_pages(tmp_path: Path) -> None:
    found = render(text_pdf, b"first\n\fsecond\n\fthird\n", tmp_path)
    assert [page.split() for page in page_texts(found.pdf)] == [["first", "1"], ["second", "2"], ["third", "3"]]


@pytest.mark.parametrize(
    "words", ["漢字とかな", "한국어", "русский", "ελληνικά", "ไทย", "हिन्दी", "Zażółć", "☑ ∑", "😀"]
)
def test_every_script_has_a_font(tmp_path: Path, words: str) -> None:
    pdf = render(text_pdf, words.encode(), tmp_path).pdf
    shown = set("".join(text_of(pdf).split()))
    assert shown >= set("".join(words.split())) - set("ि्ीไ"), shown
    assert picture_of(pdf).crop((50, 50, 400, 100)).convert("L").getextrema()[0] < 200


def test_arabic_and_hebrew_begin_at_the_right(tmp_path: Path) -> None:
    pdf = render(text_pdf, "مرحبا بالعالم\nשלום עולם\n".encode(), tmp_path).pdf  # noqa: RUF001
    assert {"مرحبا"[0], "ש"} <= set(text_of(pdf))
    shown = picture_of(pdf).convert("L")
    left, right = (shown.crop((edge, 50, edge + 250, 90)).getextrema()[0] for edge in (56, 290))
    assert left > 200 > right


def test_what_has_no_place_to_break_is_broken_at_the_margin(tmp_path: Path) -> None:
    word = "0123456789" * 40
    pdf = render(text_pdf, f"{word}\n\tafter a tab".encode(), tmp_path).pdf
    assert word in "".join(text_of(pdf).replace("\u200b", "").split())
    assert picture_of(pdf).crop((545, 0, 590, 400)).convert("L").getextrema()[0] > 200, "nothing in the margin"


def test_a_text_of_many_parts_loses_no_line_and_counts_its_pages_through(tmp_path: Path) -> None:
    lines = [f"line {number} of many" for number in range(7_000)]
    found = render(text_pdf, "\n".join(lines).encode(), tmp_path)
    pages = page_texts(found.pdf)
    assert found.pages == {"pdf": len(pages)}
    assert [line for page in pages for line in page.splitlines() if line.startswith("line")] == lines
    assert [int(page.split()[-1]) for page in pages] == list(range(1, len(pages) + 1))


def test_a_text_that_nobody_would_read_on_pages_ends_with_a_note(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(typeset, "_MOST_PAGES", 100)
    found = render(text_pdf, b"word\n\f" * 1_000, tmp_path)
    assert found.pages["pdf"] <= 301
    assert "The PDF ends here, after" in page_texts(found.pdf)[-1]
    assert [trouble.partial for trouble in found.troubles] == [False]


@pytest.mark.parametrize("data", [b"", b"\n\n\n", b"\xff\xfe\x00broken", b"\0\x1b[31m"])
def test_there_is_a_page_whatever_the_text_is(tmp_path: Path, data: bytes) -> None:
    assert render(text_pdf, data, tmp_path, media_type="text/plain").pages == {"pdf": 1}


def test_the_same_text_gives_the_same_bytes(tmp_path: Path) -> None:
    assert render(text_pdf, b"words", tmp_path / "a").made == render(text_pdf, b"words", tmp_path / "b").made
