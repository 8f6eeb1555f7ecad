"""PDF: text by page, form values, notes, fields, attachments, passwords, repair."""

from pathlib import Path
from typing import Any

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name, String
from tests.support.pdf_files import document_of, saved
from tests.support.pieces import read

from redwell.core.errors import InvalidFile, PasswordProtected
from redwell.core.handler import Pages
from redwell.core.outcomes import Code, Outcome
from redwell.handlers.pdf import pdf

pytestmark = pytest.mark.requirement("A6", "A7")


def test_pages_are_counted_and_read_with_a_form_feed_between_them(tmp_path: Path) -> None:
    pieces = read(pdf, saved(document_of("First page", "Second page")), tmp_path)
    assert pieces.text == "First page\n\fSecond page\n"
    assert pieces.of(Pages)[0].count == 2
    assert pieces.metadata["text_layer"] is True
    assert not pieces.is_container


def test_a_scan_has_no_text_layer(tmp_path: Path) -> None:
    document = pikepdf.new()
    document.add_blank_page()
    assert read(pdf, saved(document), tmp_path).metadata["text_layer"] is False


def test_info_fields_come_with_iso_dates_beside_the_raw_ones(tmp_path: Path) -> None:
    document = document_of("x")
    document.docinfo["/Title"] = "Léase"
    document.docinfo["/Author"] = "Jane Roe"
    document.docinfo["/CreationDate"] = "D:20200304050607+01'00'"
    document.docinfo["/ModDate"] = "D:202003"
    values = read(pdf, saved(document), tmp_path).metadata
    assert (values["title"], values["author"]) == ("Léase", "Jane Roe")
    assert (values["created"], values["created_raw"]) == ("2020-03-04T04:06:07Z", "D:20200304050607+01'00'")
    assert values["modified"] == "2020-03-01T00:00:00"


def test_a_file_that_pikepdf_refuses_still_has_its_fields(tmp_path: Path) -> None:
    document = document_of("Lease")
    document.docinfo["/Title"], document.docinfo["/CreationDate"] = "Lease of 2020", "D:20200304050607+01'00'"
    whole = saved(document, object_stream_mode=pikepdf.ObjectStreamMode.disable)
    data = whole.replace(b"/Kids", b"/Kidz")  # pikepdf asks for the tree of pages, pdfium does not mind
    values = read(pdf, data, tmp_path).metadata
    assert (values["title"], values["created"]) == ("Lease of 2020", "2020-03-04T04:06:07Z")


def test_xmp_fills_what_info_does_not_say(tmp_path: Path) -> None:
    document = document_of("x")
    document.docinfo["/Title"] = "From Info"
    packet = (
        '<x:xmpmeta xmlns:x="x" xmlns:rdf="r" xmlns:dc="d" xmlns:xmp="m"><rdf:RDF><rdf:Description '
        'xmp:CreateDate="2020-03-04T05:06:07Z"><dc:title><rdf:Alt><rdf:li>From XMP</rdf:li></rdf:Alt></dc:title>'
        "<dc:creator><rdf:Seq><rdf:li>Ann</rdf:li><rdf:li>Bob</rdf:li></rdf:Seq></dc:creator></rdf:Description>"
    )
    stream = document.make_stream(f"{packet}</rdf:RDF></x:xmpmeta>".encode())
    document.Root.Metadata = stream
    values = read(pdf, saved(document, fix_metadata_version=False), tmp_path).metadata
    assert (values["title"], values["author"], values["created"]) == ("From Info", "Ann; Bob", "2020-03-04T05:06:07Z")


def test_form_values_that_the_page_does_not_show_are_added_once(tmp_path: Path) -> None:
    document = document_of("Name: Shown")
    fields = [Dictionary(FT=Name.Tx, T=String("a"), V=String("Filled in")), Dictionary(FT=Name.Tx, V=String("Shown"))]
    parent = Dictionary(FT=Name.Ch, Kids=Array([document.make_indirect(Dictionary(V=Array([String("Chosen")])))]))
    button = Dictionary(FT=Name.Btn, V=Name("/Off"))
    document.Root.AcroForm = Dictionary(Fields=Array([document.make_indirect(f) for f in (*fields, parent, button)]))
    pieces = read(pdf, saved(document), tmp_path)
    assert pieces.text == "Name: Shown\na: Filled in\nChosen\n"
    assert pieces.metadata["has_form"] is True


def test_xfa_data_is_text_and_broken_xfa_does_no_harm(tmp_path: Path) -> None:
    document = document_of("x")
    data = document.make_stream(b"<xfa:data xmlns:xfa='x'><form><rent>1200 EUR</rent></form></xfa:data>")
    broken = document.make_stream(b"<template><text>never")
    document.Root.AcroForm = Dictionary(XFA=Array([String("datasets"), data, String("template"), broken]))
    pieces = read(pdf, saved(document), tmp_path)
    assert "1200 EUR" in pieces.text
    assert pieces.metadata["has_xfa"] is True
    assert pieces.error is None


def test_xfa_in_one_piece_gives_its_data_and_its_captions_alone(tmp_path: Path) -> None:
    document = document_of("x")
    template = b"<template><field><caption><text>Rent</text></caption><script>no words</script></field></template>"
    data = b"<d:datasets xmlns:d='d'><d:data><form><rent>1200 EUR</rent></form></d:data></d:datasets>"
    config = b"<config><acrobat>settings</acrobat></config>"
    packet = document.make_stream(b"<xdp:xdp xmlns:xdp='x'>" + config + template + data + b"</xdp:xdp>")
    document.Root.AcroForm = Dictionary(XFA=packet)
    said = read(pdf, saved(document), tmp_path).text
    assert "Rent" in said and "1200 EUR" in said and "no words" not in said and "settings" not in said


def test_notes_on_pages_are_text_with_their_authors(tmp_path: Path) -> None:
    document = document_of("x")
    note = Dictionary(Type=Name.Annot, Subtype=Name.Text, Rect=[0, 0, 9, 9], T=String("Ann"), Contents=String("Why?"))
    link = Dictionary(Type=Name.Annot, Subtype=Name.Link, Rect=[0, 0, 9, 9], Contents=String("a link"))
    document.pages[0].obj["/Annots"] = Array([document.make_indirect(note), document.make_indirect(link)])
    pieces = read(pdf, saved(document), tmp_path)
    assert pieces.text.endswith("Ann: Why?\n")
    assert "a link" not in pieces.text
    assert pieces.metadata["has_comments"] is True


def _attach(document: Any, name: str, data: bytes) -> Any:
    stream = document.make_indirect(document.make_stream(data))
    return document.make_indirect(Dictionary(Type=Name.Filespec, UF=String(name), EF=Dictionary(F=stream, UF=stream)))


def test_attached_files_are_children_each_once(tmp_path: Path) -> None:
    document = document_of("x")
    document.attachments["plan"] = pikepdf.AttachedFileSpec(document, b"the plan", filename="plan.txt")  # type: ignore[call-arg]
    noted = _attach(document, "C:\\tmp\\note.bin", b"\0\1")
    again = Dictionary(Type=Name.Annot, Subtype=Name.FileAttachment, Rect=[0, 0, 9, 9], FS=noted)
    document.pages[0].obj["/Annots"] = Array([document.make_indirect(again), document.make_indirect(again)])
    pieces = read(pdf, saved(document), tmp_path)
    assert pieces.declared == 2
    assert pieces.names == ["plan.txt", "note.bin"]
    assert pieces.contents == {"ef:0": b"the plan", "ef:1": b"\0\1"}
    assert {child.role for child in pieces.children.values()} == {"embedded"}


def test_an_attachment_that_cannot_be_decoded_is_lost_and_the_text_stands(tmp_path: Path) -> None:
    document = document_of("Still here")
    document.attachments["a"] = pikepdf.AttachedFileSpec(document, b"x", filename="a.txt")  # type: ignore[call-arg]
    spec = _attach(document, "b.txt", b"not deflated")
    spec.EF.F.write(b"not deflated", filter=Name.FlateDecode)
    names = document.Root.Names.EmbeddedFiles.Names
    names.append(String("b"))
    names.append(spec)
    pieces = read(pdf, saved(document, stream_decode_level=pikepdf.StreamDecodeLevel.none), tmp_path)
    assert "Still here" in pieces.text
    assert pieces.names == ["a.txt"]
    assert pieces.lost["ef:1"].outcome is Outcome.INVALID_FILE


def test_a_file_for_holders_of_a_key_is_protected_and_not_broken(tmp_path: Path) -> None:
    locked = saved(
        document_of("Secret"), encryption=pikepdf.Encryption(owner="own", user="use", R=3, aes=False, metadata=False)
    )
    assert locked.count(b"/Standard") == 1
    sealed = locked.replace(b"/Standard", b"/FOPN_key")
    assert isinstance(read(pdf, sealed, tmp_path, passwords=("use",)).error, PasswordProtected)


@pytest.mark.parametrize("level", [3, 4, 6])
def test_a_password_is_needed_where_the_file_needs_one_to_open(level: Any, tmp_path: Path) -> None:
    modern = level > 3
    lock = pikepdf.Encryption(owner="own", user="use", R=level, aes=modern, metadata=modern)
    locked = saved(document_of("Secret"), encryption=lock)
    assert isinstance(read(pdf, locked, tmp_path).error, PasswordProtected)
    assert isinstance(read(pdf, locked, tmp_path, passwords=("no",)).error, PasswordProtected)
    pieces = read(pdf, locked, tmp_path, passwords=("no", "use"))
    assert pieces.passwords.has_opened
    assert not read(pdf, saved(document_of("Open")), tmp_path, passwords=("use",)).passwords.has_opened
    assert pieces.text == "Secret\n"
    assert pieces.metadata["encrypted"] is True


def test_an_owner_password_alone_locks_nobody_out(tmp_path: Path) -> None:
    pieces = read(pdf, saved(document_of("Open"), encryption=pikepdf.Encryption(owner="own", user="")), tmp_path)
    assert (pieces.text, pieces.error) == ("Open\n", None)


def test_a_broken_cross_reference_table_is_mended(tmp_path: Path) -> None:
    data = saved(document_of("Found again"), object_stream_mode=pikepdf.ObjectStreamMode.disable)
    pieces = read(pdf, data[: data.rindex(b"xref\n0")] + b"startxref\n99999999\n%%EOF", tmp_path)
    assert "Found again" in pieces.text


def test_a_file_that_no_reader_opens_is_invalid(tmp_path: Path) -> None:
    assert isinstance(read(pdf, b"%PDF-1.7\nnothing of the kind", tmp_path).error, InvalidFile)


def test_a_file_that_pdfium_refuses_is_repaired_and_it_says_so(tmp_path: Path) -> None:
    """A damaged signature stops pdfium, not pikepdf."""
    data = saved(document_of("Repaired"), object_stream_mode=pikepdf.ObjectStreamMode.disable)
    pieces = read(pdf, data.replace(b"%PDF-1.", b"%PDX-1."), tmp_path, media_type="application/pdf")
    assert pieces.error is None
    assert "Repaired" in pieces.text
    assert [(t.code, t.partial) for t in pieces.troubles] == [(Code.HANDLER_ERROR, False)]


def test_missing_pages_are_a_named_problem_and_the_rest_stands(tmp_path: Path) -> None:
    document = document_of("First page", "Second page")
    document.Root.Pages["/Count"] = 5
    data = saved(document).replace(b"/Count 2", b"/Count 5")
    pieces = read(pdf, data, tmp_path)
    assert "Second page" in pieces.text
    assert (pieces.troubles[0].code, pieces.troubles[0].partial) == (Code.FILE_MISSING_OR_INCOMPLETE, True)
    assert "declares 5 pages, 2 could be recovered" in pieces.troubles[0].detail


def test_a_file_without_its_end_is_partial(tmp_path: Path) -> None:
    data = saved(document_of("First page"), object_stream_mode=pikepdf.ObjectStreamMode.disable)
    cut = data[: data.rfind(b"xref\n0")]
    pieces = read(pdf, cut, tmp_path)
    assert "First page" in pieces.text
    assert any(t.code is Code.FILE_MISSING_OR_INCOMPLETE and t.partial for t in pieces.troubles)


def test_a_file_made_for_the_web_says_how_long_it_should_be(tmp_path: Path) -> None:
    data = saved(document_of(*(f"page {n}" for n in range(9))), linearize=True)
    assert read(pdf, data, tmp_path).troubles == []
    cut = data[: len(data) * 9 // 10] + b"startxref\n0\n%%EOF\n"
    assert any("end of the file is missing" in trouble.detail for trouble in read(pdf, cut, tmp_path).troubles)


def test_layers_are_named_and_hidden_ones_flagged(tmp_path: Path) -> None:
    document = document_of("x")
    layers = [document.make_indirect(Dictionary(Type=Name.OCG, Name=String(name))) for name in ("Plan", "Draft")]
    document.Root.OCProperties = Dictionary(OCGs=Array(layers), D=Dictionary(OFF=Array([layers[1]])))
    values = read(pdf, saved(document), tmp_path).metadata
    assert (values["layers"], values["hidden_layers"], values["has_hidden"]) == (["Plan", "Draft"], ["Draft"], True)


def test_a_file_without_pages_gives_what_is_attached_to_it(tmp_path: Path) -> None:
    document = pikepdf.new()
    document.attachments["lease.txt"] = b"agreed"
    pieces = read(pdf, saved(document), tmp_path)
    assert (pieces.error, pieces.of(Pages)[0].count, pieces.names) == (None, 0, ["lease.txt"])
    assert [(trouble.code, trouble.partial) for trouble in pieces.troubles] == [(Code.TEXT_UNAVAILABLE, False)]
