"""Word's documents, old and new: every word, what the document says of itself, the files inside."""

import io
import random
import struct
from pathlib import Path

import msoffcrypto
import olefile
import pytest
from tests.support import agile_encryption
from tests.support.office_files import doc, docx, package, packaged_file, paragraph, property_set, zipped
from tests.support.pieces import BytesSource, read

from redwell.core.errors import InvalidFile, PasswordProtected, Unsupported
from redwell.core.handler import Options, ReadAs
from redwell.core.outcomes import Code, Outcome
from redwell.handlers.office import office, protected
from redwell.handlers.structures.compound_writer import Storage, write
from redwell.handlers.structures.ole import Compound
from redwell.handlers.structures.property_sets import named
from redwell.handlers.word import word, word_binary

pytestmark = pytest.mark.requirement("A6", "A7")


def test_a_watermark_is_text_and_so_is_what_a_tab_of_the_page_parts(tmp_path: Path) -> None:
    mark = '<w:r><w:pict><v:shape xmlns:v="v"><v:textpath on="t"/><v:textpath string="Draft"/></v:shape></w:pict></w:r>'
    header = f"<w:p>{mark}</w:p><w:p><w:r><w:t>Left</w:t><w:ptab/><w:t>Right</w:t></w:r></w:p>"
    assert read(word, docx(paragraph("Body"), header=header), tmp_path).text == "Draft\nLeft\tRight\nBody\n"


def test_a_watermark_of_an_old_document_is_text_once() -> None:
    words = "Draft".encode("utf-16-le") + bytes(2)
    shape = struct.pack("<HHI", 1 << 4 | 3, 0xF00B, 6 + len(words)) + struct.pack("<HI", 0x80C0, len(words)) + words
    cut_off = shape[:4] + struct.pack("<I", 999)
    body = bytearray(0x400)
    struct.pack_into("<HH", body, 0, 0xA5EC, 0xC1)
    clx = b"\x02" + struct.pack("<I", 16) + struct.pack("<IIHIH", 0, 4, 0, 0x300, 0)
    struct.pack_into("<II", body, 0x01A2, 0, len(clx))
    struct.pack_into("<II", body, 0x022A, len(clx), 2 * len(shape) + len(cut_off))
    body[0x300:0x308] = "Body".encode("utf-16-le")
    data = write(Storage(streams={"WordDocument": bytes(body), "0Table": clx + 2 * shape + cut_off}))
    assert word_binary.read(Compound(io.BytesIO(data)))[0].split() == ["Body", "Draft"]


@pytest.mark.parametrize(
    ("field", "shown"),
    [
        ('<w:sym w:font="Wingdings" w:char="F0FE"/>', "☑"),
        ('<w:sym w:font="Symbol" w:char="F062"/>', "β"),
        ('<w:sym w:font="Unheard Of" w:char="F062"/><w:sym w:font="Symbol" w:char="?"/>', ""),
        ('<w:checkBox><w:default w:val="0"/><w:checked/></w:checkBox>', "☒"),
        ('<w:checkBox><w:default w:val="1"/><w:checked w:val="0"/></w:checkBox>', "☐"),
        ('<w:checkBox><w:default w:val="1"/></w:checkBox>', "☒"),
        ('<w:ddList><w:result w:val="0"/><w:default w:val="1"/>{}</w:ddList>', "Red"),
        ('<w:ddList><w:result w:val="1"/>{}</w:ddList>', "Blue"),
        ("<w:ddList>{}</w:ddList>", "Red"),
        (
            "<w:ruby><w:rt><w:r><w:t>とうきょう</w:t></w:r></w:rt>"
            "<w:rubyBase><w:r><w:t>東京</w:t></w:r></w:rubyBase></w:ruby>",
            "東京 (とうきょう)",
        ),
    ],
)
def test_symbols_ticked_boxes_chosen_entries_and_readings_are_text(field: str, shown: str, tmp_path: Path) -> None:
    entries = '<w:listEntry w:val="Red"/><w:listEntry w:val="Blue"/>'
    body = f"<w:p><w:r>{field.format(entries)}<w:t>.</w:t></w:r></w:p>"
    assert read(word, docx(body), tmp_path).text == f"{shown}.\n"


def test_body_header_footer_notes_and_comments_are_all_text(tmp_path: Path) -> None:
    data = docx(
        paragraph("The body."),
        header=paragraph("The header."),
        footer=paragraph("The footer."),
        footnotes=f"<w:footnote>{paragraph('The note.')}</w:footnote>",
        comments=f'<w:comment w:author="Ann">{paragraph("The comment.")}</w:comment>',
    )
    pieces = read(word, data, tmp_path)
    assert pieces.text.split("\n")[:5] == ["The header.", "The body.", "The note.", "Ann: The comment.", "The footer."]
    assert pieces.metadata["has_comments"] is True
    assert not pieces.is_container


def test_properties_get_plain_names_and_dates_become_utc_beside_the_raw_value(tmp_path: Path) -> None:
    values = read(word, docx(paragraph("x")), tmp_path).metadata
    assert (values["title"], values["author"], values["last_modified_by"]) == ("Lease", "Jane Roe", "John Doe")
    assert (values["created"], values["created_raw"]) == ("2020-03-04T04:06:07Z", "2020-03-04T05:06:07+01:00")


def test_a_text_box_does_not_cut_the_paragraph_it_hangs_on(tmp_path: Path) -> None:
    box = f"<w:r><w:pict><w:txbxContent>{paragraph('In the box')}</w:txbxContent></w:pict></w:r>"
    body = f"<w:p><w:r><w:t>one </w:t></w:r>{box}<w:r><w:t>sentence</w:t></w:r></w:p>"
    assert read(word, docx(body), tmp_path).text == "one sentence\nIn the box\n"


def test_the_fallback_for_old_programs_is_not_read_a_second_time(tmp_path: Path) -> None:
    choice = "<mc:Choice><w:t>once</w:t></mc:Choice><mc:Fallback><w:t>twice</w:t></mc:Fallback>"
    body = f'<w:p xmlns:mc="m"><w:r><mc:AlternateContent>{choice}</mc:AlternateContent></w:r></w:p>'
    assert read(word, docx(body), tmp_path).text == "once\n"


def test_deleted_words_are_kept_apart_and_the_change_is_flagged(tmp_path: Path) -> None:
    deleted = "<w:del><w:r><w:delText>not </w:delText></w:r></w:del>"
    body = f"<w:p><w:r><w:t>We did </w:t></w:r>{deleted}<w:r><w:t>agree</w:t></w:r></w:p>"
    pieces = read(word, docx(body), tmp_path)
    assert pieces.text == "We did agree\n[deleted: not]\n"
    assert pieces.metadata["has_tracked_changes"] is True


@pytest.mark.parametrize(("mark", "hidden"), [("<w:vanish/>", True), ('<w:vanish w:val="0"/>', False)])
def test_hidden_words_are_read_and_flagged(mark: str, hidden: bool, tmp_path: Path) -> None:
    pieces = read(word, docx(f"<w:p><w:r><w:rPr>{mark}</w:rPr><w:t>secret</w:t></w:r></w:p>"), tmp_path)
    assert pieces.text == "secret\n"
    assert pieces.metadata.get("has_hidden", False) is hidden


def test_a_table_row_is_a_line_with_tabs(tmp_path: Path) -> None:
    cells = "".join(f"<w:tc>{paragraph(text)}</w:tc>" for text in ("Jan", "100"))
    assert read(word, docx(f"<w:tbl><w:tr>{cells}</w:tr></w:tbl>"), tmp_path).text == "Jan\t100\t\n"


def test_embedded_files_are_children_under_their_own_names(tmp_path: Path) -> None:
    ole = write(Storage(streams={"\x01Ole10Native": packaged_file("minutes.txt", b"agreed")}))
    data = docx(paragraph("x"), word__embeddings__sheet1=b"PK\x03\x04 xl/", word__embeddings__object1=ole)
    pieces = read(word, data, tmp_path)
    assert pieces.declared == 2
    assert pieces.contents["word/embeddings/object1"] == b"agreed"
    assert pieces.names == ["sheet1", "minutes.txt"]
    assert pieces.opened == list(pieces.children)


def test_children_already_settled_are_not_opened_again(tmp_path: Path) -> None:
    data = docx(paragraph("x"), word__embeddings__a=b"1", word__embeddings__b=b"2", word__embeddings__c=b"3")
    pieces = read(word, data, tmp_path, after="word/embeddings/a", skip=frozenset({"word/embeddings/b"}))
    assert pieces.opened == ["word/embeddings/c"]


def test_a_damaged_part_costs_that_part(tmp_path: Path) -> None:
    pieces = read(word, docx(paragraph("The body."), comments=paragraph("The <comment")), tmp_path)
    assert "The body." in pieces.text
    assert [trouble.code for trouble in pieces.troubles] == [Code.TEXT_UNAVAILABLE]


def test_a_part_that_swells_beyond_the_limit_is_cut_and_said(tmp_path: Path) -> None:
    pieces = read(word, docx(paragraph("word " * 5000)), tmp_path, max_member_bytes=10_000)
    assert pieces.troubles[0].code is Code.LIMIT_REACHED


def test_a_cut_off_package_is_an_invalid_file(tmp_path: Path) -> None:
    data = docx(paragraph("x" * 1000))
    assert isinstance(read(word, data[:-60], tmp_path).error, InvalidFile)


def test_a_protected_document_opens_with_its_password_alone(tmp_path: Path) -> None:
    locked = io.BytesIO()
    clear = docx(paragraph("The secret."), media__noise=random.Random(1).randbytes(8000))  # it encrypts no small file
    msoffcrypto.OfficeFile(io.BytesIO(clear)).encrypt("right", locked)
    assert isinstance(read(protected, locked.getvalue(), tmp_path).error, PasswordProtected)
    assert isinstance(read(protected, locked.getvalue(), tmp_path, passwords=("wrong",)).error, PasswordProtected)
    pieces = read(protected, locked.getvalue(), tmp_path, passwords=("wrong", "right"))
    assert pieces.passwords.has_opened
    assert "The secret." in pieces.text
    assert pieces.metadata["encrypted"] is True


def test_an_old_document_gives_text_without_field_codes_and_its_properties(tmp_path: Path) -> None:
    text = 'Zürich \U00010332\rsee \x13HYPERLINK "http://x"\x14the lease\x15.\rJan\x07100\x07\x07'
    pieces = read(word, doc(text), tmp_path)
    assert pieces.text == "Zürich \U00010332\nsee the lease.\nJan\t100\t\n"
    assert (pieces.metadata["title"], pieces.metadata["author"]) == ("Lease", "Jané Roe")


def test_properties_written_on_a_macintosh_are_in_its_code_page() -> None:
    stream = property_set((2, "演示文稿"), code_page=10008, codec="gb2312")
    assert named(stream, document=False) == {"title": "演示文稿"}


def test_a_formula_of_an_old_document_is_what_it_shows_and_a_reading_stands_behind_its_word(tmp_path: Path) -> None:
    reading = '\x13 EQ \\* jc2 \\* "Font:MS Mincho" \\o\\ad(\\s\\up 10(とうきょう),東京)\x15'
    data = doc(f'in {reading}, \x13eq \\f(1,2)\x15\x13XE "entry of the index"\x15')
    assert read(word, data, tmp_path).text == "in 東京 (とうきょう), (1,2)"


def test_a_field_without_an_end_loses_no_words(tmp_path: Path) -> None:
    assert "kept" in read(word, doc("before \x13FIELD kept"), tmp_path).text


def test_a_document_that_office_2010_encrypted_opens_with_its_password_alone(tmp_path: Path) -> None:
    data = agile_encryption.locked(docx(paragraph("the secret clause")), "right")
    assert "the secret clause" in read(protected, data, tmp_path, passwords=("wrong", "right")).text
    assert isinstance(read(protected, data, tmp_path, passwords=("wrong",)).error, PasswordProtected)


def test_an_encrypted_old_document_is_named_so(tmp_path: Path) -> None:
    assert isinstance(read(word, doc("x", flags=0x0100), tmp_path).error, PasswordProtected)


def test_objects_of_an_old_document_become_files_that_others_can_open(tmp_path: Path) -> None:
    inner = Storage(streams={"WordDocument": b"w" * 5000, "0Table": b"t" * 10})
    packed = Storage(streams={"\x01Ole10Native": packaged_file("a.zip", b"PK")})
    formula = Storage(streams={"Equation Native": b"e"})
    pool = Storage(storages={"_1": inner, "_2": packed, "_3": formula})
    pieces = read(word, doc("x", storages={"ObjectPool": pool}), tmp_path)
    assert pieces.names == ["1.doc", "a.zip"]
    with olefile.OleFileIO(io.BytesIO(pieces.contents["ObjectPool/_1"])) as ole:
        assert ole.openstream("WordDocument").read() == b"w" * 5000
        assert ole.openstream("0Table").read() == b"t" * 10


def test_a_cut_off_packaged_object_is_lost_and_named(tmp_path: Path) -> None:
    packed = Storage(streams={"\x01Ole10Native": packaged_file("a.zip", b"PK" * 100)[:-150]})
    pieces = read(word, doc("x", storages={"ObjectPool": Storage(storages={"_2": packed})}), tmp_path)
    assert pieces.lost["ObjectPool/_2"].outcome is Outcome.INVALID_FILE


def test_word_6_text_is_read_in_its_code_page(tmp_path: Path) -> None:
    header = bytearray(0x300)
    struct.pack_into("<HHHH", header, 0, 0xA5DC, 0x65, 0, 0x0419)
    text = "Договор\r".encode("cp1251")
    struct.pack_into("<II", header, 0x18, len(header), len(header) + len(text))
    data = write(Storage(streams={"WordDocument": bytes(header) + text}))
    assert read(word, data, tmp_path).text == "Договор\n"


def test_a_document_from_before_word_6_is_unsupported(tmp_path: Path) -> None:
    assert isinstance(read(word, b"\xdb\xa5\x2d\x00" + bytes(600), tmp_path).error, Unsupported)


@pytest.mark.parametrize(
    ("content_type", "read_as"),
    [
        ("wordprocessingml.document.main+xml", "wordprocessingml.document"),
        ("presentationml.slideshow.main+xml", "presentationml.presentation"),
        ("spreadsheetml.sheet.main+xml", "spreadsheetml.sheet"),
    ],
)
def test_a_package_with_unusual_names_is_handed_to_the_reader_of_its_main_part(
    content_type: str, read_as: str, tmp_path: Path
) -> None:
    ooxml = "application/vnd.openxmlformats-officedocument."
    data = package("odd/main.xml", {"odd/main.xml": ooxml + content_type}, {"odd/main.xml": "<x/>"})
    options = Options(name="a", media_type="application/x-ooxml")
    [piece] = office.extract(BytesSource(data), tmp_path, options)
    assert isinstance(piece, ReadAs) and piece.media_type == ooxml + read_as


def test_a_package_of_no_known_program_is_unsupported(tmp_path: Path) -> None:
    data = package("odd/main.xml", {"odd/main.xml": "application/odd+xml"}, {"odd/main.xml": "<x/>"})
    assert isinstance(read(office, data, tmp_path).error, Unsupported)


def test_a_package_without_a_main_part_is_invalid(tmp_path: Path) -> None:
    data = zipped({"[Content_Types].xml": "<Types/>", "_rels/.rels": "<Relationships/>"})
    assert isinstance(read(office, data, tmp_path).error, InvalidFile)
