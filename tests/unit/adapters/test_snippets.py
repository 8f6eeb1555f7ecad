"""The passage that is shown for a hit."""

import pytest

from redwell.adapters.tantivy.snippets import Snippets
from redwell.core.query import parse

FILLER = "lorem ipsum dolor sit amet " * 20


def snippet(query: str, text: str) -> str:
    return Snippets(parse(query)).of(text)


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
