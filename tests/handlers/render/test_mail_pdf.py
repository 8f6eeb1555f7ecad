"""Mail as PDF: its fields in the case's zone, its body as it was read, and nothing fetched."""

import io
from email.message import EmailMessage
from pathlib import Path

import pytest
from PIL import Image
from tests.support.outlook_files import Properties, attribute, tnef, tnef_values
from tests.support.rendered import page_texts, picture_of, render, text_of

from redwell.handlers.engines import chromium
from redwell.handlers.render import mail_pdf, printing
from redwell.handlers.render.html_cleaning import cleaned

pytestmark = pytest.mark.requirement("A6", "A7")


def red(size: int = 200) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (size, size), "red").save(out, "PNG")
    return out.getvalue()


def mail(html: str = "", text: str = "The valves leak.\n") -> EmailMessage:
    message = EmailMessage()
    message["From"], message["To"] = "Alex Archer <archer@example.com>", "Kim <kim@example.com>, lee@example.com"
    message["Cc"], message["Bcc"] = "cc@example.com", "hidden@example.com"
    message["Date"], message["Subject"] = "Tue, 01 May 2001 22:30:00 +0000", "Zażółć <b>漢字</b>"
    message.set_content(text)
    if html:
        message.add_alternative(html, subtype="html")
    return message


@pytest.fixture(autouse=True, scope="module")
def _browser_ends() -> object:
    yield
    while printing._warm:
        printing._warm.pop().close()


def test_the_fields_stand_above_a_plain_body(tmp_path: Path) -> None:
    message = mail(text="> quoted\n> lines\n\nAnswer\n" + "x" * 300)
    message.add_attachment(b"1" * 2048, maintype="application", subtype="pdf", filename="plan.pdf")
    found = render(mail_pdf, message.as_bytes(), tmp_path, timezone="Europe/Berlin")
    shown = text_of(found.pdf)
    for said in (
        "From Alex Archer <archer@example.com>",
        "To Kim <kim@example.com>; lee@example.com",
        "Cc cc@example.com",
        "Bcc hidden@example.com",
        "Date Wed, 02 May 2001 00:30:00 +0200 (Europe/Berlin)",
        "Subject Zażółć <b>漢字</b>",
        "Attachments plan.pdf (2.0 KB)",
        "> quoted > lines",
    ):
        assert said in shown, shown
    assert not printing._warm, "no browser is started for it"


def test_html_is_shown_as_it_was_read_with_its_own_pictures(tmp_path: Path) -> None:
    html = '<html><body style="margin:0"><p>Body in <b>HTML</b> مرحبا</p><img src="cid:logo@x" width=400></body></html>'
    message = mail(html)
    message.get_payload()[1].add_related(red(), "image", "png", cid="<logo@x>")  # type: ignore[union-attr]
    found = render(mail_pdf, message.as_bytes(), tmp_path)
    shown = text_of(found.pdf)
    assert "Body in HTML" in shown and "Subject Zażółć <b>漢字</b>" in shown and "Attachments" not in shown
    pixels = picture_of(found.pdf).get_flattened_data()
    assert sum(pixel == (255, 0, 0) for pixel in pixels) > 20_000
    assert found.figures == {} and not found.troubles


def test_what_outlook_wrapped_is_shown_as_the_mail_it_is(tmp_path: Path) -> None:
    values: Properties = {0x0037: "Pumps", 0x0042: "Ann", 0x5D02: "ann@example.com", 0x1013: b"<p>The <b>words</b></p>"}
    wrapped = tnef(attribute(1, 0x00069003, tnef_values(values)))
    found = render(mail_pdf, wrapped, tmp_path, media_type="application/vnd.ms-tnef")
    shown = text_of(found.pdf)
    assert "From Ann <ann@example.com>" in shown and "Subject Pumps" in shown and "The words" in shown


def test_what_lies_elsewhere_is_a_marked_gap_and_counted(tmp_path: Path) -> None:
    html = '<p>Before</p><img src="https://x.example/a.png" alt="Logo" width=300 height=80><img src="//x/p" width=1>'
    found = render(mail_pdf, mail(html).as_bytes(), tmp_path)
    shown = text_of(found.pdf)
    assert "Logo [not fetched: https://x.example" in shown and "Not fetched 2 pictures that lie elsewhere" in shown
    assert found.figures == {"not_fetched": 2}


HOSTILE = {
    "script": "<script>x()</script><p onclick='x()'>ok</p>",
    "frame": '<iframe src="http://h/"></iframe><object data="http://h/"></object><embed src="http://h/">',
    "form": '<form action="http://h/"><input formaction="http://h/"></form>',
    "style": '<style>@import "http://h/"; @font-face{font-family:x;src:url(http://h/)} p{background:url(http://h/)}</style>',
    "escape": '<p style="background:\\75\\72l(http://h/)">x</p><style>@\\69mport "http://h/";</style>',
    "head": '<link rel=stylesheet href="http://h/"><base href="http://h/"><meta http-equiv=refresh content="0;http://h/">',
    "svg": '<svg><image xlink:href="http://h/"/><use href="http://h/#a"/><a xlink:href="http://h/">x</a></svg>',
    "source": '<img srcset="http://h/ 2x"><video src="http://h/" poster="http://h/"></video><td background="http://h/">',
    "link": '<a href="javascript:x()" ping="http://h/">y</a><a href="http://h/">z</a>',
    "data": '<img src="data:text/html,<script>x()</script>">',
}


@pytest.mark.parametrize("name", HOSTILE)
def test_nothing_that_fetches_or_acts_is_left(name: str) -> None:
    shown = cleaned(HOSTILE[name], {})
    for word in ("http://h/", "x()", "@import", "javascript", "action", "\\75"):
        assert word not in shown.style + shown.body.replace("[not fetched: http://h/]", ""), shown


def test_a_page_can_hide_nothing_from_print_nor_choose_its_paper(tmp_path: Path) -> None:
    html = (
        "<style>@media print{body{display:none}} @page{size:20px 20px} .f{position:fixed;top:0} .p{page:other}</style>"
        "<div class=p>seen</div><div class=f>fixed</div>" + "<p>line</p>" * 80
    )
    found = render(mail_pdf, mail(html).as_bytes(), tmp_path)
    pages = page_texts(found.pdf)
    assert "seen" in pages[0] and len(pages) < 6 and sum("fixed" in page for page in pages) == 1


def test_without_a_browser_the_words_of_the_mail_are_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(printing, "_warm", [])
    monkeypatch.setattr(chromium, "_NAMES", ("no-such-browser",))
    found = render(mail_pdf, mail("<p>Only <i>HTML</i> says this</p>").as_bytes(), tmp_path)
    assert "Only HTML says this" in text_of(found.pdf)
    assert [("no browser" in t.detail or "by a browser" in t.detail, t.partial) for t in found.troubles] == [
        (True, False)
    ]


def test_a_sealed_mail_shows_its_fields_and_why_no_more(tmp_path: Path) -> None:
    sealed = (
        b"From: a@example.com\nSubject: sealed\nMIME-Version: 1.0\n"
        b'Content-Type: multipart/encrypted; protocol="application/pgp-encrypted"; boundary="B"\n\n--B\n'
        b"Content-Type: application/pgp-encrypted\n\nVersion: 1\n--B\nContent-Type: application/octet-stream\n\n"
        b"-----BEGIN PGP MESSAGE-----\n\nhQEMA\n-----END PGP MESSAGE-----\n--B--\n"
    )
    found = render(mail_pdf, sealed, tmp_path)
    assert "Subject sealed" in text_of(found.pdf)
    assert [trouble.code for trouble in found.troubles] == ["PDF_UNAVAILABLE"]


def test_the_same_mail_gives_the_same_bytes(tmp_path: Path) -> None:
    data = mail("<p>HTML</p>").as_bytes()
    assert render(mail_pdf, data, tmp_path / "a").made == render(mail_pdf, data, tmp_path / "b").made
