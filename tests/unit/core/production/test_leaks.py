"""What counts as hidden, and where it is found again."""

import pytest

from redwell.core.page_words import PageWords, Word
from redwell.core.production.cover_report import Section, _without_hidden
from redwell.core.production.leak_finder import Finder
from redwell.core.production.leaks import secrets_of, still_read
from redwell.core.production.orders import Box
from redwell.core.production.redactions import hidden_words
from redwell.produce.leak_verdict import Leak, why_not


def line(text: str, top: float = 0.1) -> list[Word]:
    """Words of one line, each a twentieth of the page wide."""
    return [Word(word, 0.05 * n, top, 0.05 * n + 0.04, top + 0.02) for n, word in enumerate(text.split(), 1)]


def leaks(hidden: str, elsewhere: str) -> set[str]:
    sure = [secret.words for secret in secrets_of(7, [line(hidden)]) if not secret.is_hint]
    return {" ".join(words) for words in Finder(sure).found_in(elsewhere)}


@pytest.mark.parametrize(
    ("hidden", "elsewhere", "found"),
    [
        ("Our contact is Barnaby Quill.", "Call BARNABY\nQUILL!", {"barnaby quill"}),
        ("Our contact is Barnaby Quill.", "Custodian: Quill, Barnaby", {"quill barnaby"}),
        ("Our contact is Bärnaby Quill.", "BARNABY\u200b QUILL", {"barnaby quill"}),
        ("Our contact is Barnaby Quill.", "barnabyquill@example.org", {"barnaby quill"}),
        ("Our contact is Barnaby Quill.", "Barn-\n> aby Quill", {"barnaby quill"}),
        ("write to her at b.q@example.org", "from b.q@example.org", {"b q example org"}),
        ("her number is 123-45-6789 now", "SSN 123 45 6789", {"123 45 6789"}),
        ("her number is 123-45-6789 now", "SSN 123456789", {"123 45 6789"}),
        ("or not to be told", "reason for not to be", set()),
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


def test_a_lone_name_in_a_long_passage_is_a_hint() -> None:
    hints = {str(each) for each in secrets_of(7, [line("Then Quill called the Agreement on Monday")]) if each.is_hint}
    assert hints == {"quill"}


def leak(*, family: bool, hint: bool = False) -> Leak:
    return Leak("A1", "load file", "barnaby quill", "RW1", family, hint)


def test_what_is_sure_stops_it_and_doubts_are_confirmed() -> None:
    assert "can still be read" in why_not([leak(family=True)], [], is_confirmed=True)
    for doubt in ([leak(family=False)], []), ([leak(family=True, hint=True)], []), ([], ["NATIVES/A1.zip: password"]):
        assert "--confirm-elsewhere" in why_not(*doubt, is_confirmed=False)
        assert why_not(*doubt, is_confirmed=True) == ""
    assert why_not([], [], is_confirmed=False) == ""


def test_the_report_and_the_log_do_not_tell_what_is_hidden() -> None:
    section = _without_hidden(
        Section(title="x", lines=[("Query", "quill"), ("Name", "First")]), lambda text: "quill" in text
    )
    assert section.lines == [("Query", "REDACTED"), ("Name", "First")]
