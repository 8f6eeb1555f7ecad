"""PDFs are handed out as they are, mended or decrypted if need be, and flattened where there is something to."""

import io
from pathlib import Path
from typing import Any

import pikepdf
import pypdfium2
import pytest
from pikepdf import Array, Dictionary, Name, String
from tests.support.pdf_files import document_of, saved
from tests.support.rendered import picture_of, render, text_of

from redwell.core.errors import InvalidFile, PasswordProtected
from redwell.handlers.render import native_pdf

pytestmark = pytest.mark.requirement("A6", "A7", "E2")


def widget(document: Any, value: str) -> Any:
    """A text field with a look of its own."""
    look = document.make_stream(f"BT /F1 12 Tf 2 4 Td ({value}) Tj ET".encode())
    font = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica)
    look.update({"/Subtype": Name.Form, "/BBox": Array([0, 0, 200, 20])})
    look.Resources = Dictionary(Font=Dictionary(F1=font))
    rectangle = Array([50, 100, 250, 120])
    field = Dictionary(Type=Name.Annot, Subtype=Name.Widget, FT=Name.Tx, T=String("name"), V=String(value), F=4)
    field.Rect, field.AP = rectangle, Dictionary(N=look)
    return document.make_indirect(field)


def edited() -> bytes:
    """With a filled field, a stamp that acts, a script, a program to start and an attached file."""
    document = document_of("The contract")
    field = widget(document, "Countersigned")
    link = document.make_indirect(
        Dictionary(Type=Name.Annot, Subtype=Name.Link, Rect=Array([0, 0, 9, 9]), A=Dictionary(S=Name.Launch, F="x.exe"))
    )
    document.pages[0].obj.Annots = Array([field, link])
    document.Root.AcroForm = Dictionary(Fields=Array([field]))
    document.Root.OpenAction = Dictionary(S=Name.JavaScript, JS=String("app.alert(1)"))
    document.attachments["secret.txt"] = b"attached"
    return saved(document)


def test_a_pdf_with_nothing_to_flatten_is_handed_out_as_it_is(tmp_path: Path) -> None:
    native = saved(document_of("The valves"))
    found = render(native_pdf, native, tmp_path)
    assert (found.made, found.pages, found.figures) == ({"pdf": native}, {"pdf": 1}, {"flat": 1})


def test_fields_are_drawn_into_the_page_and_nothing_is_left_to_edit_or_to_start(tmp_path: Path) -> None:
    native = edited()
    found = render(native_pdf, native, tmp_path)
    assert found.pdf == native
    flat = found.made["flattened-pdf"]
    assert "Countersigned" in text_of(flat) and "The contract" in text_of(flat)
    document = pypdfium2.PdfDocument(flat)
    assert [pypdfium2.raw.FPDFPage_GetAnnotCount(page) for page in document] == [0]
    document.close()
    with pikepdf.open(io.BytesIO(flat)) as opened:
        assert not {"/AcroForm", "/OpenAction", "/AA"} & set(opened.Root.keys())
        assert len(opened.attachments) == 0
    for word in (b"JavaScript", b"Launch", b"attached"):
        assert word not in uncompressed(flat)
    assert found.figures == {"merged": "actions, annotations, attached files, form fields"}


def uncompressed(pdf: bytes) -> bytes:
    out = io.BytesIO()
    with pikepdf.open(io.BytesIO(pdf)) as opened:
        opened.save(out, compress_streams=False, object_stream_mode=pikepdf.ObjectStreamMode.disable)
    return out.getvalue()


def test_a_flattened_page_looks_as_the_native_does(tmp_path: Path) -> None:
    found = render(native_pdf, edited(), tmp_path)
    dark = [
        {place for place, shade in enumerate(picture_of(pdf).convert("L").tobytes()) if shade < 80}
        for pdf in (found.pdf, found.made["flattened-pdf"])
    ]
    assert dark[0] and len(dark[0] ^ dark[1]) < len(dark[0]) / 3, "but for the edges of letters"


def test_the_same_file_gives_the_same_bytes(tmp_path: Path) -> None:
    native = edited()
    first, second = (render(native_pdf, native, tmp_path / name) for name in "ab")
    assert first.made == second.made


def test_a_page_with_links_alone_is_not_drawn_anew(tmp_path: Path) -> None:
    document = document_of("See there")
    link = Dictionary(Type=Name.Annot, Subtype=Name.Link, Rect=Array([0, 0, 9, 9]))
    document.pages[0].obj.Annots = Array([document.make_indirect(link)])
    found = render(native_pdf, saved(document), tmp_path)
    with pikepdf.open(io.BytesIO(found.made["flattened-pdf"])) as flat, pikepdf.open(io.BytesIO(found.pdf)) as native:
        assert flat.pages[0].Contents.read_bytes() == native.pages[0].Contents.read_bytes()


def test_a_password_opens_a_copy_without_it(tmp_path: Path) -> None:
    out = io.BytesIO()
    document_of("Sealed words").save(out, encryption=pikepdf.Encryption(owner="o", user="valve"))
    found = render(native_pdf, out.getvalue(), tmp_path, passwords=("no", "valve"))
    assert "Sealed words" in text_of(found.pdf)
    assert [trouble.partial for trouble in found.troubles] == [False]
    locked = render(native_pdf, out.getvalue(), tmp_path)
    assert isinstance(locked.error, PasswordProtected)


def test_what_pdfium_does_not_open_is_mended_and_the_document_says_so(tmp_path: Path) -> None:
    whole = saved(document_of("Mended words"))
    found = render(native_pdf, whole[: whole.index(b"xref")], tmp_path)
    assert text_of(found.pdf) == "Mended words"
    assert [("mended" in trouble.detail, trouble.partial) for trouble in found.troubles] == [(True, False)]


def test_a_lock_that_no_password_opens_is_named(tmp_path: Path) -> None:
    sealed = saved(document_of("x")).replace(b"trailer <<", b"trailer << /Encrypt << /Filter /Licence >> ")
    assert isinstance(render(native_pdf, sealed, tmp_path).error, PasswordProtected)


def test_what_no_reader_opens_is_invalid(tmp_path: Path) -> None:
    found = render(native_pdf, b"%PDF-1.7\nnothing", tmp_path, media_type="application/pdf")
    assert isinstance(found.error, InvalidFile) and not found.made
