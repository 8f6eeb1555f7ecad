"""Every comment stands behind the name of who made it."""

import struct
import warnings
from pathlib import Path

import pytest
from tests.support.office_files import odf, pptx, relations, row, slide, with_parts, xlsx
from tests.support.pieces import read, read_by_type

from redwell.handlers.sheets import spreadsheet
from redwell.handlers.slides import slides
from redwell.handlers.structures.compound_writer import Storage, write

pytestmark = pytest.mark.requirement("A7")

_PEOPLE = (
    '<Types><Override PartName="/{0}" ContentType="application/vnd.openxmlformats-officedocument.{1}"/>'
    '<Override PartName="/{2}" ContentType="application/vnd.{3}+xml"/></Types>'
)


def _with(data: bytes, parts: dict[str, str]) -> bytes:
    with warnings.catch_warnings(action="ignore"):  # the last of two parts with one name counts
        return with_parts(data, parts)


def test_comments_on_slides_old_and_new_and_answers_to_them_name_their_author(tmp_path: Path) -> None:
    main = "ppt/presentation.xml", "presentationml.presentation.main+xml"
    comments = (
        '<c><cm authorId="1"><text>Old</text></cm><cm authorId="2"><txBody><p><t>New</t></p></txBody>'
        '<replyLst><reply authorId="1"><p><t>Agreed</t></p></reply></replyLst></cm>'
        '<cm authorId="9"><text>?</text></cm></c>'
    )
    parts = {
        "[Content_Types].xml": _PEOPLE.format(*main, "ppt/authors.xml", "ms-powerpoint.authors"),
        "ppt/authors.xml": '<l><author id="1" name="Jane Roe"/><author id="2" name="John Doe"/></l>',
        "ppt/slides/_rels/slide0.xml.rels": relations(c="comments ../comments/c.xml"),
        "ppt/comments/c.xml": comments,
    }
    text = read(slides, _with(pptx([slide("Plan")], {}), parts), tmp_path).text
    assert text.splitlines() == ["Plan", "Jane Roe: Old", "John Doe: New", "Jane Roe: Agreed", "?"]


def test_a_damaged_list_of_authors_costs_no_comment(tmp_path: Path) -> None:
    main = "ppt/presentation.xml", "presentationml.presentation.main+xml"
    parts = {
        "[Content_Types].xml": _PEOPLE.format(*main, "ppt/authors.xml", "ms-powerpoint.authors"),
        "ppt/authors.xml": "<l",
        "ppt/slides/_rels/slide0.xml.rels": relations(c="comments ../comments/c.xml"),
        "ppt/comments/c.xml": '<c><cm authorId="1"><text>Why?</text></cm></c>',
    }
    assert read(slides, _with(pptx([slide("Plan")], {}), parts), tmp_path).text == "Plan\nWhy?\n"


def test_threaded_comments_of_a_workbook_name_their_author(tmp_path: Path) -> None:
    data = xlsx({"Rent": f"<sheetData>{row(1, 'Jan')}</sheetData>"})
    parts = {
        "[Content_Types].xml": (
            '<Types><Default Extension="xml" ContentType="application/xml"/>'
            '<Override PartName="/xl/workbook.xml" ContentType="spreadsheetml.sheet.main+xml"/>'
            '<Override PartName="/xl/worksheets/sheet1.xml" ContentType="spreadsheetml.worksheet+xml"/>'
            '<Override PartName="/xl/persons/p.xml" ContentType="application/vnd.ms-excel.person+xml"/>'
            '<Override PartName="/xl/t.xml" ContentType="application/vnd.ms-excel.threadedcomments+xml"/></Types>'
        ),
        "xl/persons/p.xml": '<l><person displayName="Jane Roe" id="{1}"/></l>',
        "xl/t.xml": '<l><threadedComment ref="A1" personId="{1}"><text>Too high</text></threadedComment></l>',
    }
    assert "Jane Roe: Too high\n" in read(spreadsheet, _with(data, parts), tmp_path).text


def test_comments_of_open_documents_name_their_author_and_deletions_do_not(tmp_path: Path) -> None:
    who = '<dc:creator xmlns:dc="d">Jane Roe</dc:creator><dc:date xmlns:dc="d">2024-05-06</dc:date>'
    body = (
        f"<text:tracked-changes><text:deletion><office:change-info>{who}</office:change-info><text:p>gone</text:p>"
        f"</text:deletion></text:tracked-changes><text:p>Rent<office:annotation>{who}<text:p>Why?</text:p>"
        "</office:annotation> due</text:p>"
    )
    text = read_by_type(odf(body, "application/vnd.oasis.opendocument.text"), tmp_path).text
    assert text == "[deleted: gone]\nRent due\nJane Roe: Why?\n"


def _doc(text: str, people: list[str], numbers: list[int]) -> bytes:
    header = bytearray(0x400)
    struct.pack_into("<HH", header, 0, 0xA5EC, 0xC1)
    raw = text.encode("utf-16-le")
    pieces = struct.pack("<II", 0, len(raw) // 2) + struct.pack("<HIH", 0, len(header), 0)
    clx = b"\x02" + struct.pack("<I", len(pieces)) + pieces
    names = b"".join(struct.pack("<H", len(name)) + name.encode("utf-16-le") for name in people)
    entries = bytes(4 * (len(numbers) + 1)) + b"".join(struct.pack("<20xH8x", number) for number in numbers)
    for place, start, size in (
        (0x01A2, 0, len(clx)),
        (0x01BA, len(clx), len(names)),
        (0xBA, len(clx) + len(names), len(entries)),
    ):
        struct.pack_into("<II", header, place, start, size)
    return write(Storage(streams={"WordDocument": bytes(header) + raw, "0Table": clx + names + entries}))


def test_comments_of_an_old_document_name_their_author_where_its_lists_agree(tmp_path: Path) -> None:
    text = "One\x05 two\x05\r\x05Why?\r\x05 Yes\r"
    named = read_by_type(_doc(text, ["Jane Roe", "John Doe"], [1, 0]), tmp_path).text
    assert named == "One two\nJohn Doe: Why?\nJane Roe: Yes\n"
    for people, numbers in ((["Jane Roe"], [0, 7]), (["Jane Roe"], [0])):
        assert read_by_type(_doc(text, people, numbers), tmp_path).text == "One two\nWhy?\n Yes\n"
