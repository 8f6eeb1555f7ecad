"""Where the words of a query stand in a text, and the passage that is shown for a hit."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redwell.core.search.alignment import aligned
from redwell.core.search.matches import Matches, Span
from redwell.core.search.query_parser import parse
from redwell.core.search.words import cleaned

FILLER = "lorem ipsum dolor sit amet " * 20


def snippet(query: str, text: str) -> str:
    return Matches(parse(query)).snippet(text)


@pytest.mark.parametrize(
    ("query", "text", "shown"),
    [
        ("fox", "The Fox\n\n  and the foxes", "The [[Fox]] and the foxes"),
        ("fox*", "The fox and the foxes", "The [[fox]] and the [[foxes]]"),
        ('"the fox"', "the dog, The\nfox", "the dog, [[The fox]]"),
        ("o'neill", "by O'Neill's", "by [[O'Neill]]'s"),
        ("file_name", "a file-name here", "a [[file-name]] here"),
        ("fox NOT dog", "dog and fox", "dog and [[fox]]"),
        ("subject:fox", "a fox", "a fox"),
        ("text:fox", "a fox", "a [[fox]]"),
        ("NOT fox", "a fox", "a fox"),
        ("*", "a fox", "a fox"),
        ("東京", "これは東京です", "これは[[東京]]です"),
        ("office", "the o\ufb03ce", "the [[office]]"),
        ("re.port", "a report", "a report"),
        ("fox", "", ""),
    ],
)
def test_matches_are_marked_in_the_text_as_people_read_it(query: str, text: str, shown: str) -> None:
    assert snippet(query, text) == shown


def test_the_window_with_most_of_the_terms_is_shown_and_cut_between_words() -> None:
    text = f"fox fox fox {FILLER} the fox met a dog {FILLER}"
    shown = snippet("fox dog", text)
    assert "the [[fox]] met a [[dog]]" in shown
    assert shown.startswith("… ")
    assert shown.endswith(" …")
    assert set(shown.replace("[[", "").replace("]]", "").strip("… ").split()) <= set(text.split())
    assert len(shown) < 200


def test_the_start_is_shown_when_the_match_is_elsewhere() -> None:
    shown = snippet("subject:x", FILLER)
    assert shown.startswith("lorem ipsum")
    assert shown.endswith(" …")


def test_a_text_without_spaces_is_cut_all_the_same() -> None:
    shown = snippet("b*", "a" * 5000 + " b" + "c" * 5000)
    assert "[[bccc" in shown
    assert len(snippet("a", "x" * 5000)) < 200


def marked(query: str, text: str) -> list[str]:
    return [text[span.start : span.end] for span in Matches(parse(query)).spans(text)]


@pytest.mark.parametrize(
    ("query", "text", "found"),
    [
        ("fox", "The Fox, the fox and the foxes", ["Fox", "fox"]),
        ("fox*", "The foxes", ["foxes"]),
        ('"the fox"', "the dog. The\nfox", ["The\nfox"]),
        ('fox OR "the fox"', "the fox", ["the fox", "fox"]),
        ("fox NOT dog", "a dog, a fox", ["fox"]),
        ("subject:fox", "a fox", []),
        ("office contract", "the o\ufb03ce, a con\u00adtract", ["o\ufb03ce", "con\u00adtract"]),
        ("caf\u00e9", "un cafe\u0301 noir", ["cafe\u0301"]),
        ("noir", "un cafe\u0301 noir", ["noir"]),
        ("東京", "これは東京です", ["東京"]),
        ("ダ", "ｱﾀﾞﾘ", ["ﾀﾞ"]),
        ("한국", "\u1112\u1161\u11ab국어", ["\u1112\u1161\u11ab국"]),
        ("हि", "हि हिन", ["हि"]),
        ("οδοσ", "ΟΔΟΣ", ["ΟΔΟΣ"]),
        ("*", "a fox", []),
        ("fox", "", []),
    ],
)
def test_matches_are_told_by_characters_of_the_text_as_it_is_stored(query: str, text: str, found: list[str]) -> None:
    assert marked(query, text) == found


def test_a_match_says_which_part_of_the_query_it_fits() -> None:
    assert Matches(parse("fox (dog OR Fox)")).spans("dog fox") == [Span(0, 3, 6), Span(4, 7, 1)]


@given(
    st.text(st.sampled_from("ab \n\u00ad\u0301e\ufb01\uff9e\uff80\u1112\u1161\u11ab東\ufe8f\u0e48\ud800"), max_size=30)
)
def test_every_place_of_the_cleaned_text_leads_back(text: str) -> None:
    alignment = aligned(text)
    assert alignment.text == cleaned(text)
    spans = [alignment.span(place, place + 1) for place in range(len(alignment.text))]
    assert all(start < end <= len(text) for start, end in spans)
    assert spans == sorted(spans)
    assert all(letter in cleaned(text[slice(*span)]) for letter, span in zip(alignment.text, spans, strict=True))


PLAIN = st.text("ab 1-\n", max_size=40)


@given(text=PLAIN, query=st.sampled_from(("a", "ab*", '"a b"', '"a b a"', '"b a*"', "a OR b1", "a*")))
def test_a_plain_text_is_searched_by_expressions_with_what_cutting_it_into_words_finds(text: str, query: str) -> None:
    """The word behind the text is what makes it one that expressions are not used for."""
    fast = Matches(parse(query)).spans(text)
    slow = Matches(parse(query)).spans(f"{text} \u00e9")
    assert fast == slow


@given(
    words=st.lists(
        st.sampled_from(("valve", "\u039f\u0394\u039f\u03a3", "\u03bf\u03b4\u03bf\u03c2", "filler")), max_size=12
    ),
    query=st.sampled_from(("valve", "\u03bf\u03b4\u03bf\u03c3", '"valve valve"', "val*")),
)
def test_a_long_text_is_read_where_the_words_may_stand_with_what_reading_all_of_it_finds(
    words: list[str], query: str
) -> None:
    text = f" {'lorem ipsum ' * 300}".join([*words, "\u00e9"])
    near, every = Matches(parse(query)), Matches(parse(f"{query} OR zzz~1"))  # similar spellings need every word
    assert [(each.start, each.end) for each in near.spans(text)] == [
        (each.start, each.end) for each in every.spans(text)
    ]


def test_the_passage_that_is_shown_tells_its_page() -> None:
    text = f"one\f{FILLER}\fa valve\fmore"
    assert Matches(parse("valve")).passage(text).page == 3
    assert Matches(parse("valve")).passage("a valve").page is None
