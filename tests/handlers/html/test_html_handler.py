"""What a reader of a page sees is its text, whatever the markup does."""

from pathlib import Path

import pytest
from tests.support.pieces import read

from redwell.core.outcomes import Code
from redwell.handlers.structures import html

pytestmark = pytest.mark.requirement("A6")


def test_visible_text_keeps_its_lines_and_loses_scripts_and_styles(tmp_path: Path) -> None:
    page = b"""<html><head><title>Lease  report</title><style>p {color: red}</style></head><body>
    <h1>Rent</h1><p>First <b>quarter</b>
    paid.</p><script>var hidden = "x";</script><div>One<br>Two</div>
    <table><tr><td>Jan</td><td>100</td></tr><tr><td>Feb</td><td>200</td></tr></table></body></html>"""
    pieces = read(html, page, tmp_path)
    lines = pieces.text.split("\n")
    assert lines[0] == "Lease report"
    assert {"Rent", "First quarter paid.", "One", "Two"} <= set(lines)
    assert [line.split() for line in lines if line.startswith(("Jan", "Feb"))] == [["Jan", "100"], ["Feb", "200"]]
    assert "hidden" not in pieces.text
    assert "color" not in pieces.text


def test_what_a_form_holds_is_text_and_its_parts_do_not_run_together(tmp_path: Path) -> None:
    page = b"""<form><a>Name</a><input value="Ann Lee"><input type="hidden" value="token"><input type=checkbox value=on>
    <textarea>Notes</textarea><button>Send</button><button>Back</button></form>
    <details><summary>More</summary>Terms</details><figure>Plan<figcaption>Floor</figcaption></figure>"""
    words = ["Name", "Ann", "Lee", "Notes", "Send", "Back", "More", "Terms", "Plan", "Floor"]
    assert read(html, page, tmp_path).text.split() == words


def test_title_author_and_description_are_fields(tmp_path: Path) -> None:
    page = b"""<html><head><title>
      Annual   report </title><meta name="Author" content="Jane Doe"><meta name="description" content="A summary">"""
    fields = read(html, page, tmp_path).metadata
    assert (fields["title"], fields["author"], fields["description"]) == ("Annual report", "Jane Doe", "A summary")


@pytest.mark.parametrize("encoding", ["cp1251", "koi8-r", "utf-8"])
def test_the_charset_that_the_page_declares_is_used(encoding: str, tmp_path: Path) -> None:
    page = f'<html><head><meta charset="{encoding}"></head><body><p>Договор</p></body></html>'.encode(encoding)
    pieces = read(html, page, tmp_path)
    assert pieces.text == "Договор"
    assert pieces.metadata["encoding"] == encoding


def test_utf8_wins_over_a_wrong_declaration(tmp_path: Path) -> None:
    page = '<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1"><p>Zürich café</p>'.encode()
    assert read(html, page, tmp_path).text == "Zürich café"


def test_utf16_pages_are_read_though_they_declare_something_else(tmp_path: Path) -> None:
    page = '<html><head><meta charset="utf-8"></head><body>Wide Größe</body></html>'.encode("utf-16")
    assert read(html, page, tmp_path).text == "Wide Größe"


def test_entities_and_hard_spaces_become_characters(tmp_path: Path) -> None:
    assert read(html, b"<p>A&nbsp;&amp;&nbsp;B &#8364;5</p>", tmp_path).text == "A & B €5"


def test_a_self_closed_title_does_not_swallow_an_xhtml_page(tmp_path: Path) -> None:
    page = (
        b'<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body>Here</body></html>'
    )
    assert read(html, page, tmp_path).text == "Here"


def test_nesting_without_end_is_read_to_its_end(tmp_path: Path) -> None:
    page = b"<div>" * 100_000 + b"the bottom" + b"</div>" * 10
    assert read(html, page, tmp_path, media_type="text/html").text == "the bottom"


@pytest.mark.parametrize(
    "page", [b"<p", b"<" * 5_000, b"<!--" * 1_000, b"<a href='", b"</p></p>", b"<p>\xff\xfe\xfa</p>"]
)
def test_broken_markup_never_fails(page: bytes, tmp_path: Path) -> None:
    assert read(html, page, tmp_path, media_type="text/html").error is None


def test_a_page_after_a_broken_one_is_read_as_if_nothing_had_been(tmp_path: Path) -> None:
    read(html, b"<script><title>lost", tmp_path, media_type="text/html")
    read(html, b"", tmp_path, media_type="text/html")
    pieces = read(html, b"<p>clean</p>", tmp_path)
    assert (pieces.text, "title" in pieces.metadata) == ("clean", False)


def test_a_page_of_several_megabytes_is_whole(tmp_path: Path) -> None:
    page = "".join(f"<p>Größe {number}</p>" for number in range(100_000)).encode()
    words = read(html, page, tmp_path, media_type="text/html").text.split()
    assert words[1::2] == [str(number) for number in range(100_000)]


@pytest.mark.requirement("A20")
def test_text_over_the_limit_is_cut_off_and_says_so(tmp_path: Path) -> None:
    pieces = read(html, b"<p>" + b"word " * 100, tmp_path, max_text_chars=50)
    assert len(pieces.text) == 50
    assert [trouble.code for trouble in pieces.troubles] == [Code.LIMIT_REACHED]


def test_a_frame_of_nothing_but_open_tags_takes_no_time(tmp_path: Path) -> None:
    frame = "&lt;script" * 50_000
    assert read(html, f'<body>words<iframe srcdoc="{frame}"></iframe></body>'.encode(), tmp_path).text.split() == [
        "words"
    ]


def test_a_page_that_lies_in_a_frame_is_text(tmp_path: Path) -> None:
    frame = (
        '<iframe srcdoc="&lt;p&gt;In &lt;b&gt;the&lt;/b&gt;&lt;style&gt;p{}&lt;/style&gt; frame&lt;/p&gt;"></iframe>'
    )
    assert (
        read(html, f"<body>before{frame}after</body>".encode(), tmp_path).text.split()
        == "before In the frame after".split()
    )
