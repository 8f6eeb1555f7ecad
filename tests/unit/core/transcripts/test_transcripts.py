"""Every place of a transcript has its page and line, whatever its form; other texts are no transcripts."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.transcripts import dvt, left_margin, page_and_line, page_image

from redwell.core.errors import InvalidFile
from redwell.core.search.matches import Matches
from redwell.core.search.query_parser import parse
from redwell.core.transcripts.facts import facts
from redwell.core.transcripts.layout import lay_out
from redwell.core.transcripts.opendvt import as_text, read_dvt
from redwell.core.transcripts.probe import may_be_transcript
from redwell.core.transcripts.speech import spoken

pytestmark = pytest.mark.requirement("A21")

FORMS = {
    "number above, form feeds": page_image(44, 3),
    "number above": page_image(44, 3, feeds=False),
    "number below, form feeds": page_image(44, 3, above=False),
    "number below": page_image(44, 3, feeds=False, above=False),
    "blank lines between": page_image(44, 3, feeds=False, above=False, blank_between=True),
    "left margin": left_margin(44, 3),
    "page and line": page_and_line(44, 3),
}


@pytest.mark.parametrize("name", FORMS)
def test_every_line_has_its_page_and_number(name: str) -> None:
    text = FORMS[name]
    layout = lay_out(text)
    assert layout is not None
    assert may_be_transcript(text.encode()[:4096])
    assert layout.pages == [44, 45, 46]
    assert [(line.page, line.line) for line in layout.lines] == [(p, n) for p in (44, 45, 46) for n in range(1, 26)]
    for page in (45, 46):
        for line in range(1, 26):
            at = text.index(f"Question {line} of page {page - 43}?")
            assert layout.cite(at) == f"{page}:{line}"


@pytest.mark.parametrize("before", ["", "\n", "\f", " \t\f", "words\n"])
@pytest.mark.parametrize("after", [" words", "\r", ""])
def test_eight_numbered_lines_beside_the_words_of_a_court_are_enough_and_seven_are_not(before: str, after: str) -> None:
    """A quick look counts the lines first, as every text is asked."""
    for count, known in ((8, True), (7, False)):
        lines = "\n".join(f"{number}{after}" for number in range(1, count + 1))
        assert may_be_transcript(f"{before}{lines}\nDeposition of a witness".encode()) is known


@given(name=st.sampled_from(sorted(FORMS)), start=st.integers(0, 2_000), length=st.integers(1, 3_000))
@settings(max_examples=100, deadline=None)
def test_a_range_is_cited_from_its_first_to_its_last_line(name: str, start: int, length: int) -> None:
    text = FORMS[name]
    layout = lay_out(text)
    assert layout is not None
    first, last = layout.at(start), layout.at(min(start + length, len(text)) - 1)
    cited = layout.cite(start, min(start + length, len(text)))
    if first is None or last is None:
        assert cited == ""
    elif first.page == last.page:
        assert cited == (f"{first.page}:{first.line}" + (f"-{last.line}" if last != first else ""))
    else:
        assert cited == f"{first.page}:{first.line}-{last.page}:{last.line}"


@pytest.mark.parametrize("name", FORMS)
def test_what_a_transcript_says_of_itself_is_found(name: str) -> None:
    text = FORMS[name]
    layout = lay_out(text)
    assert layout is not None
    found = facts(text, layout)
    expected = {
        "deponent": "JANE Q. ROE, M.D.",
        "taken_on": "2021-03-04",
        "transcript_volume": 2,
        "case_number": "3:21-cv-00417",
        "reporter": "Pat Stone",
        "first_page": 44,
        "last_page": 46,
        "lines_per_page": 25,
        "exhibits_marked": ["12 at 44:17", "13-A at 44:21"],
    }
    assert {key: found.get(key) for key in expected} == expected


def test_questions_and_answers_go_on_over_lines() -> None:
    text = FORMS["left margin"]
    layout = lay_out(text)
    assert layout is not None
    speakers = {each.line.line: each.speaker for each in spoken(text, layout) if each.line.page == 44}
    assert [speakers[line] for line in (12, 13, 14, 15, 16, 18, 19, 20, 21, 22, 25)] == list("-QAQQ-AQQA-")


def test_pages_without_numbers_of_their_own_are_counted() -> None:
    text = "\f".join(
        "".join(f"{line:>4}   {'Q.   Why?' if line % 2 else 'A.   So.'}\n" for line in range(1, 26)) for _ in range(2)
    )
    layout = lay_out(text)
    assert layout is not None
    assert (layout.pages, layout.printed) == ([1, 2], False)


def test_a_cover_without_line_numbers_is_no_page_and_ahead_of_citations() -> None:
    text = "DEPOSITION OF JANE ROE\nbefore the court reporter\n\f" + page_image(1, 2)
    layout = lay_out(text)
    assert layout is not None
    assert layout.cite(0) == ""
    assert layout.pages == [1, 2]
    assert may_be_transcript(text.encode()[:4096])


OTHERS = {
    "a list in a letter": "Dear court,\n"
    + "".join(f"{n}  item of the defendant\n" for n in range(1, 9))
    + "yours\n" * 30,
    "a log": "".join(f"{12 + n // 60}:{n % 60:02} the witness module has sworn {n}\n" for n in range(200)),
    "a program listing": "".join(f"{n:>4}  x = {n}  # court\n" for n in range(1, 200)),
    "prose": "The deposition of the witness was taken before the court reporter.\n" * 50,
    "figures": "".join(f"{n}\n" for n in range(1, 200)),
    "nothing": "",
}


@pytest.mark.parametrize("name", OTHERS)
def test_other_texts_are_no_transcripts(name: str) -> None:
    text = OTHERS[name]
    assert not may_be_transcript(text.encode()[:4096]) or lay_out(text) is None


def test_opendvt_keeps_blank_lines_and_blanks_and_can_be_cited() -> None:
    found = read_dvt([dvt()[:300], dvt()[300:]])
    assert (len(found.lines), found.declared, found.streams) == (50, 50, 1)
    assert found.lines[3].text == ""
    assert found.told["FirstName"] == "Jané"
    text = as_text(found.lines)
    layout = lay_out(text)
    assert layout is not None
    assert layout.cite(text.index("Why 30?")) == "6:6"
    assert "00005:01    Q.   Why 0?" in text


@pytest.mark.parametrize(
    "data",
    [
        b"<OpenDVT>",
        b'<?xml version="1.0" encoding="UT-F"?><OpenDVT/>',
        b'<!DOCTYPE a [<!ENTITY b "c">]><OpenDVT/>',
        b"<a>" * 40,
    ],
)
def test_opendvt_that_is_not_sound_is_refused(data: bytes) -> None:
    with pytest.raises(InvalidFile):
        read_dvt([data])


@pytest.mark.parametrize(
    ("query", "marked"),
    [
        ("q:letter", ["letter"]),
        ("a:letter", []),
        ("a:of", ["Of"]),
        ('"ninth of May"', ["ninth\n  16        of May"]),
        ('q:"ninth of May" OR "ninth of May"', ["ninth\n  16        of May", "ninth\n  16        of May"]),
        ("ninth pre/2 May", ["ninth", "May"]),
        ('"Objection it is"', []),
    ],
)
def test_words_of_questions_and_answers_are_marked_over_the_breaks_of_lines(query: str, marked: list[str]) -> None:
    text = page_image(44, 1)
    assert [text[span.start : span.end] for span in Matches(parse(query)).spans(text)] == marked


def test_a_snippet_shows_the_question_that_was_found() -> None:
    assert "[[ninth 16 of May]]" in Matches(parse('q:"ninth of May"')).snippet(page_image(44, 1))
    assert Matches(parse('q:"ninth of May"')).spans("is this your letter of the ninth of May?") == []
