"""Every query that docs/search.md shows is understood, and everything that it calls an error is one."""

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from tests.support.search_indexes import ask, opened

from redwell.core.errors import UserError
from redwell.core.search.query_parser import parse
from redwell.ports.search_index import Entry, SearchIndex

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "search.md").read_text()
_SHOWN = re.findall(r"`([^`]+)`", "".join(re.findall(r"^\| (`.*?) \| (?!words|the whole|a year|a number)", PAGE, re.M)))
_EXAMPLES = re.findall(r"^redwell search --case \w+ '(.*)'$", PAGE, re.M)
_MISTAKES = ["-word", "w/5", "word~3", '"two words"~5', "word^2", "*.txt", "near/5", "wibble:x"]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SearchIndex]:
    text = "breach of contract"
    with closing(opened("tantivy", tmp_path_factory.mktemp("index"), lambda _: text)) as built:
        built.replace([Entry(exhibit=1, digest="", text=text, fields={"outcome": "PASSWORD_PROTECTED"})])
        built.commit()
        yield built


@pytest.mark.parametrize("query", [*_SHOWN, *_EXAMPLES])
def test_what_the_page_shows_is_understood_and_answered(query: str, index: SearchIndex) -> None:
    found = ask(index, query)
    assert found.total == len(found.hits) <= 1


@pytest.mark.parametrize(
    "query",
    ["breach contract", "breach w/5 contract", "breach pre/5 contract", "breech~", "stem:breaches", "contr*", "*"],
)
def test_what_the_page_says_it_finds_is_found(query: str, index: SearchIndex) -> None:
    assert ask(index, query).total == 1


def test_the_page_shows_something() -> None:
    assert len(_SHOWN) > 20
    assert len(_EXAMPLES) > 3


@pytest.mark.parametrize("query", _MISTAKES)
def test_what_the_page_calls_an_error_names_its_column(query: str) -> None:
    with pytest.raises(UserError, match=r"query, column \d+: "):
        parse(query)
