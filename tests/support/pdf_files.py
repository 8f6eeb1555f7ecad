"""PDF files made from scratch."""

import io
from typing import Any

import pikepdf
from pikepdf import Dictionary, Name


def document_of(*pages: str) -> Any:
    document = pikepdf.new()
    font = document.make_indirect(Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica))
    for text in pages:
        page = document.add_blank_page(page_size=(300, 300))
        page.obj["/Resources"] = Dictionary(Font=Dictionary(F1=font))
        page.obj["/Contents"] = document.make_stream(f"BT /F1 12 Tf 20 200 Td ({text}) Tj ET".encode())
    return document


def typed_pages(text: str) -> Any:
    """Lines one below the other in a typewriter's letters; a form feed begins a page."""
    document = pikepdf.new()
    font = document.make_indirect(Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Courier))
    signs = str.maketrans({"(": r"\(", ")": r"\)"})
    for words in text.split("\f"):
        page = document.add_blank_page(page_size=(612, 792))
        page.obj["/Resources"] = Dictionary(Font=Dictionary(F1=font))
        lines = " ".join(f"({line.translate(signs)}) Tj T*" for line in words.split("\n"))
        page.obj["/Contents"] = document.make_stream(f"BT /F1 10 Tf 12 TL 40 760 Td {lines} ET".encode())
    return document


def saved(document: Any, **how: Any) -> bytes:
    out = io.BytesIO()
    document.save(out, **how)
    return out.getvalue()
