"""Every query that docs/search.md shows is understood, and everything that it calls an error is one."""

import re
from pathlib import Path

import pytest

from redwell.adapters.snowball.stems import SnowballStems
from redwell.core.errors import UserError
from redwell.core.search.query_parser import parse

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "search.md").read_text()
_SHOWN = re.findall(r"`([^`]+)`", "".join(re.findall(r"^\| (`.*?) \| (?!words|the whole|a year|a number)", PAGE, re.M)))
_EXAMPLES = re.findall(r"^redwell search --case \w+ '(.*)'$", PAGE, re.M)
_MISTAKES = ["-word", "w/5", "word~3", '"two words"~5', "word^2", "*.txt", "near/5", "wibble:x"]


@pytest.mark.parametrize("query", [*_SHOWN, *_EXAMPLES])
def test_what_the_page_shows_is_understood(query: str) -> None:
    parse(query, stems=SnowballStems())


def test_the_page_shows_something() -> None:
    assert len(_SHOWN) > 20
    assert len(_EXAMPLES) > 3


@pytest.mark.parametrize("query", _MISTAKES)
def test_what_the_page_calls_an_error_names_its_column(query: str) -> None:
    with pytest.raises(UserError, match=r"query, column \d+: "):
        parse(query, stems=SnowballStems())
