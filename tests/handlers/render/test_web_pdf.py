"""Web pages, saved pages and drawings as PDF."""

import base64
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.handlers.render.test_mail_pdf import red
from tests.support.rendered import picture_of, render, text_of

from redwell.core.errors import Unsupported
from redwell.handlers.engines import chromium
from redwell.handlers.render import printing, web_pdf

pytestmark = pytest.mark.requirement("A6", "A7")
PICTURE = base64.encodebytes(red()).decode()
SAVED = f"""From: <Saved>
Subject: page
MIME-Version: 1.0
Content-Type: multipart/related; type="text/html"; boundary="B"

--B
Content-Type: text/html; charset=utf-8
Content-Location: http://site.example/a/page.html

<html><head><link rel=stylesheet href="s.css"></head><body><h1>Saved page</h1>
<img src="../pic.png" width=400><img src="http://elsewhere.example/x.png"></body></html>
--B
Content-Type: image/png
Content-Transfer-Encoding: base64
Content-Location: http://site.example/pic.png

{PICTURE}
--B
Content-Type: text/css
Content-Location: http://site.example/a/s.css

h1 {{ color: rgb(0, 0, 255); font-size: 60px }}
--B--
"""


@pytest.fixture(autouse=True, scope="module")
def _browser_ends() -> Iterator[None]:
    yield
    while printing._warm:
        printing._warm.pop().close()


def count(pdf: bytes, colour: tuple[int, int, int]) -> int:
    return sum(pixel == colour for pixel in picture_of(pdf).get_flattened_data())


def test_a_page_in_any_encoding_is_shown(tmp_path: Path) -> None:
    page = '<html><meta charset="windows-1251"><p>Привет</p><table><tr><td>cell</table>'.encode("cp1251")
    found = render(web_pdf, page, tmp_path, name="a.html")
    assert "Привет" in text_of(found.pdf) and "cell" in text_of(found.pdf)


def test_a_saved_page_has_its_pictures_and_its_style(tmp_path: Path) -> None:
    found = render(web_pdf, SAVED.encode(), tmp_path, media_type="multipart/related")
    assert "Saved page" in text_of(found.pdf) and found.figures == {"not_fetched": 1}
    assert count(found.pdf, (255, 0, 0)) > 20_000 and count(found.pdf, (0, 0, 255)) > 50


def test_a_drawing_is_shown_and_runs_nothing(tmp_path: Path) -> None:
    svg = (
        b'<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200"><rect width="200" height="200" fill="red"/>'
        b'<text x="10" y="20">Drawn</text><script>document.documentElement.remove()</script></svg>'
    )
    found = render(web_pdf, svg, tmp_path, media_type="image/svg+xml")
    assert count(found.pdf, (255, 0, 0)) > 10_000 and found.pages == {"pdf": 1}


def test_without_a_browser_words_are_shown_and_drawings_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(printing, "_warm", [])
    monkeypatch.setattr(chromium, "_NAMES", ("no-such-browser",))
    found = render(web_pdf, b"<html><p>Words</p></html>", tmp_path, name="a.html")
    assert "Words" in text_of(found.pdf) and [trouble.partial for trouble in found.troubles] == [False]
    assert isinstance(render(web_pdf, b"<svg/>", tmp_path, media_type="image/svg+xml").error, Unsupported)
