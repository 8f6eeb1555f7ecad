"""Records of volumes whose load files are LFP, DII and EDRM XML: ids, families, pages and texts."""

import hashlib

import pytest

from redwell.core.loadfiles.formats.edrm import EdrmDocument, write_documents
from redwell.core.loadfiles.formats.lfp import write_page
from redwell.core.loadfiles.inventory import Inventory
from redwell.core.loadfiles.pages import Boundary, Page
from redwell.core.loadfiles.records.record_document import RecordDocument
from redwell.core.loadfiles.records.record_files import LoadFile
from redwell.core.loadfiles.volume_document import Told, VolumeFile
from redwell.handlers.loadfiles.records import Records

pytestmark = pytest.mark.requirement("A13")


def records(load_files: dict[str, bytes], *paths: str) -> tuple[list[RecordDocument], Records, Inventory]:
    files = [VolumeFile(path, 1, hashlib.sha256(path.encode()).hexdigest()) for path in [*paths, *load_files]]
    opened = [LoadFile(name, lambda data=data: iter([data])) for name, data in load_files.items()]
    inventory = Inventory(files, "VOL001", list(load_files))
    found = Records(sorted(opened, key=lambda each: each.has_pages), inventory, Told(name="VOL001"))
    return list(found), found, inventory


def pages(record: RecordDocument) -> list[tuple[str, int, str]]:
    return [(part.name, part.number, part.key) for part in record.body.pages]


def parts(record: RecordDocument) -> list[tuple[str, str]]:
    return [(part.role, part.name) for part in record.parts]


def test_an_lfp_alone_gives_documents_with_their_pages_and_a_child_below_the_one_before() -> None:
    lfp = (
        b"## made by hand\r\nVN,VOL001\r\n"
        b"IM,A001,D,0,@VOL001;IMAGES\\001;A001.TIF;2\r\nIM,A002, ,0,@VOL001;IMAGES\\001;A002.JPG;4,1\r\n"
        b"IM,A003,C,1,@VOL001;IMAGES\\001;A003.PDF;5,0\r\nIM,A004,,2,@VOL001;IMAGES\\001;A003.PDF;5,0\r\n"
        b"IM,A005,D,0,A005.TIF;2\r\nIO,note\r\n"
    )
    images = [f"IMAGES/001/{name}" for name in ("A001.TIF", "A002.JPG", "A003.PDF")]
    found, all_of_it, inventory = records({"VOL001.lfp": lfp}, *images, "A005.TIF")
    assert [each.body.id for each in found] == ["A001", "A005"]
    assert pages(found[0]) == [(images[0], 0, "A001"), (images[1], 0, "A002")]
    assert found[0].body.pages[1].turn == 1
    [child] = found[0].body.attached
    assert pages(child) == [(images[2], 1, "A003"), (images[2], 2, "A004")]
    assert pages(found[1]) == [("A005.TIF", 0, "A005")]
    assert all_of_it.figures()["volume_records"] == 3 and inventory.asked == inventory.found == 4


def test_an_lfp_of_our_own_gives_a_dats_records_their_pages() -> None:
    dat = "þBEGBATESþ\x14þENDBATESþ\r\nþA1þ\x14þA2þ\r\n".encode()
    lfp = "".join(
        write_page(Page(key=key, volume="V", path=f"IMAGES\\{key}.TIF", row=1, boundary=boundary, type="2"))
        for key, boundary in (("A1", Boundary.DOCUMENT), ("A2", Boundary.PAGE))
    )
    [found], _, _ = records({"V.dat": dat, "V.lfp": lfp.encode()}, "IMAGES/A1.TIF", "IMAGES/A2.TIF")
    assert (found.body.id, pages(found)) == ("A1", [("IMAGES/A1.TIF", 0, "A1"), ("IMAGES/A2.TIF", 0, "A2")])


def test_a_dii_gives_fields_images_texts_beside_them_and_families() -> None:
    dii = (
        b"; by hand\r\n@FULLTEXT DOC\r\n@C HASIMAGE YES\r\n"
        b"@T E001\r\n@C BEGDATE 05/21/2001\r\n@C AUTHOR Lee, Ann\r\n@ATTACH E003\r\n"
        b"@D @I\\IMAGES\\01\r\nE001.TIF\r\nE002.TIF\r\n"
        b"@T E003\r\n@PARENTID E001\r\n@EDOC NATIVES\\E003.XLS\r\n@D @V VOL001:\\IMAGES\\01\r\nE003.TIF\r\n"
        b"@T E004\r\n@FROM a@b.c\r\n@EMAIL-BODY\r\nhello\r\nthere\r\n@EMAIL-END\r\n"
    )
    files = [*(f"IMAGES/01/E00{n}.TIF" for n in (1, 2, 3)), "IMAGES/01/E001.TXT", "NATIVES/E003.XLS"]
    found, _, inventory = records({"load.dii": dii}, *files)
    first, last = found
    assert (first.body.id, first.body.values["author"], first.body.others["HASIMAGE"]) == ("E001", "Lee, Ann", "YES")
    assert [name for name, _, _ in pages(first)] == ["IMAGES/01/E001.TIF", "IMAGES/01/E002.TIF"]
    assert parts(first) == [("text", "IMAGES/01/E001.TXT")]
    [attached] = first.body.attached
    assert (attached.body.id, parts(attached)) == ("E003", [("native", "NATIVES/E003.XLS")])
    assert not first.body.troubles and not attached.body.troubles
    assert (last.body.values["from"], last.body.said) == ("a@b.c", "hello\nthere")
    assert len(inventory.named) == len(files)


def test_a_dii_with_text_for_each_page_gives_them_in_order() -> None:
    dii = b"@FULLTEXT PAGE\r\n@T E1\r\n@D @I\\I\r\nE1.TIF\r\nE2.TIF\r\n"
    [found], _, _ = records({"a.dii": dii}, "I/E1.TIF", "I/E2.TIF", "I/E1.TXT", "I/E2.txt")
    assert parts(found) == [("text", "I/E1.TXT"), ("text", "I/E2.txt")]


def test_edrm_xml_gives_files_tags_places_and_only_attachments_are_families() -> None:
    xml = b"""<?xml version="1.0" encoding="UTF-8"?><Root DataInterchangeType="Update"><Batch><Documents>
    <Document DocID="d1" DocType="Message" MimeType="message/rfc822"><Files>
     <File FileType="Native"><ExternalFile FilePath="NATIVES" FileName="d1.msg" FileSize="9" Hash="00ff"/></File>
     <File FileType="Text"><ExternalFile FileName="TEXT\\d1.txt"/></File></Files>
     <Locations><Location><Custodian>Lee, Ann</Custodian><LocationURI>//mail/inbox</LocationURI></Location></Locations>
     <Tags><Tag TagName="#Subject" TagValue="A &amp; B" TagDataType="Text"/>
     <Tag TagName="#DateSent" TagValue="2001-05-21T15:48:00Z" TagDataType="DateTime"/></Tags></Document>
    <Document DocID="d2"/><Document DocID="d3"/><Document DocID="d2"/></Documents>
    <Relationships><Relationship Type="Attachment" ParentDocID="d1" ChildDocID="d2"/>
    <Relationship Type="NearDuplicate" ParentDocID="d1" ChildDocID="d3"/></Relationships></Batch></Root>"""
    found, all_of_it, _ = records({"edrm.xml": xml}, "NATIVES/d1.msg", "TEXT/d1.txt")
    first = found[0].body
    assert [each.body.id for each in found] == ["d1", "d3", "d2"] and [e.body.id for e in first.attached] == ["d2"]
    assert parts(found[0]) == [("native", "NATIVES/d1.msg"), ("text", "TEXT/d1.txt")]
    assert (first.values["subject"], first.dates["datesent"]) == ("A & B", "2001-05-21T15:48:00Z")
    assert (first.values["custodian"], first.values["filepath"]) == ("Lee, Ann", "//mail/inbox")
    assert all_of_it.figures()["volume_rows"] == all_of_it.figures()["volume_records"] == 4


def test_edrm_xml_of_our_own_comes_in_as_it_was() -> None:
    fields = {"nativepath": "NATIVES\\a.doc", "subject": "þ\n®", "Review Status": "Hot", "custodian": "Lee"}
    xml = "".join(write_documents([EdrmDocument(id="a", fields=fields), EdrmDocument(id="b", parent="a")]))
    [found], _, _ = records({"v.xml": xml.encode()}, "NATIVES/a.doc")
    assert {**found.body.values, **found.body.others} == {"docid": "a", **fields}
    assert [each.body.id for each in found.body.attached] == ["b"]


def test_a_table_that_says_the_same_records_again_is_not_read_twice() -> None:
    dat = "þDOCIDþ\x14þSUBJECTþ\r\nþA1þ\x14þoneþ\r\nþA2þ\x14þþ\r\n".encode()
    csv = b'docid,subject\r\n"A2",""\r\n"A1","one"\r\n'
    xml = "".join(write_documents([EdrmDocument(id=each, parent="", fields={}) for each in ("A1", "A2")])).encode()
    found, all_of_it, _ = records({"V.csv": csv, "V.dat": dat, "V.xml": xml})
    assert [each.body.id for each in found] == ["A1", "A2"]
    assert all_of_it.repeated == {"V.csv": "V.dat", "V.xml": "V.dat"} and all_of_it.figures()["volume_rows"] == 2


@pytest.mark.parametrize(
    ("name", "csv"),
    [
        ("V.csv", b"docid,subject\r\nA1,one\r\nA3,three\r\n"),  # another record
        ("V.csv", b"docid,subject,custodian\r\nA1,one,Lee\r\nA2,,Lee\r\n"),  # another field
        ("coding.csv", b"docid,subject\r\nA1,one\r\nA2,two\r\n"),  # another name
    ],
)
def test_a_table_that_says_anything_else_is_read(name: str, csv: bytes) -> None:
    dat = "þDOCIDþ\x14þSUBJECTþ\r\nþA1þ\x14þoneþ\r\nþA2þ\x14þþ\r\n".encode()
    _, all_of_it, _ = records({"V.dat": dat, name: csv})
    assert all_of_it.repeated == {} and all_of_it.figures()["volume_rows"] == 4


def test_a_pdf_that_no_page_file_lists_has_the_pages_that_the_record_says() -> None:
    table = b"docid,pgcount,imagepath\r\nA1,2,IMAGES/A1.pdf\r\nA3,1,IMAGES/A3.pdf\r\nA4,5,IMAGES/A4.tif\r\n"
    found, _, inventory = records({"V.csv": table}, "IMAGES/A1.pdf", "IMAGES/A3.pdf", "IMAGES/A4.tif")
    assert [[number for _, number, _ in pages(each)] for each in found] == [[1, 2], [0], [0]]
    assert inventory.asked == inventory.found == 3


def dat(*rows: str) -> bytes:
    """Rows with `|` between values, as Concordance writes them."""
    return "".join("\x14".join(f"þ{value}þ" for value in row.split("|")) + "\r\n" for row in rows).encode()


@pytest.mark.parametrize(
    ("header", "rows"),
    [
        ("BEGBATES|ATTACHRANGE", ("A1|A1 - A2", "A2|A1 - A2", "A3|")),
        ("DOCID|Group Identifier", ("A1|A1", "A2|A1", "A3|A3")),
        ("DOCID|Group Identifier", ("A1|77f0", "A2|77f0", "A3|81aa")),
    ],
)
def test_families_are_known_by_their_range_and_by_their_id(header: str, rows: tuple[str, ...]) -> None:
    first, last = records({"V.dat": dat(header, *rows)})[0]
    assert [each.body.id for each in first.body.attached] == ["A2"]
    assert (first.body.id, last.body.id, last.body.attached) == ("A1", "A3", [])


def test_a_file_is_looked_for_near_its_load_file_and_in_the_volume_that_its_row_names() -> None:
    one, other = dat("DOCID|TEXTPATH", "A1|TEXT\\1.txt"), dat("DOCID|TEXTPATH", "A2|..\\TEXT\\1.txt")
    found, _, _ = records({"V1/DATA/a.dat": one, "V2/DATA/b.dat": other}, "V1/TEXT/1.txt", "V2/TEXT/1.txt")
    assert [parts(each) for each in found] == [[("text", "V1/TEXT/1.txt")], [("text", "V2/TEXT/1.txt")]]
    opt = b"A1,V2,IMAGES\\1.tif,Y,,,1\r\n"
    [found_one], _, _ = records({"DATA/a.opt": opt}, "V1/IMAGES/1.tif", "V2/IMAGES/1.tif")
    assert pages(found_one) == [("V2/IMAGES/1.tif", 0, "A1")]


def test_of_two_names_that_differ_in_case_the_one_that_is_written_is_meant() -> None:
    found, _, _ = records({"V.dat": dat("DOCID|TEXTPATH", "A1|T\\A.txt", "A2|T\\a.TXT")}, "T/A.txt", "T/a.TXT")
    assert [parts(each) for each in found] == [[("text", "T/A.txt")], [("text", "T/a.TXT")]]


def test_a_part_of_a_split_file_has_the_columns_of_the_other() -> None:
    one, other = dat("BEGBATES|ENDBATES|TITLE", "A1|A1|one"), dat("A2|A2|two", "A3|A3|three")
    found, all_of_it, _ = records({"V_1.dat": one, "V_2.dat": other})
    assert [(each.body.id, each.body.values["title"]) for each in found] == [
        ("A1", "one"),
        ("A2", "two"),
        ("A3", "three"),
    ]
    assert all_of_it.figures()["volume_rows"] == 3


def test_a_text_may_stand_in_the_load_file_itself_or_be_called_like_the_record_or_its_pages() -> None:
    table = dat("BEGBATES|ENDBATES|Extracted Text", "A1|A1|Dear Ann,®yours", "A2|A3|", "A4|A4|TEXT\\gone.txt")
    opt = b"A2,,I\\A2.tif,Y,,,2\r\nA3,,I\\A3.tif,,,,\r\n"
    files = ["I/A2.tif", "I/A3.tif", "T/A2.txt", "T/A3.txt"]
    found, _, inventory = records({"V.dat": table, "V.opt": opt}, *files)
    assert (found[0].body.said, found[0].body.troubles) == ("Dear Ann,\nyours", [])
    assert (parts(found[1]), found[1].body.text_by_name) == ([("text", "T/A2.txt"), ("text", "T/A3.txt")], True)
    assert [detail for _, detail in found[2].body.troubles] == ["its text TEXT\\gone.txt: not in the volume"]
    assert len(inventory.named) == len(files)


def test_rows_that_no_id_tells_apart_and_pages_that_are_lacking_are_told_on_their_record() -> None:
    opt = b"A1,,I\\A1.tif,Y,,,1\r\n"
    table = dat("BEGBATES|ENDBATES|TITLE", "A1|A3|one", "A1|A1|again", "||none")
    found, _, _ = records({"V.dat": table, "V.opt": opt}, "I/A1.tif")
    assert [[detail for _, detail in each.body.troubles] for each in found] == [
        ["its numbers are those of 3 pages, and 1 were given"],
        ["another row has the same id A1"],
        ["the record has no id"],
    ]


def test_a_pdf_that_only_its_row_names_has_the_pages_of_its_numbers() -> None:
    [found], _, _ = records({"V.dat": dat("BEGBATES|ENDBATES|PDFPATH", "A1|A3|I\\A1.pdf")}, "I/A1.pdf")
    assert [part.number for part in found.body.pages] == [1, 2, 3]


def test_a_file_inside_of_the_xml_is_named_as_not_taken_out() -> None:
    inside = '<File FileType="Native"><InlineContent>SGk=</InlineContent></File>'
    xml = f'<Root><Batch><Documents><Document DocID="d1"><Files>{inside}</Files></Document></Documents></Batch></Root>'
    [found], _, _ = records({"V.xml": xml.encode()})
    assert "native stands inside" in found.body.troubles[0][1]
