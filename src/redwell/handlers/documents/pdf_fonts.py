"""Gives letters of East Asia a shape where a PDF relies on fonts of the reader's machine. Called in a child.

pdfium leaves out of the text what has no shape on the page; this machine need not have the fonts, and sees no others
than its own. So a font of boxes is put in their place, in memory, for reading alone.
"""

import io
import struct
from collections.abc import Iterator
from typing import Any

from redwell.handlers.documents.pdf_objects import array, dictionary, is_stream

_ORDERINGS = {"Japan1", "GB1", "CNS1", "Korea1", "KR"}
_PROGRAMS = ("/FontFile", "/FontFile2", "/FontFile3")
_MOST_RESOURCES = 20_000
_EM = 1000
_CIDS = 65_536


def with_shapes(pdf: Any) -> bytes | None:
    """The PDF with a box for every letter of fonts that it lacks; None where it lacks none."""
    lacking = [font for font in _composite_fonts(pdf) if _is_lacking(font)]
    if not lacking:
        return None
    program = pdf.make_stream(box_font())
    boxes = pdf.make_stream(b"\0\1" * _CIDS)  # every letter is the second shape
    for font in lacking:
        _give(pdf, font, program, boxes)
    out = io.BytesIO()
    pdf.save(out, encryption=False)
    return out.getvalue()


def _give(pdf: Any, font: Any, program: Any, boxes: Any) -> None:
    import pikepdf

    if not len(dictionary(font.get("/FontDescriptor"))):
        font["/FontDescriptor"] = pdf.make_indirect(pikepdf.Dictionary(Type=pikepdf.Name.FontDescriptor, Flags=4))
    font["/Subtype"] = pikepdf.Name.CIDFontType2
    font["/FontDescriptor"]["/FontFile2"] = program
    font["/CIDToGIDMap"] = boxes


def _composite_fonts(pdf: Any) -> Iterator[Any]:
    """The descendants of the composite fonts that pages, and what they draw, name; each once."""
    seen: set[tuple[int, int]] = set()
    waiting = [dictionary(page.resources) for page in pdf.pages]
    for _ in range(_MOST_RESOURCES):
        if not waiting:
            return
        resources = waiting.pop()
        for font in _values(resources.get("/Font")):
            if _is_new(font, seen):
                yield from map(dictionary, array(dictionary(font).get("/DescendantFonts"))[:1])
        for drawn in _values(resources.get("/XObject")):
            if is_stream(drawn) and _is_new(drawn, seen):
                waiting.append(dictionary(drawn.get("/Resources")))


def _values(value: Any) -> list[Any]:
    found = dictionary(value)
    return [found[key] for key in found.keys()]  # noqa: SIM118  # a pikepdf dictionary is not iterable


def _is_new(value: Any, seen: set[tuple[int, int]]) -> bool:
    """An object without a number of its own is always new."""
    number = dictionary(value).objgen if len(dictionary(value)) else (0, 0)
    known = number != (0, 0) and number in seen
    seen.add(number)
    return not known


def _is_lacking(font: Any) -> bool:
    descriptor = dictionary(font.get("/FontDescriptor"))
    ordering = str(dictionary(font.get("/CIDSystemInfo")).get("/Ordering", ""))
    return ordering in _ORDERINGS and not any(program in descriptor for program in _PROGRAMS)


def box_font() -> bytes:
    """A TrueType font of two shapes: nothing, and a box of one em."""
    box = struct.pack(">5h2H4B8h", 1, 0, 0, _EM, _EM, 3, 0, 1, 1, 1, 1, 0, _EM, 0, -_EM, 0, 0, _EM, 0)
    box += bytes(-len(box) % 4)
    tables = {
        b"glyf": box,
        b"head": struct.pack(
            ">4I2H2Q4h2H3h", 1 << 16, 1 << 16, 0, 0x5F0F3CF5, 0, _EM, 0, 0, 0, 0, _EM, _EM, 0, 8, 2, 1, 0
        ),
        b"hhea": struct.pack(">I3hH11hH", 1 << 16, _EM, 0, 0, _EM, 0, 0, _EM, 1, 0, 0, 0, 0, 0, 0, 0, 2),
        b"hmtx": struct.pack(">HhHh", _EM, 0, _EM, 0),
        b"loca": struct.pack(">3I", 0, 0, len(box)),
        b"maxp": struct.pack(">I14H", 1 << 16, 2, 4, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0),
    }
    at = 12 + 16 * len(tables)
    listing, body = struct.pack(">I4H", 1 << 16, len(tables), 64, 2, 32), b""
    for name, data in tables.items():
        listing += struct.pack(">4s3I", name, 0, at + len(body), len(data))
        body += data + bytes(-len(data) % 4)
    return listing + body
