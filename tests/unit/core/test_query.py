"""The query language: what it means, and what it says when it is not understood."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redwell.adapters.snowball.stems import SnowballStems
from redwell.core.errors import UserError
from redwell.core.search.doubts import doubts
from redwell.core.search.explanation import explained
from redwell.core.search.fields import FIELDS, FieldType, metadata_key
from redwell.core.search.query import And, Everything, Near, Node, Not, Or, Range, Value, Words, leaves
from redwell.core.search.query_parser import parse
from redwell.handlers.host.registry import load
from redwell.runtime.bootstrap.handler_modules import BUILT_IN

STEMS = SnowballStems()


def shape(node: Node) -> str:
    """A tree as one line: `_` between the words of a phrase, `*` for a prefix, brackets around each group."""
    match node:
        case Words(words, field, prefix):
            return (field and field + ":") + "_".join(map(str, words)) + "*" * prefix
        case Value(field, value, prefix):
            return f"{field}={value}" + "*" * prefix
        case Range(field, low, high):
            return f"{field}[{'' if low is None else low}..{'' if high is None else high})"
        case Everything():
            return "ALL"
        case Near(left, right, distance, ordered):
            return f"<{shape(left)} {'pre' if ordered else 'w'}{distance} {shape(right)}>"
        case Not(part):
            return f"!{shape(part)}"
        case And(parts):
            return "(" + " & ".join(map(shape, parts)) + ")"
        case Or(parts):
            return "(" + " | ".join(map(shape, parts)) + ")"
    raise AssertionError(node)


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
        ('"AND"', "and"),
        ('"breach of contract"', "breach_of_contract"),
        ("\u201cbreach of contract\u201d", "breach_of_contract"),
        ("\u00abbreach of contract\u00bb", "breach_of_contract"),
        ("\u300c東京\u300d", "東_京"),
        ("o\u2019neill 'n' rock'n'roll", "(o_neill & n & rock_n_roll)"),
        ("[redacted] +49 -5", "(redacted & 49 & 5)"),
        ("subject:w/5", "subject:w_5"),
        ('"breach of contr*"', "breach_of_contr*"),
        ("contr*", "contr*"),
        ("subject:budget", "subject:budget"),
        ("Subject:Budget", "subject:budget"),
        ('subject:"annual budget" x', "(subject:annual_budget & x)"),
        ("subject:bud*", "subject:bud*"),
        ("subject:(a OR b)", "(subject:a | subject:b)"),
        ("subject:(a from:b)", "(subject:a & from:b)"),
        ("subject:NOT", "subject:not"),
        ("type:Mail", "kind=mail"),
        ("control_number:ABC-*", "control_number=abc-*"),
        ("meta.X-Mailer:outlook", "meta.x_mailer:outlook"),
        ("meta.subject:budget", "subject:budget"),
        ("10:30", "10_30"),
        ("R&D o'neill a@b.com what?", "(r_d & o_neill & a_b_com & what?)"),
        ("nº123", "n_123"),
        ("wom?n *tion con*ct", "(wom?n & *tion & con*ct)"),
        ('"b* of ??w"', "b*_of_??w"),
        ("contract~ contract~2", "(contract~1 & contract~2)"),
        ('"breech~ of contract"', "breech~1_of_contract"),
        ("a w/5 b", "<a w5 b>"),
        ("a W/5 b PRE/2 c", "<<a w5 b> pre2 c>"),
        ("x a w/5 b OR c", "((x & <a w5 b>) | c)"),
        ("NOT a w/5 b", "!<a w5 b>"),
        ('(a OR "b c") w/5 d*', "<(a | b_c) w5 d*>"),
        ("subject:(a w/5 b)", "<subject:a w5 subject:b>"),
        ('"w/5"', "w_5"),
        ("stem:breaches", "stem.english:breaches"),
        ("stem.de:(Haus OR Hof)", "(stem.german:haus | stem.german:hof)"),
        ("subject:stem:budgets", "subject:stem.english:budgets"),
        ("stem:subject:budgets", "subject:stem.english:budgets"),
        ("stem:breaches w/3 x", "<stem.english:breaches w3 x>"),
        ("subject:re:budget", "subject:re_budget"),
        ("has:attachment problem:text_unavailable", "(has=attachment & problem=text_unavailable)"),
        ("family:RW00000001 tag:hot", "(family=rw00000001 & tag=hot)"),
        ("東京*", "東_京"),
        ("東?京", "東_?_京"),
        ("東京", "東_京"),
        ("ΟΔΟΣ", "οδοσ"),
        ("*", "ALL"),
        ("* NOT a", "(ALL & !a)"),
        ("  a\t\n b  ", "(a & b)"),
    ],
)
def test_a_query_means_what_the_documentation_says(query: str, meaning: str) -> None:
    assert shape(parse(query, stems=STEMS)) == meaning


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
        ("subject:**", 9, "no letter or digit"),
        ("x wibble:y", 3, 'no field "wibble"'),
        ("http://example.com", 1, "put it in quotes"),
        ("meta.:x", 1, "no field"),
        ("foo-*", 5, "letters of a word"),
        ('"breach * law"', 9, "letters of a word"),
        ("東*京", 2, "? stands for one of them"),
        ("?" * 20 + "a?", 1, "20 wildcards"),
        ("x" * 101 + "?", 1, "100 letters"),
        ("a -b", 3, "write NOT b"),
        ("a near/5 b", 3, "written a w/5 b"),
        ("w/5 b", 1, "expected a word"),
        ("a w/5", 6, "the query ends"),
        ("a w/0 b", 3, "from 1 to 1000"),
        ("a w/1001 b", 3, "from 1 to 1000"),
        ("a w/x b", 3, "a number of words"),
        ("a w/-1 b", 3, "a number of words"),
        ("a pre/2.5 b", 3, "a number of words"),
        (f"a w/{'9' * 5000} b", 3, "a number of words"),
        ("contract~x", 9, "1, 2 or nothing"),
        ("contract~1x", 9, "1, 2 or nothing"),
        ("contract~-1", 9, "1, 2 or nothing"),
        (f"contract~{'9' * 5000}", 9, "write ~1 or ~2"),
        ("~contract", 1, "a ~ follows a word"),
        ("a !b", 3, "write NOT b"),
        ("+a", 1, "leave out the +"),
        ("subject :budget", 9, "directly before its colon"),
        ('"my field":budget', 11, "directly before its colon"),
        ("a|b", 2, "write OR"),
        ("a&&b", 2, "write AND"),
        ("[a TO b]", 1, "ranges 2001..2002"),
        ("subject:[a TO b]", 9, "ranges 2001..2002"),
        ("{a b}", 1, "groups are written"),
        ("'breach of contract'", 1, "double quotes"),
        ("\u2018breach of contract\u2019", 1, "double quotes"),
        ("a w/5 NOT b", 7, "found NOT"),
        ("(a b) w/5 c", 7, "joined by OR"),
        ("date:2024 w/5 c", 11, "joined by OR"),
        ("subject:a w/5 b", 11, "in one field"),
        ("*.act", 1, "letters of a word"),
        ('"a b"~5', 6, "written a w/5 b"),
        ("x contract~3", 11, "write ~1 or ~2"),
        ("ab~", 1, "too short"),
        ("four~2", 1, "too short"),
        ("contr*~", 1, "either a ~"),
        ("stem:contr*", 6, "either stemmed"),
        ("stem.klingon:x", 1, 'no stems for "klingon"'),
        ("stem:kind:mail", 11, "no stems"),
        ("contract^2", 9, "weights"),
        ("date:[2001 TO 2002]", 6, "a range 2023..2024-05"),
        ("x date:yesterday", 8, "a date is written 2024"),
        ("date:2024-13", 6, "cannot be read"),
        ("date:..", 6, "cannot be read"),
        ("date:2001..2002..2003", 6, "cannot be read"),
        ("date:202*", 6, "cannot be read"),
        ("date:2002..2001", 6, "ends before it begins"),
        ("size:2000..1000", 6, "ends before it begins"),
        (f"size:{'9' * 5000}", 6, "cannot be read"),
        ("sha256:abc", 8, "64 digits"),
        ("md5:xyz*", 5, "32 digits"),
        ("size:>1MB", 6, "a number is written 1000"),
        ("size:99999999999999999999", 6, "cannot be read"),
        ("kind:ma*l", 6, "only at the end of a value"),
        ("kind:-", 6, "no letter or digit"),
        ("subjct:x", 1, "did you mean subject?"),
        ("a" + " w/5 a" * 60, 303, "more than 50 w/"),
        ("stem:" * 9999 + "a", 6, "said once"),
        ("(" * 60 + "a" + ")" * 60, 51, "more than 50"),
        ("NOT " * 60 + "a", 201, "more than 50"),
    ],
)
def test_a_mistake_is_named_with_its_column_and_what_was_expected(query: str, column: int, words: str) -> None:
    with pytest.raises(UserError) as raised:
        parse(query, stems=STEMS)
    assert f"column {column}:" in str(raised.value)
    assert words in str(raised.value)


@pytest.mark.parametrize(
    ("query", "low", "high"),
    [
        ("2024", (2024, 1, 1), (2025, 1, 1)),
        ("2024-12", (2024, 12, 1), (2025, 1, 1)),
        ("2024-02-28", (2024, 2, 28), (2024, 2, 29)),
        ("2024-05-17T09", (2024, 5, 17, 9), (2024, 5, 17, 10)),
        ("2024-05-17T09:30", (2024, 5, 17, 9, 30), (2024, 5, 17, 9, 31)),
        ('"2024-05-17 09:30:59Z"', (2024, 5, 17, 9, 30, 59), (2024, 5, 17, 9, 31)),
        ("2001..2002", (2001, 1, 1), (2003, 1, 1)),
        ("2001-05..", (2001, 5, 1), None),
        ("..2002", None, (2003, 1, 1)),
        (">2000", (2001, 1, 1), None),
        (">=2000", (2000, 1, 1), None),
        ("<2000-06", None, (2000, 6, 1)),
        ("<=2000-06", None, (2000, 7, 1)),
    ],
)
def test_dates_and_ranges_of_them_are_whole_periods(
    query: str, low: tuple[int, ...] | None, high: tuple[int, ...] | None
) -> None:
    zone = timezone(timedelta(hours=-5))

    def seconds(parts: tuple[int, ...] | None) -> int | None:
        at = UTC if "Z" in query else zone
        return int(datetime(*parts, tzinfo=at).timestamp()) if parts else None  # type: ignore[arg-type]

    assert parse(f"date:{query}", zone) == Range("date", seconds(low), seconds(high))


@pytest.mark.parametrize(("query", "low", "high"), [("5", 5, 6), ("5..9", 5, 10), (">5", 6, None), ("<=0", None, 1)])
def test_numbers_and_ranges_of_them(query: str, low: int | None, high: int | None) -> None:
    assert parse(f"size:{query}") == Range("size", low, high)


def test_names_and_values_that_no_table_knows_are_doubted_with_near_ones() -> None:
    wrong = "meta.x_mailr:a kind:email outcome:failed meta.zzz:b NOT kind:q*"
    query = f"{wrong} meta.x_mailer:c kind:mail kind:ma* outcome:PARTIAL"
    told = [str(doubt.error) for doubt in doubts(parse(query, stems=STEMS))]
    assert told == [
        'query, column 14: no document of the case has metadata "x_mailr"; did you mean meta.x_mailer or meta.email?',
        f'query, column 21: "email" is no kind; did you mean mail or mailbox? {_told("kind")}',
        f'query, column 35: "failed" is no outcome; did you mean filtered? {_told("outcome")}',
        'query, column 51: no document of the case has metadata "zzz"; docs/fields.md has the names',
        f'query, column 62: "q" is no kind; {_told("kind")}',
    ]


def _told(field: str) -> str:
    return f"there are {', '.join(sorted(FIELDS[field].values))}"


def test_a_number_a_batch_or_a_folder_that_no_document_has_is_doubted() -> None:
    told = [(doubt.probe, str(doubt.error)) for doubt in doubts(parse("family:nosuch batch:one duplicate:x1"))]
    assert told[0] == (
        Value("control_number", "nosuch"),
        "query, column 8: no document has the control number NOSUCH",
    )
    assert told[1] == (Value("batch", "one"), 'query, column 21: no document of the case is in batch "one"')
    assert [probe for probe, _ in told[2:]] == [Value("duplicate", "", prefix=True), Value("control_number", "x1")]


@pytest.mark.parametrize("query", ["date:9999", "date:0001", "date:<0001", "date:>9999", "date:..9999"])
@pytest.mark.parametrize("hours", [-12, 0, 14])
def test_the_first_and_the_last_year_are_told_in_every_zone(query: str, hours: int) -> None:
    zone = timezone(timedelta(hours=hours))
    assert explained(parse(query, zone), zone).startswith("date ")


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("size:7", "size is 7"),
        ("size:1000..2000", "size from 1,000 to 2,000"),
        ("size:>10", "size from 11 on"),
        ("size:<=10", "size up to 10"),
    ],
)
def test_ranges_of_numbers_are_told_with_their_last_one(query: str, told: str) -> None:
    assert explained(parse(query), UTC) == told


def test_the_table_has_every_kind_that_a_built_in_handler_gives() -> None:
    assert {handler.spec.kind for handler in load(BUILT_IN)} == FIELDS["kind"].values - {
        "volume"
    }  # that one the host gives


def test_an_unknown_field_is_answered_with_the_known_ones() -> None:
    with pytest.raises(UserError) as raised:
        parse("wibble:y")
    assert all(name in str(raised.value) for name in [*FIELDS, "meta.<name>"])


@given(st.text(alphabet=st.sampled_from('ab "():*?-NOTRAD.\u201c\n'), max_size=30))
def test_any_text_is_a_query_or_a_named_mistake(query: str) -> None:
    try:
        node = parse(query, stems=STEMS)
    except UserError as error:
        assert str(error).startswith("query, column ")
    else:
        assert shape(node)


def test_a_term_remembers_its_column_for_errors_found_later() -> None:
    node = parse("a subject:b")
    assert [leaf.column for leaf in leaves(node)] == [1, 11]


def test_main_fields_are_cut_into_words() -> None:
    assert all(field.type is FieldType.TEXT for field in FIELDS.values() if field.is_main)


def test_metadata_names_are_compared_without_case_and_punctuation() -> None:
    assert metadata_key("X-Mailer") == metadata_key("x_mailer") == metadata_key("x mailer:") == "x_mailer"
