"""What counts as hidden, and where it is found again."""

import pytest

from redwell.core.page_words import PageWords, Word
from redwell.core.production.leaks import Finder, secrets_of, still_read
from redwell.core.production.orders import Box
from redwell.core.production.redactions import hidden_words


def line(text: str, top: float = 0.1) -> list[Word]:
    """Words of one line, each a twentieth of the page wide."""
    return [Word(word, 0.05 * n, top, 0.05 * n + 0.04, top + 0.02) for n, word in enumerate(text.split(), 1)]


def leaks(hidden: str, elsewhere: str) -> set[str]:
    return {str(secret) for secret in Finder(secrets_of(7, [line(hidden)])).found_in(elsewhere)}


@pytest.mark.parametrize(
    ("hidden", "elsewhere", "found"),
    [
        ("Our contact is Barnaby Quill.", "Call BARNABY\nQUILL!", {"barnaby quill"}),
        ("Our contact is Barnaby Quill.", "the contact is unknown; Barnaby will call", set()),
        ("pay 4711 florins to her", "invoice 4711", {"4711"}),
        ("Quill", "a quill pen", {"quill"}),
        ("the", "the contract", set()),
        ("to be or not to be", "whether 'tis or not to be", {"or not to be"}),
        ("ﬁnal price", "final price", {"final price"}),
        ("秘密の値段です", "これは秘密の値段です。", {"秘 密 の 値", "密 の 値 段", "の 値 段 で", "値 段 で す"}),
    ],
)
def test_passages_names_and_numbers_are_found_and_common_words_are_not(
    hidden: str, elsewhere: str, found: set[str]
) -> None:
    assert leaks(hidden, elsewhere) == found


def test_a_word_is_hidden_where_a_box_covers_much_of_it() -> None:
    page = PageWords(600, 800, line("we met Barnaby Quill today"))
    [run] = hidden_words(page, [Box(0.145, 0.1, 0.245, 0.12)])
    assert [word.text for word in run] == ["Barnaby", "Quill"]
    assert list(hidden_words(page, [Box(0.15, 0.118, 0.25, 0.2)])) == []


def test_what_is_read_inside_a_box_is_told_unless_it_is_its_label() -> None:
    boxes = [Box(0.0, 0.0, 1.0, 0.2, "REDACTED - Privileged")]
    assert still_read(line("REDACTED - Privileged"), boxes) == []
    assert still_read([*line("REDACTED Quill"), *line("Quill", 0.5)], boxes) == ["Quill"]
