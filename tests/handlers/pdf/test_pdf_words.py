"""Words of a PDF that are not written line by line from left to right, or stand beside the pages."""

from pathlib import Path
from typing import Any

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name, String
from tests.support.pdf_files import document_of, saved
from tests.support.pieces import read

from redwell.handlers.pdf import pdf

pytestmark = pytest.mark.requirement("A6", "A7")


def test_bookmarks_that_the_pages_do_not_say_are_text_each_once(tmp_path: Path) -> None:
    document = document_of("Chapter one")
    with document.open_outline() as outline:
        outline.root += [pikepdf.OutlineItem("Chapter one", 0), pikepdf.OutlineItem("Secret annex", 0)]
        outline.root[1].children.append(pikepdf.OutlineItem("Draft", 0))
    first = document.Root.Outlines.First
    first.Next.Next = first  # in a circle
    pieces = read(pdf, saved(document), tmp_path)
    assert pieces.text.split() == ["Chapter", "one", "Secret", "annex", "Draft"]


def _in_columns(document: Any, text: str) -> None:
    """A page of letters set one below the other, in a font that the file names and does not hold."""
    order = Dictionary(Registry=String("Adobe"), Ordering=String("Japan1"), Supplement=2)
    inner = Dictionary(Type=Name.Font, Subtype=Name.CIDFontType0, BaseFont=Name("/Ryumin-Light"), CIDSystemInfo=order)
    font = Dictionary(Type=Name.Font, Subtype=Name.Type0, BaseFont=Name("/Ryumin-Light-UniJIS-UCS2-V"))
    font.Encoding, font.DescendantFonts = Name("/UniJIS-UCS2-V"), Array([document.make_indirect(inner)])
    page = document.add_blank_page(page_size=(300, 300))
    page.obj["/Resources"] = Dictionary(Font=Dictionary(F2=document.make_indirect(font)))
    shown = "".join(f"<{letter.encode('utf-16-be').hex()}> Tj 0 -14 Td " for letter in text)
    page.obj["/Contents"] = document.make_stream(f"BT /F2 12 Tf 250 280 Td {shown} ET".encode())


def test_letters_below_one_another_in_a_font_that_is_not_there_are_text(tmp_path: Path) -> None:
    document = document_of("Lease")
    _in_columns(document, "賃貸借契約書")
    document.pages[1].Resources.XObject = Dictionary(Seal=_empty_drawing(document))
    assert read(pdf, saved(document), tmp_path).text.split() == ["Lease", "賃貸借契約書"]


def _empty_drawing(document: Any) -> Any:
    return document.make_stream(b"", Type=Name.XObject, Subtype=Name.Form, BBox=Array([0, 0, 9, 9]))


def _hebrew(document: Any, word: str, *, back: int) -> None:
    """A page with one word; the font says which letters its codes are, and each letter is put so far back."""
    pairs = "".join(f"<{65 + n:02X}> <{ord(letter):04X}> " for n, letter in enumerate(word))
    codes = f"begincodespacerange <00> <FF> endcodespacerange {len(word)} beginbfchar {pairs} endbfchar"
    font = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica)
    font.ToUnicode = document.make_stream(f"begincmap {codes} endcmap".encode())
    page = document.add_blank_page(page_size=(300, 300))
    page.obj["/Resources"] = Dictionary(Font=Dictionary(F1=document.make_indirect(font)))
    shown = f" {back} ".join(f"({chr(65 + n)})" for n in range(len(word)))
    page.obj["/Contents"] = document.make_stream(f"BT /F1 12 Tf 150 200 Td [{shown}] TJ ET".encode())


@pytest.mark.parametrize(("stored", "back"), [("חוזהשכר", 1500), ("רכשהזוח", 0)])
def test_words_from_right_to_left_come_out_in_reading_order(stored: str, back: int, tmp_path: Path) -> None:
    document = pikepdf.new()
    _hebrew(document, stored, back=back)
    assert read(pdf, saved(document), tmp_path).text.split() == ["חוזהשכר"]


def test_drawn_letters_are_told_by_their_names(tmp_path: Path) -> None:
    names = ["f", "fi", "eacute", "uni0441", "Omega", "g12"]
    document = pikepdf.new()
    box = document.make_stream(b"500 0 0 0 400 400 d1 0 0 400 400 re f")
    font = Dictionary(Type=Name.Font, Subtype=Name.Type3, FontBBox=Array([0, 0, 500, 500]), FirstChar=1, LastChar=6)
    font.FontMatrix = Array([0.001, 0, 0, 0.001, 0, 0])
    font.CharProcs = Dictionary({f"/{name}": box for name in names})
    font.Encoding = Dictionary(Type=Name.Encoding, Differences=Array([1, *(Name(f"/{name}") for name in names)]))
    font.Widths = Array([500] * len(names))
    page = document.add_blank_page(page_size=(300, 300))
    page.obj["/Resources"] = Dictionary(Font=Dictionary(F3=document.make_indirect(font)))
    page.obj["/Contents"] = document.make_stream(b"BT /F3 12 Tf 20 200 Td <0102030405> Tj ET")
    assert read(pdf, saved(document), tmp_path).text.split() == ["ffiéсΩ"]  # noqa: RUF001  # one of them is Cyrillic
