"""Rows of an overlay: by id, under the names that metadata has; what they leave alone, and the texts that they name."""

import pytest

from redwell.core.errors import UserError
from redwell.core.loadfiles.given_text import text_of
from redwell.core.loadfiles.overlay import OverlayFile, new_values
from redwell.core.loadfiles.records.record_files import LoadFile

pytestmark = pytest.mark.requirement("A13")


def overlay(text: str, name: str = "o.csv", **more: bool) -> OverlayFile:
    return OverlayFile(LoadFile(name, lambda: iter([text.encode()])), **more)


def test_a_row_has_the_fields_under_the_names_of_metadata() -> None:
    [row] = overlay("BegBates,EndBates,Date Sent,To,Review Status\r\nA1,A3,31/12/2001,a@b; c@d,Hot\r\n")
    assert row.id == "A1"
    assert row.values == {
        "endbates": "A3",
        "bates": "A1 - A3",
        "date": "2001-12-31",
        "date_raw": "31/12/2001",
        "to": ["a@b", "c@d"],
        "review_status": "Hot",
    }


def test_natives_pages_and_families_are_left_alone_and_told_and_a_text_is_named() -> None:
    found = overlay("DocID,ParentID,TextPath,Native Path,Custodian\r\nA1,A0,t.txt,n.doc,Lee\r\n")
    assert found.left_out == ["parentid", "nativepath"]
    assert [(row.values, row.text) for row in found] == [({"custodian": "Lee"}, "t.txt")]


def test_an_empty_value_changes_nothing_unless_it_is_to_clear_the_field() -> None:
    text = "DocID,Custodian,Review Status\r\nA1,,Hot\r\n"
    assert [row.values for row in overlay(text)] == [{"review_status": "Hot"}]
    assert [row.values for row in overlay(text, clears=True)] == [{"custodian": None, "review_status": "Hot"}]


@pytest.mark.parametrize("text", ["Custodian,Status\r\nLee,Hot\r\nRoe,Cold\r\n", "A,VOL,a.tif,Y,,,1\r\n"])
def test_a_file_without_an_id_is_refused(text: str) -> None:
    with pytest.raises(UserError):
        overlay(text)


def test_only_what_is_not_so_already_is_new() -> None:
    assert new_values({"a": "1", "b": ["x"]}, {"a": "1", "b": ["x"], "c": None, "d": "2"}) == [("d", None, "2")]


@pytest.mark.parametrize(
    "data",
    [
        "Zürich\nþ".encode(),
        "\ufeffZürich\r\nþ".encode(),
        "\ufeffZürich\rþ".encode("utf-16-le"),
        "Zürich\0\r\nþ".encode("cp1252"),
    ],
    ids=["utf-8", "marked", "utf-16", "cp1252"],
)
def test_a_given_text_has_the_same_characters_in_every_encoding(data: bytes) -> None:
    assert text_of(data) == "Zürich\nþ"
