"""What every search index finds (ports.search_index)."""

from collections.abc import Iterator
from contextlib import closing

import pytest
from tests.support.search_indexes import INDEXES, ask, opened

from redwell.core.errors import UserError
from redwell.core.search.fields import FieldValue
from redwell.core.search.matches import Span
from redwell.ports.search_index import Entry, SearchIndex

LONG = "pneumono" * 40
TEXTS = {
    1: "The breach of contract was reported by O'Neill on behalf of Müller & Söhne GmbH.",
    2: "A contractor reported no breach. R&D spent 12.30 at 10:30; see file_name-v2.",
    3: f"{LONG} stands alone. Cafe\u0301 Zürich, the o\ufb03ce and con\u00adtract law.",
    4: "東京タワーは高い。 한국어 문서 และภาษาไทย",
    5: "",
}
FIELDS: dict[int, dict[str, FieldValue]] = {
    1: {
        "name": "breach.eml",
        "subject": "Quarterly budget",
        "from": "Ann Lee <ann@example.com>",
        "to": "bob@example.org",
    },
    2: {"name": "notes.txt", "path": "Inbox/2020/notes.txt", "custodian": "Carla Smith", "outcome": "PARTIAL"},
    3: {
        "kind": "mail",
        "media_type": "message/rfc822",
        "date": "2024-05-17T09:30:00Z",
        "control_number": "ABC-000123",
        "size": 2048,
    },
    4: {
        "sha256": "AB" * 32,
        "X-Mailer": "Fancy Mailer 3",
        "message_id": "<x.1@example.com>",
        "sent": "2024-05-17T09:30:00Z",
    },
    5: {
        "name": "bad\udcffname.bin",
        "title": "Empty",
        "author": "Ann Lee",
        "size": 0,
        "date": "0001-01-01",
        "created": "last summer",
        "kind": "hologram",
    },
}


@pytest.fixture(scope="module", params=INDEXES)
def index(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SearchIndex]:
    """Only searched, so one serves all tests of this file."""
    with closing(opened(request.param, tmp_path_factory.mktemp("index"), TEXTS.__getitem__, FIELDS)) as built:
        built.replace(Entry(exhibit=n, digest=f"d{n}", text=TEXTS[n], fields=FIELDS[n]) for n in TEXTS)
        built.commit()
        yield built


def found(index: SearchIndex, query: str) -> set[int]:
    hits = ask(index, query)
    assert hits.total == len(hits.hits)
    return {hit.exhibit for hit in hits.hits}


@pytest.mark.parametrize(
    ("query", "exhibits"),
    [
        ("breach", {1, 2}),
        ("BREACH", {1, 2}),
        ("breach contract", {1}),
        ("contract", {1, 3}),
        ("contr*", {1, 2, 3}),
        ("reported AND breach NOT contractor", {1}),
        ("contractor OR café", {2, 3}),
        ("NOT breach", {3, 4, 5}),
        ("NOT (breach OR empty)", {3, 4}),
        ("breach OR NOT breach", {1, 2, 3, 4, 5}),
        ("*", {1, 2, 3, 4, 5}),
        ("* NOT breach", {3, 4, 5}),
        ('"breach of contract"', {1}),
        ('"of breach"', set()),
        ('"breach of contr*"', {1}),
        ('"no breach"', {2}),
        ("o'neill", {1}),
        ("o'nei*", {1}),
        ("R&D", {2}),
        ("12.30 10:30", {2}),
        ("name v2", {2}),
        ("file_name-v2", {2}),
        ("müller", {1}),
        ("muller", set()),
        ("zu\u0308rich", {3}),
        ("caf\u00e9", {3}),
        ("office", {3}),
        (LONG, {3}),
        (LONG[:300] + "*", {3}),
        ("nothing", set()),
    ],
)
def test_words_phrases_prefixes_and_operators_find_what_they_say(
    index: SearchIndex, query: str, exhibits: set[int]
) -> None:
    assert found(index, query) == exhibits


@pytest.mark.parametrize(
    ("query", "exhibits"),
    [
        ("東京", {4}),
        ("京東", set()),
        ("タワー", {4}),
        ("한국", {4}),
        ("국어*", {4}),
        ("ภาษา", {4}),
        ('"東京 タワー"', {4}),
    ],
)
def test_scripts_without_spaces_are_found_by_any_run_of_characters(
    index: SearchIndex, query: str, exhibits: set[int]
) -> None:
    assert found(index, query) == exhibits


@pytest.mark.parametrize(
    ("query", "exhibits"),
    [
        ("budget", {1}),
        ("text:budget", set()),
        ("subject:budget", {1}),
        ("subject:BUDG*", {1}),
        ('subject:"quarterly budget"', {1}),
        ("subject:(quarterly OR annual)", {1}),
        ("from:ann@example.com", {1}),
        ("ann", {1, 5}),
        ("author:ann", {5}),
        ("smith", set()),
        ("custodian:smith", {2}),
        ("path:2020", {2}),
        ('path:"inbox/2020"', {2}),
        ("outcome:partial", {2}),
        ("outcome:part*", {2}),
        ("kind:mail", {3}),
        ("type:Mail", {3}),
        ("media_type:rfc822", {3}),
        ("date:2024-05-17", {3}),
        ("date:2024", {3}),
        ("date:2024-06", set()),
        ("date:2024-05-17T09:30", {3}),
        ("date:2023..2024", {3}),
        ("date:..2023", {5}),
        ("date:>2024-05-17", set()),
        ("date:>=2024-05-17", {3}),
        ("created:2024", set()),
        ("meta.created_raw:summer", {5}),
        ("size:2048", {3}),
        ("size:..2047", {5}),
        ("size:>0", {3}),
        ("size:<0", set()),
        ("kind:hologram", {5}),
        ("meta.subject:budget", {1}),
        ("control_number:abc-000123", {3}),
        ("control_number:ABC-*", {3}),
        (f"sha256:{'ab' * 32}", {4}),
        ("sha256:abab*", {4}),
        ("meta.x_mailer:fancy", {4}),
        ('meta.X-Mailer:"mailer 3"', {4}),
        ("meta.x_mailer:fan*", {4}),
        ("meta.message_id:x.1@example.com", {4}),
        ("meta.sent:2024", {4}),
        ("meta.list_id:x", set()),
        ("fancy", set()),
        ("bad", {5}),
        ("kind:mail NOT date:2023", {3}),
    ],
)
def test_fields_are_searched_by_name(index: SearchIndex, query: str, exhibits: set[int]) -> None:
    assert found(index, query) == exhibits


@pytest.mark.parametrize(
    "query",
    [
        "(",
        "wibble:x",
        "",
        "has:pdf",
        "meta.unheard_of:x",
        "NOT kind:email",
        "outcome:failed",
        "outcome:part",
        "kind:q*",
    ],
)
def test_a_query_that_is_not_understood_is_the_users_to_mend(index: SearchIndex, query: str) -> None:
    with pytest.raises(UserError, match="column"):
        ask(index, query)


def test_snippets_mark_the_matches(index: SearchIndex) -> None:
    (hit,) = ask(index, '"breach of contract" report*').hits
    assert hit.snippet == ("The [[breach of contract]] was [[reported]] by O'Neill on behalf of Müller & Söhne GmbH.")


def test_a_filter_by_an_import_of_which_nothing_is_indexed_yet_leaves_nothing(index: SearchIndex) -> None:
    assert ask(index, "breach", filters="batch:77").hits == ()
    with pytest.raises(UserError, match="no document of the case is in batch"):
        ask(index, "batch:77")


def test_positions_are_characters_of_the_text_by_part_of_the_query(index: SearchIndex) -> None:
    (hit,) = ask(index, 'office "contract law"', positions=True, snippets=False).hits
    assert [(TEXTS[3][span.start : span.end], span.column) for span in hit.positions] == [
        ("o\ufb03ce", 1),
        ("con\u00adtract law", 8),
    ]
    assert hit.snippet == ""
    assert ask(index, "breach", positions=True, filters="kind:hologram").hits == ()
    (hit,) = ask(index, "alone", positions=True).hits
    assert hit.positions == (Span(len(LONG) + 8, len(LONG) + 13, 1),)
