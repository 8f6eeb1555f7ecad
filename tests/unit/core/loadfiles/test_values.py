"""Numbers of pages, dates, columns and page lists."""

import tomllib
from datetime import date, datetime, time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redwell.core.errors import UserError
from redwell.core.loadfiles import bates
from redwell.core.loadfiles.dates import DateOrder, Order, is_blank, parse_date, parse_time
from redwell.core.loadfiles.fields import BY_ALIAS, FIELDS, plain
from redwell.core.loadfiles.formats import dii, lfp, opticon
from redwell.core.loadfiles.mapping import as_toml, from_table, propose
from redwell.core.loadfiles.pages import Boundary, Page, documents
from redwell.core.loadfiles.presets import PRESETS


@given(prefix=st.text("ABC-_. ", max_size=6), number=st.integers(0, 10**9), width=st.integers(1, 12))
def test_a_number_is_printed_as_it_was_read(prefix: str, number: int, width: int) -> None:
    text = f"{prefix}{number:0{width}d}".strip()
    found = bates.parse(text)
    assert found is not None
    assert str(found) == text
    assert found.plus(1).number == number + 1


@pytest.mark.parametrize(("first", "last", "pages"), [("A001", "A003", 3), ("A009", "A010", 2), ("A1_R", "A2_R", 2)])
def test_pages_are_counted_with_both_ends(first: str, last: str, pages: int) -> None:
    begin, end = bates.parse(first), bates.parse(last)
    assert begin and end
    assert bates.pages_between(begin, end) == pages
    assert bates.pages_between(end, begin) is None


def test_numbers_of_two_series_have_no_pages_between_them() -> None:
    a, b = bates.parse("ABC001"), bates.parse("ABD002")
    assert a and b
    assert bates.pages_between(a, b) is None
    assert bates.parse("no number") is None


@pytest.mark.parametrize(
    "text", ["ABC-001 - ABC-003", "ABC-001 \u2013 ABC-003", "ABC-001-ABC-003", "ABC-001 to ABC-003", "ABC-001;ABC-003"]
)
def test_ranges_are_written_in_many_ways(text: str) -> None:
    assert bates.parse_range(text) == ("ABC-001", "ABC-003")


def test_a_single_number_is_a_range_of_one() -> None:
    assert bates.parse_range("ABC-001") == ("ABC-001", "ABC-001")
    assert bates.parse_range("  ") is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("5/21/2001 3:48 PM", datetime(2001, 5, 21, 15, 48)),
        ("20010521", date(2001, 5, 21)),
        ("2001-05-21T15:48:03Z", datetime(2001, 5, 21, 15, 48, 3)),
        ("05-21-2001", date(2001, 5, 21)),
        ("21.05.2001", None),
        ("May 21, 2001", date(2001, 5, 21)),
        ("21-May-2001", date(2001, 5, 21)),
        ("2/30/2001", None),
        ("13/13/2001", None),
        ("yesterday", None),
        ("5/21/2001 25:00", None),
    ],
)
def test_dates_of_every_form_are_read(text: str, expected: date | None) -> None:
    assert parse_date(text) == expected


def test_the_order_of_day_and_month_is_the_columns() -> None:
    assert parse_date("21.05.2001", Order.DAY_FIRST) == date(2001, 5, 21)
    order = DateOrder()
    order.see("01/02/2003", 2)
    assert order.assumed
    order.see("21/05/2001", 3)
    assert (order.order, order.mixed, order.assumed) == (Order.DAY_FIRST, False, False)
    order.see("05/21/2001", 9)
    assert order.mixed
    assert "row 3" in order.reason


@pytest.mark.parametrize(
    ("text", "expected"),
    [("3:48 PM", time(15, 48)), ("12:00 am", time(0)), ("15:48:03", time(15, 48, 3)), ("13:00 PM", None), ("x", None)],
)
def test_times_are_read(text: str, expected: time | None) -> None:
    assert parse_time(text) == expected


def test_no_date_is_written_in_many_ways() -> None:
    assert all(map(is_blank, ["", "00/00/0000", "0"]))
    assert not is_blank("1/1/2001")


def test_no_alias_belongs_to_two_fields() -> None:
    for name, field in FIELDS.items():
        assert [alias for alias in (name, *field.aliases.split()) if BY_ALIAS[plain(alias)] != name] == []


def test_a_mapping_is_proposed_edited_and_read_back() -> None:
    header = ["Beg Doc #", "ENDDOC#", "Custodian", 'Odd "name"\t', "BEGBATES", "", "FILE_PATH"]
    proposed = propose(header, ["A1", "A2", "Ann", "", "", "", ".\\N\\A1.pdf"])
    assert [column.field for column in proposed.columns] == [
        *("begbates", "endbates", "custodian", "", "", "", "nativepath")
    ]
    assert proposed.columns[4].reason == "column 1 is begbates already"
    assert proposed.id_field == "begbates"
    edited = as_toml(proposed).replace('"column 6" = ""', '"column 6" = "title"')
    back = from_table(tomllib.loads(edited), header)
    assert back.fields == {"begbates": 0, "endbates": 1, "custodian": 2, "title": 5, "nativepath": 6}


def test_two_columns_of_one_name_are_told_apart_in_a_mapping() -> None:
    header = ["Odd", "Odd", "DOCID"]
    table = tomllib.loads(as_toml(propose(header)).replace('"Odd (column 2)" = ""', '"Odd (column 2)" = "title"'))
    assert from_table(table, header).fields == {"title": 1, "docid": 2}


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ({}, "no .columns."),
        ({"columns": {"Z": "docid"}}, "no column of the load file"),
        ({"columns": {"A": "wibble"}}, "'wibble'"),
        ({"columns": {"A": "docid", "B": "docid"}}, "two columns"),
    ],
)
def test_a_mapping_that_does_not_fit_is_refused_by_name(table: dict[str, object], words: str) -> None:
    with pytest.raises(UserError, match=words):
        from_table(table, ["A", "B"])


PAGES = [
    Page(key="A001", volume="V1", path="IMAGES\\001\\A001.TIF", boundary=Boundary.DOCUMENT, count=2, row=1),
    Page(key="A002", volume="V1", path="IMAGES\\001\\A002.TIF", row=2),
    Page(key="A003", volume="V1", path="IMAGES\\001\\A,3.TIF", boundary=Boundary.BOX, count=1, row=3),
]


def test_opticon_is_read_as_written() -> None:
    assert list(opticon.read_pages("".join(map(opticon.write_page, PAGES)).split("\n"))) == PAGES
    assert [[page.key for page in found] for found in documents(PAGES)] == [["A001", "A002"], ["A003"]]


def test_a_path_with_a_bare_comma_is_put_together_and_told() -> None:
    (page,) = opticon.read_pages(["A1,V,I\\a,b.tif,Y,,,1"])
    assert (page.path, page.count, page.faults) == ("I\\a,b.tif", 1, (("page-columns", 8),))


def test_columns_that_an_opticon_file_leaves_out_are_empty_and_told() -> None:
    first, second = opticon.read_pages(["A1,V,I\\a.tif,Y,2", "A2,V,I\\b.tif,"])
    assert (first.boundary, first.count, first.faults) == (Boundary.DOCUMENT, 2, (("page-columns", 5),))
    assert (second.boundary, second.count, second.faults) == (Boundary.PAGE, None, (("page-columns", 4),))


def test_lfp_is_read_as_written() -> None:
    pages = [
        Page(key="A001", volume="V1", path="IMG\\A001.TIF", boundary=Boundary.DOCUMENT, type="2", row=1),
        Page(key="A002", volume="V1", path="IMG\\A.PDF", boundary=Boundary.CHILD, offset=2, type="5", rotate=1, row=2),
    ]
    text = "".join(map(lfp.write_page, pages))
    assert text.startswith("IM,A001,D,0,@V1;IMG;A001.TIF;2\r\n")
    assert list(lfp.read_pages(text.split("\n"))) == pages


def test_lfp_passes_over_other_commands_and_names_what_is_none() -> None:
    found = list(lfp.read_pages(["##x", "FD,1,A001,x", "IM,A001,D,0,A001.TIF;2", "??", "IM,A"]))
    assert [(page.key, page.path, bool(page.faults)) for page in found] == [
        ("A001", "A001.TIF", False),
        ("", "", True),
        ("A", "", True),
    ]


def test_dii_is_read_as_written_and_common_fields_hold_for_all() -> None:
    text = "; c\r\n@C HASIMAGE YES\r\n@T A1\r\n@C CUSTODIAN Lee, Ann\r\n@D @I\\IMG\r\nA1.TIF\r\nA2.TIF\r\n@T A3\r\n"
    first, second = dii.read_records(text.split("\n"))
    assert first.fields == {"HASIMAGE": "YES", "CUSTODIAN": "Lee, Ann"}
    assert (first.folder, first.images, second.id) == ("@I\\IMG", ["A1.TIF", "A2.TIF"], "A3")
    (again,) = dii.read_records(dii.write_record(first).split("\n"))
    assert (again.fields, again.images) == (first.fields, first.images)


def test_dii_keeps_mail_bodies_and_tells_one_that_does_not_end() -> None:
    text = "@T A1\n@EMAIL-BODY\nHello\n@home\n@EMAIL-END\n@EATTACH x\n@EATTACH y\n@T A2\n@EMAIL-BODY\nlost"
    first, second = dii.read_records(text.split("\n"))
    assert first.fields == {"EMAIL-BODY": "Hello\n@home", "EATTACH": "x;y"}
    assert second.faults == [("token-not-closed", 8)]


def test_presets_write_dates_and_paths_as_their_readers_want_them() -> None:
    when = datetime(2001, 5, 21, 15, 48)
    assert PRESETS["relativity"].dated(when) == ("05/21/2001 03:48 PM", "")
    assert PRESETS["concordance"].dated(when) == ("20010521", "15:48:00")
    assert PRESETS["relativity"].path("VOL001", "TEXT", "A1.txt") == ".\\VOL001\\TEXT\\A1.txt"
    assert PRESETS["nextpoint"].path("TEXT", "A1.txt") == "TEXT/A1.txt"
