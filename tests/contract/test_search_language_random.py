"""Any query of the language finds in any documents what a plain reading of it says, in every script.

The reference knows nothing of the code that it checks: texts are lists of words, and every operator is a loop.
"""

from collections.abc import Iterator
from contextlib import closing
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.search_indexes import INDEXES, ask, opened

from redwell.ports.search_index import Entry

# Words are apart by spaces here; those of Chinese, Japanese and Thai are single characters, which are words.
WORDS = {
    "latin": ["breach", "breech", "contract", "contracts", "a1", "123", "straße", "häuser", "haus"],
    "greek": ["σύμβαση", "συμβάσεις", "παράβαση", "και"],
    "arabic": ["العقد", "عقد", "خرق", "الطرف"],
    "hebrew": ["החוזה", "חוזה", "הפרת"],
    "unspaced": ["東", "京", "高", "タ", "ワ", "ส", "ญ"],
}
Text = list[str]
Query = tuple[object, ...]

_script = st.sampled_from(sorted(WORDS))
_texts = _script.flatmap(lambda script: st.lists(st.sampled_from(WORDS[script] + WORDS["latin"][:2]), max_size=12))
_documents = st.lists(_texts, min_size=1, max_size=5)


def _leaves(words: list[str]) -> st.SearchStrategy[Query]:
    word, long = st.sampled_from(words), [each for each in words if len(each) > 4]
    kinds: list[st.SearchStrategy[Query]] = [
        st.tuples(st.just("phrase"), st.lists(word, min_size=1, max_size=3).map(tuple)),
        st.tuples(st.just("wild"), word.filter(lambda w: len(w) > 1), st.sampled_from(["x*", "*x", "x?", "?x", "m"])),
    ]
    if long:
        kinds.append(st.tuples(st.just("fuzzy"), st.sampled_from(long), st.sampled_from([1, 2])))
    return st.one_of(kinds)


def _parts(leaf: st.SearchStrategy[Query]) -> st.SearchStrategy[Query]:
    return st.one_of(_places(leaf), st.tuples(st.just("any"), st.sampled_from(["text", "meta.note"])))


def _places(leaf: st.SearchStrategy[Query]) -> st.SearchStrategy[Query]:
    side = st.one_of(leaf, st.tuples(st.just("or"), leaf, leaf))
    return st.one_of(leaf, st.tuples(st.just("near"), st.sampled_from(["w", "pre"]), st.integers(1, 6), side, side))


def _trees(words: list[str]) -> st.SearchStrategy[Query]:
    return st.recursive(
        _parts(_leaves(words)),
        lambda inner: st.one_of(
            st.tuples(st.sampled_from(["and", "or"]), inner, inner), st.tuples(st.just("not"), inner)
        ),
        max_leaves=5,
    )


_queries = _script.flatmap(lambda script: _trees(WORDS[script]))


def written(query: Query) -> str:
    """As a reviewer would write it."""
    match query:
        case ("phrase", tuple(words)):
            return f'"{" ".join(words)}"'
        case ("wild", str(word), str(form)):
            return _wild(word, form)
        case ("fuzzy", word, edits):
            return f"{word}~{edits}"
        case ("near", sign, distance, left, right):
            return f"({written(left)} {sign}/{distance} {written(right)})"
        case ("any", str(field)):
            return f"{field}:*"
        case ("not", part):
            return f"NOT {written(part)}"
        case (sign, left, right):
            return f"({written(left)} {str(sign).upper()} {written(right)})"
    raise AssertionError(query)


def _wild(word: str, form: str) -> str:
    return {"x*": word[:-1] + "*", "*x": "*" + word[1:], "x?": word[:-1] + "?", "?x": "?" + word[1:]}.get(
        form, word[0] + "*" + word[-1]
    )


def fits(query: Query, text: Text) -> bool:
    match query:
        case ("any", "text"):
            return bool(text)
        case ("any", _):
            return _has_note(text)
        case ("not", part):
            return not fits(part, text)
        case ("and", left, right):
            return fits(left, text) and fits(right, text)
        case ("or", left, right):
            return fits(left, text) or fits(right, text)
        case _:
            return any(True for _ in spans(query, text))


def _has_note(text: Text) -> bool:
    return len(text) % 2 == 1


def spans(query: Query, text: Text) -> Iterator[tuple[int, int]]:
    match query:
        case ("near", sign, int(distance), left, right):
            for (a, b), (c, d) in product(list(spans(left, text)), list(spans(right, text))):
                if 0 < c - b <= distance or (sign == "w" and 0 < a - d <= distance):
                    yield min(a, c), max(b, d)
        case ("or", left, right):
            yield from spans(left, text)
            yield from spans(right, text)
        case ("phrase", tuple(words)):
            for start in range(len(text)):
                if text[start : start + len(words)] == list(words):
                    yield start, start + len(words) - 1
        case ("wild", str(word), str(form)):
            yield from ((n, n) for n, each in enumerate(text) if _like(_wild(word, form), each))
        case ("fuzzy", str(word), int(edits)):
            yield from ((n, n) for n, each in enumerate(text) if _changes(word, each) <= edits)


def _like(pattern: str, word: str) -> bool:
    if not pattern:
        return not word
    if pattern[0] == "*":
        return any(_like(pattern[1:], word[cut:]) for cut in range(len(word) + 1))
    return bool(word) and pattern[0] in {"?", word[0]} and _like(pattern[1:], word[1:])


def _changes(one: str, other: str) -> int:
    if not (one and other):
        return len(one) + len(other)
    least = (
        min(
            _changes(one[1:], other) + 1,
            _changes(one, other[1:]) + 1,
            _changes(one[1:], other[1:]) + (one[0] != other[0]),
        )
        if one[0] != other[0]
        else _changes(one[1:], other[1:])
    )
    if len(one) > 1 and len(other) > 1 and one[0] == other[1] and one[1] == other[0]:
        least = min(least, _changes(one[2:], other[2:]) + 1)
    return least


@pytest.mark.parametrize("kind", INDEXES)
@pytest.mark.requirement("D8", "F1")
def test_any_query_finds_what_a_plain_reading_of_it_says(kind: str) -> None:
    @given(_documents, st.lists(_queries, min_size=1, max_size=8))
    @settings(max_examples=60 if kind == "tantivy" else 10)
    def check(documents: list[Text], queries: list[Query]) -> None:
        texts = dict(enumerate(map(" ".join, documents)))
        with TemporaryDirectory() as folder, closing(opened(kind, Path(folder) / "i", texts.__getitem__)) as index:
            index.replace(
                Entry(exhibit=n, digest="", text=text, fields={"note": "…" + "w" * _has_note(documents[n])})
                for n, text in texts.items()
            )
            index.commit()
            for query in queries:
                hits = ask(index, written(query), sort="control_number", snippets=False)
                expected = [n for n, text in enumerate(documents) if fits(query, text)]
                assert [hit.exhibit for hit in hits.hits] == expected, written(query)
                assert hits.total == len(expected)
            index.forget()

    check()
