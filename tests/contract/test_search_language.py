"""What every search index finds of the reviewers' language (docs/search.md): hits, order, counts and places."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from tests.support.search_indexes import INDEXES, STEMS, ask, opened

from redwell.core.errors import UserError
from redwell.core.search.given import GIVEN
from redwell.core.search.query import Value, by_family
from redwell.core.search.query_parser import parse
from redwell.core.search.request import Search, Sort
from redwell.ports.search_index import Entry, FieldValue, SearchIndex
from redwell.review.row_search import RowSearch

TEXTS = {
    1: "The breach of contract was serious. No party signed the contract with the other parties.",
    2: "A contractor breached three contracts; the breaching party paid.\fContrat et contrats nº123 for no-reply@x.org",
    3: "خرق العقد كان خطيرا وقد وقع الطرف الاول العقد",
    4: "הפרת החוזה הייתה חמורה והצד הראשון חתם",
    5: "東京タワーは高い建物です。京都も見た",
    6: "การละเมิดสัญญา ร้ายแรงมาก",
    7: "Die Häuser der Straße; ein Haus wurde verkauft. Der Vertrag über das Haus",
    8: "Παράβαση της σύμβασης ήταν σοβαρή, δύο συμβάσεις ΛΎΘΗΚΑΝ",
    9: "alpha beta gamma",
    10: "",
}
FIELDS: dict[int, dict[str, FieldValue]] = {
    9: {
        "q": ("gamma alpha", "gamma"),
        "a": ("beta alpha",),
        "subject": "annual budget for rivets",
        "from": "Susan Bloom",
        "X-Mailer": "Fancy Mailer 3",
    },
    3: {"size": 0, "kind": "mail"},
    4: {"date": "1650-02-03"},
    5: {"date": "some day"},
    10: {"subject": "annual", "title": "budget", "to": ("ann lee", "bob ray")},
}
FAMILY = {10: 9, 2: 1}


@pytest.fixture(scope="module", params=INDEXES)
def index(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SearchIndex]:
    """Only searched, so one serves all tests of this file."""
    with closing(opened(request.param, tmp_path_factory.mktemp("index"), TEXTS.__getitem__, FIELDS)) as built:
        built.replace(
            Entry(
                exhibit=n,
                digest="",
                text=TEXTS[n],
                fields=FIELDS.get(n, {}) | {"control_number": f"{n:012d}"},
                family=FAMILY.get(n, n),
            )
            for n in TEXTS
        )
        built.commit()
        yield built


@pytest.mark.requirement("A21")
@pytest.mark.parametrize(
    ("query", "hits"),
    [
        ('"gamma alpha"', [9]),
        ('"gamma alp*"', [9]),
        ("gamma pre/1 alpha", [9]),
        ("gamma pre/1 (alpha OR beta)", [9]),
        ('"gamma beta"', []),
        ('"gamma gamma"', []),
        ('a:"gamma alpha"', []),
        ('subject:"gamma alpha"', []),
    ],
)
def test_words_side_by_side_are_found_in_what_was_said_over_the_breaks_of_lines(
    query: str, hits: list[int], index: SearchIndex
) -> None:
    assert found(index, query) == hits


def found(index: SearchIndex, query: str) -> list[int]:
    hits = ask(index, query, sort="control_number", snippets=False)
    assert hits.total == len(hits.hits)
    return [hit.exhibit for hit in hits.hits]


def test_tags_threads_and_neighbours_are_asked_for_by_the_rows_of_the_case(index: SearchIndex) -> None:
    """Every engine is asked by control numbers, so it needs to know nothing of them."""
    places = {number: f"{number:012d}" for number in TEXTS}
    rows = {("tag", "hot", False): [places[1], places[9]], ("tag", "h", True): [places[2]], ("thread", "x", False): []}

    def lookup(value: Value) -> list[str] | None:
        if value.field not in GIVEN:
            return None
        if (value.field, value.value, value.prefix) not in rows:
            raise UserError(f"nothing is called {value.value}")
        return rows[value.field, value.value, value.prefix]

    given = RowSearch(index, lookup)
    for query, expected in (
        ("tag:hot", {1, 9}),
        ("tag:h*", {2}),
        ("breach* tag:hot", {1}),
        ("(tag:hot OR tag:h*) NOT beta", {1, 2}),
        ("thread:x", set()),
    ):
        assert {hit.exhibit for hit in ask(given, query, snippets=False).hits} == expected, query
    with pytest.raises(UserError, match=r"column 13.*nothing is called 7"):
        ask(given, "breach near:7")
    # who codes page by page changes what is asked for between two pages
    first = ask(given, "NOT tag:hot", limit=3, sort="control_number")
    rows["tag", "hot", False].append(places[2])
    assert [hit.exhibit for hit in first.hits] == [2, 3, 4]
    assert next(hit.exhibit for hit in ask(given, "NOT tag:hot", sort="control_number", after=first.after).hits) == 5
    rows["tag", "hot", False] += [f"gone {number}" for number in range(100_000)]
    assert ask(given, "tag:hot", snippets=False).total == 3


@pytest.mark.parametrize(
    ("query", "exhibits"),
    [
        ("subject:*", [9, 10]),
        ("to:*", [10]),
        ("meta.x_mailer:*", [9]),
        ("meta.X-Mailer:* budget", [9]),
        ("NOT text:*", [10]),
        ("subject:(* NOT budget)", [10]),
        ("size:*", [3]),
        ("date:*", [4]),
        ("meta.date_raw:*", [5]),
        ("kind:*", [3]),
        ("control_number:* NOT (size:* OR date:*)", [1, 2, 5, 6, 7, 8, 9, 10]),
        ("duplicate:*", []),
    ],
)
def test_a_star_alone_stands_for_any_value_of_its_field(index: SearchIndex, query: str, exhibits: list[int]) -> None:
    assert found(index, query) == exhibits


@pytest.mark.parametrize(
    ("query", "exhibits"),
    [
        ("breach w/3 serious", []),
        ("breach w/5 serious", [1]),
        ("serious w/5 breach", [1]),
        ("breach pre/5 serious", [1]),
        ("serious pre/5 breach", []),
        ("contract w/2 the", [1]),
        ("contract pre/1 the", []),
        ("contract pre/2 the", [1]),
        ("contract w/20 contract", [1]),
        ("serious w/20 serious", []),
        ('"breach of contract" w/2 serious', [1]),
        ('serious pre/6 ("the other parties" OR nothing)', []),
        ('serious pre/9 ("the other" OR nothing)', [1]),
        ("(breach OR party) w/2 signed", [1]),
        ("party w/1 signed w/3 contract", [1]),
        ("contract* w/3 part*", [1, 2]),
        ("contract* w/2 part*", []),
        ("NOT contract w/5 serious", [2, 3, 4, 5, 6, 7, 8, 9, 10]),
        ("subject:(annual w/1 budget)", [9]),
        ("annual w/3 budget", [9]),
        ("ann w/1 lee", [10]),
        ("lee w/1 bob", []),
        ("lee w/2 bob", [10]),
    ],
)
def test_words_phrases_and_groups_near_each_other(index: SearchIndex, query: str, exhibits: list[int]) -> None:
    assert found(index, query) == exhibits


@pytest.mark.parametrize(
    ("query", "exhibits"),
    [
        ("contr?ct", [1]),
        ("*racto?", [2]),
        ("c*t*s", [2]),
        ("?ontract*", [1, 2]),
        ('"b* of c*t"', [1]),
        ('"the ?ther parties"', [1]),
        ("meta.x_mailer:f?ncy", [9]),
        ("meta.x_mailer:*cy", [9]),
        ('meta.x_mailer:"fancy mai*"', [9]),
        ("subject:b*t", [9]),
        ("breech~", [1]),
        ("braech~", [1]),
        ("contact~2", [1, 2]),
        ("contrakt~1", [1, 2]),
        ('"breech~ of contract"', [1]),
        ("meta.x_mailer:fansy~", [9]),
        ("stem:contracting", [1, 2]),
        ("stem:breaches", [1, 2]),
        ('"stem"', []),
        ('stem:"breach of contracts"', [1]),
        ("stem:parties w/2 stem:signing", [1]),
        ("stem.de:haus", [7]),
        ("stem.german:häusern", [7]),
        ("stem.el:σύμβαση", [8]),
        ("stem.ar:عقد", [3]),
        ("subject:stem:budgets", [9]),
        ("meta.x_mailer:stem:mailers", [9]),
    ],
)
def test_wildcards_similar_spellings_and_stems(index: SearchIndex, query: str, exhibits: list[int]) -> None:
    assert found(index, query) == exhibits


@pytest.mark.parametrize(
    ("query", "exhibits"),
    [
        ("123", [2]),
        ("nº123", [2]),
        ("reply x", [2]),
        ("no-reply@x.org", [2]),
        ("العقد", [3]),
        ('"خرق العقد"', [3]),
        ("خرق w/3 خطيرا", [3]),
        ("خرق w/2 خطيرا", []),
        ("خطيرا pre/3 خرق", []),
        ("الع*", [3]),
        ("החוזה", [4]),
        ('"הפרת החוזה"', [4]),
        ("הצד w/2 חתם", []),
        ("והצד w/2 חתם", [4]),
        ("東京", [5]),
        ("東?タ", [5]),
        ("東京 w/8 高い", [5]),
        ("高い pre/3 東京", []),
        ("สัญญา", [6]),
        ("ละเมิด pre/12 ร้ายแรง", [6]),
        ("Häuser", [7]),
        ("haus w/2 verkauft", [7]),
        ("str?ße", [7]),
        ("σύμβασης", [8]),
        ("παράβαση w/2 σύμβασης", [8]),
        ("λύθηκαν", [8]),
    ],
)
def test_words_phrases_and_proximity_in_every_script(index: SearchIndex, query: str, exhibits: list[int]) -> None:
    assert found(index, query) == exhibits


@pytest.mark.parametrize(
    ("query", "exhibits"),
    [
        ("from:susan title:budget", [9, 10]),
        ("from:susan", [9, 10]),
        ("serious contractor", [1, 2]),
        ("serious NOT contractor", []),
        ("contract w/20 contract", [1, 2]),
        ("alpha OR serious", [1, 2, 9, 10]),
    ],
)
def test_a_family_is_found_as_one_document_on_request(index: SearchIndex, query: str, exhibits: list[int]) -> None:
    wanted = Search(query=by_family(parse(query, stems=STEMS)), sort=Sort("control_number"))
    assert [hit.exhibit for hit in index.search(wanted).hits] == exhibits
    assert {hit.family for hit in index.search(wanted).hits} <= {1, 9}


def test_marks_stand_where_words_are_near_each_other_and_on_their_page(index: SearchIndex) -> None:
    (hit,) = ask(index, "breach w/3 contract", positions=True).hits
    assert [TEXTS[1][span.start : span.end] for span in hit.positions] == ["breach", "contract"]
    assert "[[breach]] of [[contract]] was serious. No party signed the contract" in hit.snippet
    (hit,) = ask(index, "contrat OR stem:breach contracts", positions=True).hits[:1]
    assert [(TEXTS[2][span.start : span.end], span.column, span.page) for span in hit.positions] == [
        ("breached", 17, 1),
        ("contracts", 24, 1),
        ("breaching", 17, 1),
        ("Contrat", 1, 2),
    ]


def test_a_word_is_found_however_its_script_lets_it_be_written(
    index: SearchIndex, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    """With vowel points or without, stretched, in capitals that know one sigma."""
    ways = {
        1: "خَرَقَ الطرفُ العـقدَ",
        2: "خرق الطرف العقد",
        3: "הַצַּד חָתַם",
        4: "הצד חתם",
        5: "ΠΑΡΆΒΑΣΗ ΤΗΣ ΣΎΜΒΑΣΗΣ",
        6: "παράβαση της σύμβασης",
    }
    kind = request.node.callspec.params["index"]
    with closing(opened(kind, tmp_path, ways.__getitem__)) as built:
        built.replace(Entry(exhibit=n, digest="", text=text) for n, text in ways.items())
        built.commit()
        for query in ("العقد", "العقدَ", '"الطرفُ العقد"', "خرق w/2 العقد", "خرق pre/2 (العقد OR x)", "العق?"):
            assert found(built, query) == [1, 2], query
        for query in ("חתם", "חָתַם", '"הצד חתם"', "ח*ם"):
            assert found(built, query) == [3, 4], query
        for query in ("σύμβασης", "ΣΎΜΒΑΣΗΣ", '"της σύμβασης"', "παράβαση pre/2 σύμβασης", "σύμβασ?ς", "τη?"):
            assert found(built, query) == [5, 6], query
        shown = ask(built, "العقد OR חתם", positions=True)
        marked = {hit.exhibit: [ways[hit.exhibit][at.start : at.end] for at in hit.positions] for hit in shown.hits}
        assert marked == {1: ["العـقدَ"], 2: ["العقد"], 3: ["חָתַם"], 4: ["חתם"]}


def test_a_list_of_thousands_of_words_finds_any_of_them(index: SearchIndex) -> None:
    names = " OR ".join(f"nobody{number}" for number in range(3_000))
    assert found(index, f'{names} OR alpha OR subject:rivets OR "breach of contract" OR חת*') == [1, 4, 9]
