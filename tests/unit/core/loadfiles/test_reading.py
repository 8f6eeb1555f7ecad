"""Rows, encodings and signs of load files as other programs write and damage them."""

import pytest

from redwell.core.errors import InvalidFile
from redwell.core.loadfiles.formats.dialect import COMMA, CONCORDANCE, Dialect
from redwell.core.loadfiles.formats.encodings import decoded, find_encoding, given, has_strays, looks_misread, repaired
from redwell.core.loadfiles.formats.rows import Fault, Row, Rows
from redwell.core.loadfiles.formats.sniff import LoadFileKind, find_dialect, kind_of
from redwell.core.loadfiles.lines import Lines


def rows(text: str, dialect: Dialect = CONCORDANCE, width: int = 0) -> list[Row]:
    return list(Rows(Lines([text]), dialect, width))


def test_line_breaks_and_separators_inside_enclosed_values_are_values() -> None:
    found = rows("þa\r\nb\x14cþ\x14þ2þ\r\nþ3þ\x14þ4þ\r\n")
    assert [(row.line, row.values) for row in found] == [(1, ["a\r\nb\x14c", "2"]), (3, ["3", "4"])]


def test_values_need_not_be_enclosed() -> None:
    assert rows("A1\x14þtwo wordsþ\x14\r\n")[0].values == ["A1", "two words", ""]


def test_a_sign_stands_for_a_line_break() -> None:
    assert rows("þa®bþ\x14þc\nd®eþ\n")[0].values == ["a\nb", "c\nd\ne"]


def test_a_value_that_is_never_closed_costs_its_row_alone() -> None:
    found = rows("þ1þ\x14þopen\r\nþ2þ\x14þbþ\r\nþ3þ\x14þcþ\r\n", width=2)
    assert [row.values for row in found] == [["1", "open"], ["2", "b"], ["3", "c"]]
    assert found[0].faults == ((Fault.UNCLOSED, 2),)


def test_a_value_that_is_open_at_the_end_of_the_file_gives_its_lines_back() -> None:
    found = rows('1,"open\n2,b\n3,c\n', COMMA, 2)
    assert [row.values for row in found] == [["1", "open"], ["2", "b"], ["3", "c"]]
    assert [row.line for row in found] == [1, 2, 3]


def test_two_values_that_a_missing_qualifier_joined_are_parted() -> None:
    found = rows("þa\x14þbþ\x14þcþ\n")[0]
    assert found.values == ["a", "b", "c"]
    assert (Fault.UNCLOSED, 1) in found.faults


def test_qualifiers_inside_values_stay_and_are_told() -> None:
    found = rows("þGunnþórþ\x14xþ\n")[0]
    assert found.values == ["Gunnþór", "xþ"]
    assert found.faults == ((Fault.INSIDE, 1), (Fault.INSIDE, 2))


def test_blank_lines_are_told_and_no_rows() -> None:
    assert [(row.values, row.faults) for row in rows("a\n\r\nb\n")][1] == ([], ((Fault.BLANK_LINE, 0),))


def test_a_file_full_of_open_qualifiers_is_given_up() -> None:
    with pytest.raises(InvalidFile, match="is it the qualifier"):
        rows('"a\n' * 2_000, COMMA)


def test_only_line_feeds_end_lines() -> None:
    text = "a\u2028b\x0c\x85c\nd"
    lines = Lines([text[:3], text[3:]])
    assert list(lines) == ["a\u2028b\x0c\x85c", "d"]
    assert lines.unended


@pytest.mark.parametrize(
    ("data", "encoding", "reason"),
    [
        (b"\xef\xbb\xbf\xc3\xbea", "utf-8", "mark"),
        (b"\xff\xfe\xfe\0a\0", "utf-16-le", "mark"),
        (b"\xfe\xff\0\xfe\0a", "utf-16-be", "mark"),
        (b"\xfe\0A\0\xfe\0", "utf-16-le", "no mark"),
        (b"\0\xfe\0A\0\xfe", "utf-16-be", "no mark"),
        (b"A\0B\0C\0D\0", "utf-16-le", "zero"),
        (b"\xc3\xbeA\xc3\xbe", "utf-8", "valid UTF-8"),
        (b"\xfeA\xfe", "cp1252", "not valid UTF-8"),
        (b"\xc3\xbeA\xc3\xbe\r\n\xc3\xbeM\xfcller\xc3\xbe", "utf-8", "not every byte"),
        (b"plain", "utf-8", "ASCII"),
        (b"", "utf-8", "ASCII"),
    ],
)
def test_an_encoding_is_found_and_its_reason_told(data: bytes, encoding: str, reason: str) -> None:
    found = find_encoding([data[:3], data[3:]] if len(data) > 8 else [data])
    assert found.encoding == encoding
    assert reason in found.reason


def test_bytes_that_are_no_letters_are_kept_and_can_be_mended() -> None:
    data = "þMüllerþ".encode() + b" M\xfcller"
    text = "".join(decoded([data], find_encoding([data])))
    assert has_strays(text)
    assert repaired(text) == "þMüllerþ Müller"
    assert not has_strays("Müller")


def test_an_encoding_may_be_given() -> None:
    told = given("UTF-16LE", b"\xff\xfea\0")
    assert "".join(decoded([b"\xff\xfea\0"], told)) == "a"


def test_utf8_read_as_cp1252_is_noticed() -> None:
    assert looks_misread("Müller".encode().decode("cp1252"))
    assert not looks_misread("Müller, Ångström")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("A001,VOL,IMAGES\\A001.TIF,Y,,,2\r\nA002,VOL,IMAGES\\A002.TIF,,,,\r\n", LoadFileKind.OPTICON),
        ("A001,VOL,IMAGES\\A001.tif,Y,1\nA002,VOL,IMAGES\\A002.tif,Y,1\n", LoadFileKind.OPTICON),
        ("A001,VOL,IMAGES\\A001.jpg,Y\nA002,VOL,IMAGES\\A002.jpg,\n", LoadFileKind.OPTICON),
        ("A001,Smith,NATIVES\\A001.tif,\nA002,Smith,NATIVES\\A002.tif,\n", LoadFileKind.DELIMITED),
        ("IM,A001,D,0,@VOL;IMAGES;A001.TIF;2\r\n", LoadFileKind.LFP),
        ("; made by us\r\n@C HASIMAGE YES\r\n@T A001\r\n", LoadFileKind.DII),
        ('<?xml version="1.0"?><Root/>', LoadFileKind.EDRM),
        ("þBEGBATESþ\x14þENDBATESþ\r\n", LoadFileKind.DELIMITED),
        ("id,path\n1,a.tif\n", LoadFileKind.DELIMITED),
    ],
)
def test_a_load_file_is_known_by_its_first_lines(text: str, kind: LoadFileKind) -> None:
    assert kind_of(text) is kind


@pytest.mark.parametrize(
    ("text", "separator", "qualifier", "header"),
    [
        ("þDOCIDþ\x14þCUSTODIANþ\n", "\x14", "þ", True),
        ("þDOCIDþ,þCUSTODIANþ\n", ",", "þ", True),
        ("DOCID\x14CUSTODIAN\nA1\x14þLee, Annþ\n", "\x14", "þ", True),
        ("Control Number|Custodian|Title\n^A|1^|Ann|x\n^A|2^|Ann|y\n", "|", "^", True),
        ("docid\tcustodian\nA1\tAnn\n", "\t", '"', True),
        ('docid,title\nA1,"a, b"\nA2,c\n', ",", '"', True),
        ("A0001|Ann|.\\TEXT\\A0001.txt\n", "|", "", False),
        ('"DOCID","SUBJECT"\n"A1","so \\"called\\" x"\n', ",", '"', True),
        ("DOCID\nA1\n", ",", '"', True),
    ],
)
def test_signs_and_header_are_found(text: str, separator: str, qualifier: str, header: bool) -> None:
    found = find_dialect(text)
    assert (found.dialect.separator, found.dialect.qualifier, found.header) == (separator, qualifier, header)
    assert set(found.reasons) == {"separator", "qualifier", "newline", "record end", "header"}
    assert all(found.reasons.values())


def test_backslashed_quotes_are_found_and_undone() -> None:
    text = '"DOCID","SUBJECT"\n"A1","so \\"called\\" x"\n'
    found = find_dialect(text).dialect
    assert found.escape == "backslash"
    assert rows(text, found)[1].values == ["A1", 'so "called" x']
