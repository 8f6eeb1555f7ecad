"""Visio drawings, XPS documents and EPUB books."""

from pathlib import Path

import pytest
from tests.support.office_files import CORE, package, zipped
from tests.support.other_documents import epub, hangul_package, xps
from tests.support.pieces import read_by_type

from redwell.core.errors import InvalidFile, PasswordProtected, Unsupported
from redwell.core.handler import Pages
from redwell.handlers.structures import kreuzberg_reader

pytestmark = pytest.mark.requirement("A6")

_CORE = {"docProps/core.xml": "application/vnd.openxmlformats-package.core-properties+xml"}


def test_visio_pages_are_counted_and_read_in_their_order(tmp_path: Path) -> None:
    page = "<PageContents><Shapes><Shape><Text><cp IX='0'/>{}</Text></Shape></Shapes></PageContents>"
    parts = {f"visio/pages/page{n}.xml": page.format(f"page {n}") for n in (10, 2, 1)}
    types = dict.fromkeys(parts, "application/vnd.ms-visio.page+xml")
    data = package("visio/document.xml", types | _CORE, {**parts, "docProps/core.xml": CORE})
    pieces = read_by_type(data, tmp_path)
    assert pieces.text == "page 1\npage 2\npage 10\n"
    assert pieces.of(Pages)[0].count == 3
    assert pieces.metadata["title"] == "Lease"


def test_xps_glyphs_are_text(tmp_path: Path) -> None:
    first, second = '<Glyphs UnicodeString="Signed &amp; sealed"/>', '<Glyphs OriginY="20" UnicodeString="today"/>'
    page = f"<FixedPage>{first}<Path/>{second}</FixedPage>"
    pieces = read_by_type(xps(page), tmp_path)
    assert pieces.text == "Signed & sealed\ntoday\n"


def _glyphs(text: str, x: float, y: float = 50, **more: str) -> str:
    told = "".join(f' {name}="{value}"' for name, value in more.items())
    return f'<Glyphs UnicodeString="{text}" OriginX="{x}" OriginY="{y}" FontRenderingEmSize="10"{told}/>'


@pytest.mark.parametrize(
    ("runs", "text"),
    [
        ([_glyphs("Parts are in ", 10), _glyphs("italics", 80), _glyphs(" too", 120)], "Parts are in italics too\n"),
        ([_glyphs("re", 10, Indices="5,50;6,50"), _glyphs("nt", 20), _glyphs("due", 33)], "rent due\n"),
        ([_glyphs("Signed by both", 10), _glyphs("parties", 80)], "Signed by both parties\n"),
        ([_glyphs("one", 10, 50), _glyphs("two", 10, 62)], "one\ntwo\n"),
        ([_glyphs("one", 10), "<Canvas>", _glyphs("two", 25), "</Canvas>", _glyphs("three", 40)], "one\ntwo\nthree\n"),
        ([_glyphs("{}{a}", 10), _glyphs("", 30), '<Glyphs UnicodeString="b" OriginX="nan" OriginY="x"/>'], "{a}\nb\n"),
        ([_glyphs("Paid", 10), _glyphs("Owed", 10, RenderTransform="1,0,0,1,0,90")], "Paid\nOwed\n"),
        ([_glyphs("still", 10, Indices="1;2;3;4;5"), _glyphs("will", 35)], "still will\n"),
        ([_glyphs("שלום", 90, BidiLevel="1"), _glyphs("רב", 60, BidiLevel="1")], "שלום רב\n"),
    ],
)
def test_the_runs_of_a_line_in_xps_are_one_line(runs: list[str], text: str, tmp_path: Path) -> None:
    page = f"<FixedPage>{''.join(runs)}</FixedPage>"
    assert read_by_type(xps(page), tmp_path).text == text


def test_a_book_is_read_through_with_its_title_and_author(tmp_path: Path) -> None:
    pieces = read_by_type(epub(), tmp_path)
    assert "Once upon a time." in pieces.text
    assert (pieces.metadata["title"], pieces.metadata["author"]) == ("The book", "Jane Roe")


def test_a_book_with_encrypted_chapters_is_protected_and_one_with_encrypted_fonts_is_not(tmp_path: Path) -> None:
    locks = '<encryption><EncryptedData><CipherReference URI="{}"/></EncryptedData></encryption>'
    assert isinstance(read_by_type(epub(encryption=locks.format("c.xhtml")), tmp_path).error, PasswordProtected)
    assert read_by_type(epub(encryption=locks.format("font.otf")), tmp_path).error is None


def test_a_book_that_kreuzberg_refuses_is_read_chapter_by_chapter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_data: bytes, _media_type: str) -> str:
        raise InvalidFile("it refuses")

    monkeypatch.setattr(kreuzberg_reader, "text", refuse)
    pieces = read_by_type(epub(), tmp_path)
    assert pieces.text == "Once upon a time.\n"
    assert [(trouble.detail, trouble.partial) for trouble in pieces.troubles] == [
        ("read chapter by chapter, because it refuses", False)
    ]


def test_what_kreuzberg_refuses_and_has_no_chapters_is_an_invalid_file(tmp_path: Path) -> None:
    data = zipped({"mimetype": "application/epub+zip", "nothing": "here"})
    assert isinstance(read_by_type(data, tmp_path, media_type="application/epub+zip").error, InvalidFile)


def test_kreuzberg_keeps_no_evidence_in_the_home_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / "cache"))
    assert read_by_type(epub(), tmp_path).text
    assert list(home.iterdir()) == []


def test_a_package_is_known_by_its_main_part_whatever_the_names_of_its_parts(tmp_path: Path) -> None:
    kind = "application/vnd.ms-package.xps-fixed"
    page = '<FixedPage xmlns="x"><Glyphs UnicodeString="Drawn words"/></FixedPage>'
    types = {"S.fdseq": kind + "documentsequence+xml", "1.fpage": kind + "page+xml"}
    data = package("S.fdseq", types, {"S.fdseq": "<FixedDocumentSequence/>", "1.fpage": page})
    pieces = read_by_type(data, tmp_path)
    assert "Drawn words" in pieces.text and pieces.of(Pages)[0].count == 1


def test_a_package_of_no_known_kind_is_named(tmp_path: Path) -> None:
    data = package("a.xml", {"a.xml": "application/vnd.example+xml"}, {"a.xml": "<a/>"})
    error = read_by_type(data, tmp_path).error
    assert isinstance(error, Unsupported) and "vnd.example" in str(error)


def test_a_hangul_package_gives_its_sections_in_order_and_its_fields(tmp_path: Path) -> None:
    pieces = read_by_type(hangul_package(), tmp_path)
    assert pieces.text.split("\n") == ["계약서 2", "a\tb", "계약서 10", "a\tb", ""]
    values = pieces.metadata
    assert (values["title"], values["author"], values["created"]) == ("Lease", "Ann", "2025-04-22T11:28:59Z")


def test_an_encrypted_hangul_package_is_named_so(tmp_path: Path) -> None:
    data = hangul_package("<m><file-entry><encryption-data/></file-entry></m>")
    assert isinstance(read_by_type(data, tmp_path).error, PasswordProtected)
