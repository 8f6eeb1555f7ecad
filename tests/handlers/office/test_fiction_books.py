"""FictionBook files are books: words, fields and pictures."""
# ruff: noqa: RUF001 - letters of another script are what is tested

from pathlib import Path

import pytest
from tests.support.other_documents import fiction_book
from tests.support.pieces import read

from redwell.core.errors import InvalidFile
from redwell.core.handler import Child, Lost
from redwell.handlers.documents import fiction_book as handler

pytestmark = pytest.mark.requirement("A6")


def test_a_book_has_its_words_and_says_who_wrote_it(tmp_path: Path) -> None:
    pieces = read(handler, fiction_book(), tmp_path)
    assert pieces.text == "Краткая повесть\nГлава 1\nПервая строка в 1812 году\nЯнварь\t100\t\n"
    assert pieces.metadata == {
        "title": "Аренда",
        "author": "Анна Иванова; Bob",
        "stated_language": "ru",
        "created": "2024-05-06T00:00:00",
        "created_raw": "2024-05-06",
        "created_has_zone": False,
        "application": "Editor",
        "publisher": "Press",
        "identifier": "978-5",
    }
    assert pieces.contents == {}


def test_pictures_of_a_book_come_out_where_they_are_asked_for(tmp_path: Path) -> None:
    pieces = read(handler, fiction_book(), tmp_path, embedded_images=True)
    assert list(pieces.contents.values()) == [b"\x89PNG\r\n\x1a\n"]
    assert [child.name for child in pieces.of(Child)] == ["cover.png"]


def test_a_book_that_is_cut_off_keeps_the_words_before(tmp_path: Path) -> None:
    data = fiction_book()
    pieces = read(handler, data[: data.index(b"1812") + 4], tmp_path)
    assert pieces.text.startswith("Краткая повесть\nГлава 1\n")
    assert len(pieces.troubles) == 1


def test_a_book_without_a_word_before_its_damage_is_invalid(tmp_path: Path) -> None:
    data = fiction_book()
    assert isinstance(read(handler, data[: data.index(b"<title-info")], tmp_path).error, InvalidFile)


@pytest.mark.parametrize("part", ["=", "A"])
def test_a_damaged_picture_costs_that_picture(part: str, tmp_path: Path) -> None:
    pieces = read(handler, fiction_book(picture=part), tmp_path, embedded_images=True)
    assert ([lost.name for lost in pieces.of(Lost)], pieces.error) == (["cover.png"], None)
