"""The query language: what it means, and what it says when it is not understood."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redwell.core.errors import UserError
from redwell.core.query import FIELDS, MAIN, And, Cut, Everything, Node, Not, Or, Term, metadata_key, parse


def shape(node: Node) -> str:
    """A tree as one line: words as they are, `*` for a prefix, brackets around each group."""
    match node:
        case Term(text, field, prefix):
            return (field and field + ":") + text.replace(" ", "_") + "*" * prefix
        case Everything():
            return "ALL"
        case Not(part):
            return f"!{shape(part)}"
        case And(parts):
            return "(" + " & ".join(map(shape, parts)) + ")"
        case Or(parts):
            return "(" + " | ".join(map(shape, parts)) + ")"


@pytest.mark.parametrize(
    ("query", "meaning"),
    [
        ("contract", "contract"),
        ("breach contract", "(breach & contract)"),
        ("breach AND contract", "(breach & contract)"),
        ("a b OR c d", "((a & b) | (c & d))"),
        ("a OR b AND c", "(a | (b & c))"),
        ("(a OR b) c", "((a | b) & c)"),
        ("a NOT b", "(a & !b)"),
        ("a AND NOT b", "(a & !b)"),
        ("NOT a", "!a"),
        ("NOT NOT a", "!!a"),
        ("NOT (a OR b)", "!(a | b)"),
        ("a OR NOT b", "(a | !b)"),
        ("and or not", "(and & or & not)"),
        ('"AND"', "AND"),
        ('"breach of contract"', "breach_of_contract"),
        ("\u201cbreach of contract\u201d", "breach_of_contract"),
        ('"breach of contr*"', "breach_of_contr*"),
        ("contr*", "contr*"),
        ("subject:budget", "subject:budget"),
        ("Subject:Budget", "subject:Budget"),
        ('subject:"annual budget" x', "(subject:annual_budget & x)"),
        ("subject:bud*", "subject:bud*"),
        ("subject:(a OR b)", "(subject:a | subject:b)"),
        ("subject:(a from:b)", "(subject:a & from:b)"),
        ("subject:NOT", "subject:NOT"),
        ("type:mail", "kind:mail"),
        ("control_number:ABC-*", "control_number:ABC-*"),
        ("date:2024-05-17T09:30", "date:2024-05-17T09:30"),
        ("meta.X-Mailer:outlook", "meta.x_mailer:outlook"),
        ("10:30", "10:30"),
        ("R&D o'neill a@b.com what?", "(R&D & o'neill & a@b.com & what?)"),
        ("*", "ALL"),
        ("* NOT a", "(ALL & !a)"),
        ("  a\t\n b  ", "(a & b)"),
    ],
)
def test_a_query_means_what_the_documentation_says(query: str, meaning: str) -> None:
    assert shape(parse(query)) == meaning


@pytest.mark.parametrize(
    ("query", "column", "words"),
    [
        ("", 1, "empty"),
        ("   ", 1, "empty"),
        ("AND a", 1, "expected a word"),
        ("a AND", 6, "the query ends"),
        ("a OR", 5, "the query ends"),
        ("a OR OR b", 6, "found OR"),
        ("a AND OR b", 7, "found OR"),
        ("NOT", 4, "the query ends"),
        ("(a OR b", 8, "expected AND, OR or )"),
        ("a)", 2, "expected AND, OR or the end, but found )"),
        ("()", 2, "found )"),
        ('say "hello', 5, "not closed"),
        ('""', 1, "empty phrase"),
        ("a & b", 3, "no letter or digit"),
        ("subject:", 9, "directly after the colon"),
        ("subject: budget", 9, "directly after the colon"),
        ("(subject:)", 10, "directly after the colon"),
        ("subject:*", 9, "no letter or digit"),
        ("x wibble:y", 3, 'no field "wibble"'),
        ("http://example.com", 1, "put it in quotes"),
        ("meta.:x", 1, "no field"),
        ("con*ct", 1, "only at the end"),
        ("a *tion", 3, "only at the end"),
        ('"con* of law"', 1, "only at the end"),
        ("foo-*", 1, "must follow a letter"),
        ("wom?n", 1, "no wildcard"),
        ("a -b", 3, "write NOT b"),
        ("breach w/5 contract", 8, "near each other"),
        ("(" * 60 + "a" + ")" * 60, 51, "more than 50"),
        ("NOT " * 60 + "a", 201, "more than 50"),
    ],
)
def test_a_mistake_is_named_with_its_column_and_what_was_expected(query: str, column: int, words: str) -> None:
    with pytest.raises(UserError) as raised:
        parse(query)
    assert f"column {column}:" in str(raised.value)
    assert words in str(raised.value)


def test_an_unknown_field_is_answered_with_the_known_ones() -> None:
    with pytest.raises(UserError) as raised:
        parse("wibble:y")
    assert all(name in str(raised.value) for name in [*FIELDS, "meta.<name>"])


@given(st.text(alphabet=st.sampled_from('ab "():*?-NOTRAD.\u201c\n'), max_size=30))
def test_any_text_is_a_query_or_a_named_mistake(query: str) -> None:
    try:
        node = parse(query)
    except UserError as error:
        assert str(error).startswith("query, column ")
    else:
        assert shape(node)


def test_a_term_remembers_its_column_for_errors_found_later() -> None:
    node = parse("a subject:b")
    assert isinstance(node, And)
    assert [part.column for part in node.parts if isinstance(part, Term)] == [1, 11]


def test_main_fields_are_cut_into_words() -> None:
    assert all(FIELDS[name] is Cut.WORDS for name in MAIN)


def test_metadata_names_are_compared_without_case_and_punctuation() -> None:
    assert metadata_key("X-Mailer") == metadata_key("x_mailer") == metadata_key("x mailer:") == "x_mailer"
