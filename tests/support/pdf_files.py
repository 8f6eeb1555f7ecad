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


def saved(document: Any, **how: Any) -> bytes:
    out = io.BytesIO()
    document.save(out, **how)
    return out.getvalue()
