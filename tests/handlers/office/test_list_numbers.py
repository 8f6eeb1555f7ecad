"""Numbers of lists and headings, which are not text in the file, stand before their paragraphs."""

import tracemalloc
from pathlib import Path

import pytest
from tests.support.office_files import NAMESPACES, docx, odf, relations
from tests.support.pieces import read_by_type

from redwell.core.outcomes import Code
from redwell.handlers.structures.list_numbers import written

pytestmark = pytest.mark.requirement("A7")

_ODT = "application/vnd.oasis.opendocument.text"
_RELATED = relations(n="numbering numbering.xml", s="styles styles.xml")


def _level(at: int, text: str, kind: str = "decimal", more: str = "", start: int = 1) -> str:
    return (
        f'<w:lvl w:ilvl="{at}"><w:start w:val="{start}"/><w:numFmt w:val="{kind}"/>{more}<w:lvlText w:val="{text}"/>'
        '<w:pPr><w:ind w:left="720"/></w:pPr></w:lvl>'
    )


def _word(numbering: str, body: str, styles: str = "") -> bytes:
    return docx(
        body,
        **{
            "word__numbering.xml": f"<w:numbering {NAMESPACES}>{numbering}</w:numbering>",
            "word__styles.xml": f"<w:styles {NAMESPACES}>{styles}</w:styles>",
            "word___rels__document.xml.rels": _RELATED,
        },
    )


def _num(key: int, family: int, more: str = "") -> str:
    return f'<w:num w:numId="{key}"><w:abstractNumId w:val="{family}"/>{more}</w:num>'


def _family(key: int, *levels: str, more: str = "") -> str:
    return f'<w:abstractNum w:abstractNumId="{key}">{more}{"".join(levels)}</w:abstractNum>'


def _item(text: str, level: int = 0, num: int = 1) -> str:
    place = f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{num}"/></w:numPr>'
    return f"<w:p><w:pPr>{place}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"


def test_levels_are_counted_and_begin_anew_below_the_next_item(tmp_path: Path) -> None:
    levels = _level(0, "%1."), _level(1, "%1.%2", "lowerLetter"), _level(2, "(%3)", "upperRoman")
    body = _item("One") + _item("Sub", 1) + _item("Sub", 1) + _item("Two") + _item("Below", 2) + _item("Sub", 1)
    text = read_by_type(_word(_family(7, *levels) + _num(1, 7), body), tmp_path).text
    assert text.splitlines() == ["1. One", "1.a Sub", "1.b Sub", "2. Two", "(I) Below", "2.b Sub"]


def test_a_list_of_the_same_family_goes_on_unless_it_says_where_it_begins(tmp_path: Path) -> None:
    anew = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride>'
    numbering = _family(7, _level(0, "%1)")) + _num(1, 7) + _num(2, 7) + _num(3, 7, anew)
    body = _item("a") + _item("b", num=2) + _item("c", num=3) + _item("d", num=3)
    assert read_by_type(_word(numbering, body), tmp_path).text == "1) a\n2) b\n5) c\n6) d\n"


def test_headings_are_numbered_by_their_style_or_the_one_it_is_based_on(tmp_path: Path) -> None:
    levels = (
        _level(0, "Article %1", "upperRoman", '<w:pStyle w:val="H1"/>'),
        _level(1, "%1.%2", more='<w:pStyle w:val="H2"/><w:isLgl/>'),
    )
    styles = (
        '<w:style w:styleId="H1"><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>'
        '<w:style w:styleId="H2"><w:basedOn w:val="H1"/></w:style>'
    )
    body = "".join(
        f'<w:p><w:pPr><w:pStyle w:val="{style}"/>{more}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>'
        for style, more, text in (
            *(("H1", "", "Lease"), ("H1", "", "Rent"), ("H2", "", "Due")),
            ("H1", '<w:numPr><w:numId w:val="0"/></w:numPr>', "Annex"),
            ("H2", '<w:pPrChange><w:pPr><w:numPr><w:numId w:val="0"/></w:numPr></w:pPr></w:pPrChange>', "Paid"),
        )
    )
    text = read_by_type(_word(_family(7, *levels) + _num(1, 7), body, styles), tmp_path).text
    assert text.splitlines() == ["Article I Lease", "Article II Rent", "2.1 Due", "Annex", "2.2 Paid"]


def test_a_level_may_begin_anew_behind_higher_levels_alone(tmp_path: Path) -> None:
    levels = _level(0, "%1"), _level(1, "%2"), _level(2, "%3", more='<w:lvlRestart w:val="1"/>')
    body = "".join(_item("x", level) for level in (0, 1, 2, 1, 2, 0, 2))
    text = read_by_type(_word(_family(7, *levels) + _num(1, 7), body), tmp_path).text
    assert [line.split()[0] for line in text.splitlines()] == ["1", "1", "1", "2", "2", "2", "1"]


def test_a_level_that_no_list_has_is_not_counted_to(tmp_path: Path) -> None:
    deep = 99_999_999
    assert (
        read_by_type(_word(_family(7, _level(deep, "%1.")) + _num(1, 7), _item("One", deep)), tmp_path).text == "One\n"
    )


def test_bullets_and_lists_that_are_nowhere_have_no_number(tmp_path: Path) -> None:
    numbering = _family(7, _level(0, "", "bullet")) + _num(1, 7)
    assert read_by_type(_word(numbering, _item("dot") + _item("gone", num=9)), tmp_path).text == "dot\ngone\n"


def test_damaged_numbering_costs_the_numbers_and_no_word(tmp_path: Path) -> None:
    pieces = read_by_type(_word("<w:abstractNum", _item("word")), tmp_path)
    assert pieces.text == "word\n"
    assert [(trouble.code, trouble.partial) for trouble in pieces.troubles] == [(Code.TEXT_UNAVAILABLE, False)]


@pytest.mark.parametrize(
    ("number", "kind", "shown"),
    [
        *((4, "upperRoman", "IV"), (28, "lowerLetter", "bb"), (7, "decimalZero", "07"), (12, "ordinal", "12th")),
        *((3, "none", ""), (22, "ordinal", "22nd"), (9, "hebrew1", "9")),
        *((99_999_999, "lowerRoman", "99999999"), (99_999_999, "upperLetter", "99999999")),
    ],
)
def test_numbers_are_written_in_the_numerals_of_their_kind(number: int, kind: str, shown: str) -> None:
    assert written(number, kind) == shown


def _open_list(*items: str, attributes: str = 'text:style-name="L1"') -> str:
    return (
        f"<text:list {attributes}>{''.join(f'<text:list-item>{item}</text:list-item>' for item in items)}</text:list>"
    )


def _styled(body: str, styles: str) -> bytes:
    content = f"<office:automatic-styles>{styles}</office:automatic-styles>"
    return odf(f"</office:body>{content}<office:body>{body}", _ODT)


_L1 = (
    '<text:list-style text:name="L1">'
    '<text:list-level-style-number text:level="1" text:num-format="1" text:num-suffix="."/>'
    '<text:list-level-style-number text:level="2" text:num-format="a" text:num-prefix="(" text:num-suffix=")" '
    'text:display-levels="2"/></text:list-style>'
)


def test_items_of_an_open_document_are_numbered_once_each_and_may_go_on_later(tmp_path: Path) -> None:
    body = (
        _open_list("<text:p>One</text:p><text:p>More</text:p>" + _open_list("<text:p>Sub</text:p>", attributes=""))
        + "<text:p>Between</text:p>"
        + _open_list("<text:p>Two</text:p>", attributes='text:style-name="L1" text:continue-numbering="true"')
        + _open_list("<text:p>New</text:p>")
    )
    text = read_by_type(_styled(body, _L1), tmp_path).text
    assert text.splitlines() == ["1. One", "More", "(1.a) Sub", "Between", "2. Two", "1. New"]


def test_a_level_that_no_open_document_has_is_not_written_out(tmp_path: Path) -> None:
    deep = _L1.replace('level="2"', 'level="99999999"').replace('levels="2"', 'levels="99999999"')
    tracemalloc.start()
    try:
        assert read_by_type(_styled(_open_list("<text:p>One</text:p>"), deep), tmp_path).text == "1. One\n"
        assert tracemalloc.get_traced_memory()[1] < 50_000_000
    finally:
        tracemalloc.stop()


def test_headings_of_an_open_document_are_numbered_as_its_outline_says(tmp_path: Path) -> None:
    styles = (
        '<office:document-styles xmlns:office="o" xmlns:text="t"><office:styles><text:outline-style>'
        '<text:outline-level-style text:level="1" text:num-format="1" text:num-suffix="."/>'
        '<text:outline-level-style text:level="2" text:num-format="1" text:display-levels="2"/>'
        '<text:outline-level-style text:level="3" text:num-format=""/>'
        "</text:outline-style></office:styles></office:document-styles>"
    )
    body = "".join(
        f'<text:h text:outline-level="{level}">{text}</text:h>'
        for level, text in ((1, "Lease"), (2, "Rent"), (3, "Due"), (1, "Term"))
    )
    text = read_by_type(odf(body, _ODT, styles_xml=styles), tmp_path).text
    assert text.splitlines() == ["1. Lease", "1.1 Rent", "Due", "2. Term"]


def test_a_list_in_a_text_box_does_not_belong_to_the_item_it_hangs_on(tmp_path: Path) -> None:
    box = f"<draw:text-box>{_open_list('<text:p>Boxed</text:p>')}</draw:text-box>"
    text = read_by_type(_styled(_open_list(f"<text:p>One{box}</text:p>", "<text:p>Two</text:p>"), _L1), tmp_path).text
    assert text.splitlines() == ["1. One", "1. Boxed", "2. Two"]
