"""OpenDocument texts and drawings, StarOffice's, flat ones, and Word's single-file XML."""

from pathlib import Path

import pytest
from tests.support.office_files import odf
from tests.support.pieces import read

from redwell.core.errors import InvalidFile, PasswordProtected
from redwell.core.handler import Pages
from redwell.core.outcomes import Code
from redwell.handlers.office import office
from redwell.handlers.slides import slides
from redwell.handlers.word import word

pytestmark = pytest.mark.requirement("A6")

TEXT = "application/vnd.oasis.opendocument.text"
DRAWING = "application/vnd.oasis.opendocument.graphics"
SLIDES = "application/vnd.oasis.opendocument.presentation"


def test_paragraphs_spaces_tabs_and_notes_are_placed_as_a_reader_sees_them(tmp_path: Path) -> None:
    note = "<text:note><text:note-body><text:p>The note.</text:p></text:note-body></text:note>"
    first = f"<text:p>One<text:s/>two<text:tab/>three{note}\n  four</text:p>"
    body = f"<office:text>{first}<text:h>Next</text:h></office:text>"
    assert read(office, odf(body, TEXT), tmp_path).text == "One two\tthree four\nThe note.\nNext\n"


def test_page_headers_come_from_the_styles(tmp_path: Path) -> None:
    styles = (
        '<s xmlns:style="s" xmlns:text="t"><style:master-page><style:header><text:p>Draft</text:p></style:header>'
        "</style:master-page><text:p>no text</text:p></s>"
    )
    pieces = read(office, odf("<office:text><text:p>Body</text:p></office:text>", TEXT, styles_xml=styles), tmp_path)
    assert pieces.text == "Draft\nBody\n"


def test_properties_have_plain_names_and_a_zoneless_date_stays_zoneless(tmp_path: Path) -> None:
    values = read(office, odf("<office:text/>", TEXT), tmp_path).metadata
    assert (values["title"], values["author"], values["last_modified_by"]) == ("Lease", "Jane Roe", "John Doe")
    assert (values["created"], values["created_raw"]) == ("2020-03-04T05:06:07", "2020-03-04T05:06:07.123")


def test_comments_and_deletions_are_text_and_flags(tmp_path: Path) -> None:
    change = "<text:tracked-changes><text:deletion><text:p>old</text:p></text:deletion></text:tracked-changes>"
    comment = "<office:annotation><text:p>why?</text:p></office:annotation>"
    pieces = read(office, odf(f"<office:text>{change}<text:p>new{comment}</text:p></office:text>", TEXT), tmp_path)
    assert pieces.text == "[deleted: old]\nnew\nwhy?\n"
    assert pieces.metadata["has_comments"] and pieces.metadata["has_tracked_changes"]


@pytest.mark.parametrize(("handler", "media_type"), [(office, DRAWING), (slides, SLIDES)])
def test_drawing_pages_and_slides_are_counted_and_their_boxes_read_in_order(
    handler: object, media_type: str, tmp_path: Path
) -> None:
    box = "<draw:frame><draw:text-box><text:p>{}</text:p></draw:text-box></draw:frame>"
    pages = "".join(f"<draw:page>{box.format(word)}</draw:page>" for word in ("first", "second"))
    pieces = read(handler, odf(pages, media_type), tmp_path)  # type: ignore[arg-type]
    assert pieces.text == "first\nsecond\n"
    assert pieces.of(Pages)[0].count == 2


def test_encrypted_parts_are_named_before_anything_is_read(tmp_path: Path) -> None:
    manifest = '<m:manifest xmlns:m="m"><m:file-entry><m:encryption-data/></m:file-entry></m:manifest>'
    pieces = read(office, odf("<x/>", TEXT, **{"META-INF__manifest_xml": manifest}), tmp_path)
    assert isinstance(pieces.error, PasswordProtected)
    assert not pieces.all


def test_objects_become_documents_of_their_own_but_charts_do_not(tmp_path: Path) -> None:
    entries = "".join(
        f'<m:file-entry m:full-path="Object {n}/" m:media-type="application/vnd.oasis.opendocument.{kind}"/>'
        for n, kind in ((1, "spreadsheet"), (2, "chart"))
    )
    data = odf(
        "<office:text/>",
        TEXT,
        **{
            "META-INF__manifest_xml": f'<m:manifest xmlns:m="m">{entries}</m:manifest>',
            "Object 1__content_xml": "<a/>",
            "Object 2__content_xml": "<b/>",
        },
    )
    pieces = read(office, data, tmp_path)
    assert pieces.names == ["Object 1.ods"]
    assert pieces.contents == read(office, data, tmp_path).contents  # the same bytes every time


def test_a_damage_in_the_middle_leaves_what_stood_before_it(tmp_path: Path) -> None:
    pieces = read(office, odf("<office:text><text:p>Before</text:p><text:p>broken<", TEXT), tmp_path)
    assert "Before" in pieces.text
    assert pieces.troubles[0].code is Code.TEXT_UNAVAILABLE


def test_a_package_without_content_is_an_invalid_file(tmp_path: Path) -> None:
    data = odf("<office:text/>", TEXT).replace(b"content.xml", b"c0ntent.xml")
    assert isinstance(read(office, data, tmp_path, media_type=TEXT).error, InvalidFile)


def test_a_flat_document_is_read_with_its_properties(tmp_path: Path) -> None:
    flat = (
        '<?xml version="1.0"?><office:document xmlns:office="o" xmlns:text="t" xmlns:dc="d" '
        f'office:mimetype="{TEXT}"><office:meta><dc:title>Flat</dc:title></office:meta>'
        "<office:body><office:text><text:p>Words</text:p></office:text></office:body></office:document>"
    )
    pieces = read(office, flat.encode(), tmp_path)
    assert (pieces.text, pieces.metadata["title"]) == ("Words\n", "Flat")


def test_words_single_file_xml_is_read_with_its_properties(tmp_path: Path) -> None:
    xml = (
        '<?xml version="1.0"?><?mso-application progid="Word.Document"?><w:wordDocument xmlns:w="w" xmlns:o="o">'
        "<o:DocumentProperties><o:Author>Jane Roe</o:Author></o:DocumentProperties>"
        "<w:body><w:p><w:r><w:t>Words</w:t></w:r></w:p></w:body></w:wordDocument>"
    )
    pieces = read(word, xml.encode(), tmp_path)
    assert (pieces.text, pieces.metadata["author"]) == ("Words\n", "Jane Roe")


def test_words_single_file_xml_tells_the_numbers_of_its_lists_and_no_bullets(tmp_path: Path) -> None:
    item = (
        '<w:p><w:pPr><w:listPr><w:ilvl w:val="0"/><wx:t wx:val="{}"/></w:listPr></w:pPr><w:r><w:t>{}</w:t></w:r></w:p>'
    )
    items = (("1.", "Rent"), ("a)", "Heat"), ("4", "Water"), ("\xb7", "Key"), ("o", "Lock"))
    body = "".join(item.format(label, words) for label, words in items)
    start = '<?xml version="1.0"?><w:wordDocument xmlns:w="w" xmlns:wx="x"><w:body>'
    pieces = read(word, f"{start}{body}</w:body></w:wordDocument>".encode(), tmp_path)
    assert pieces.text == "1. Rent\na) Heat\n4 Water\nKey\nLock\n"


def test_entities_that_multiply_do_not_fill_the_memory(tmp_path: Path) -> None:
    entities = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 10))
    bomb = (
        f'<?xml version="1.0"?><!DOCTYPE d [<!ENTITY e0 "lol">{entities}]><office:document xmlns:office="o" '
        f'xmlns:text="t" office:mimetype="{TEXT}"><office:meta/><text:p>&e9;</text:p></office:document>'
    )
    pieces = read(office, bomb.encode(), tmp_path)
    assert pieces.troubles[0].code is Code.TEXT_UNAVAILABLE
    assert len(pieces.text) < 20_000_000  # of three billion


def test_words_single_file_xml_has_its_page_headers_comments_and_changes(tmp_path: Path) -> None:
    header = '<w:sectPr><w:hdr w:type="odd"><w:p><w:r><w:t>Draft</w:t></w:r></w:p></w:hdr></w:sectPr>'
    comment = '<aml:annotation w:type="Word.Comment"><aml:content><w:p><w:r><w:t>Why?</w:t></w:r></w:p></aml:content>'
    change = '<aml:annotation w:type="Word.Deletion"><aml:content><w:r><w:delText>gone</w:delText></w:r></aml:content>'
    first = f"<w:p><w:pPr><w:tabs><w:tab/></w:tabs>{header}</w:pPr><w:r><w:t>Words</w:t></w:r>"
    xml = (
        '<?xml version="1.0"?><w:wordDocument xmlns:w="w" xmlns:aml="a"><w:body>'
        f"{first}{comment}</aml:annotation>{change}</aml:annotation></w:p></w:body></w:wordDocument>"
    )
    pieces = read(word, xml.encode(), tmp_path)
    assert all(word in pieces.text for word in ("Draft", "Words", "Why?", "gone"))
    assert "\t" not in pieces.text
    assert pieces.metadata["has_comments"] and pieces.metadata["has_tracked_changes"]
    assert "has_hidden" not in pieces.metadata


def test_words_about_a_picture_stand_behind_the_paragraph_and_the_field_of_the_title_in_it(tmp_path: Path) -> None:
    about = '<svg:title xmlns:svg="s">Plan</svg:title><svg:desc xmlns:svg="s">of the ground floor</svg:desc>'
    body = f"<text:p>see <draw:rect>{about}</draw:rect><text:title>Lease</text:title></text:p>"
    assert read(office, odf(body, TEXT), tmp_path).text == "see Lease\nPlan\nof the ground floor\n"
