"""Gives fonts of a PDF what pdfium misses to tell their letters: in memory, for reading alone. Called in a child.

pdfium leaves out of the text what has no shape on the page; where a PDF relies on fonts of East Asia that the reader's
machine should have, a font of boxes is put in their place. Of a font whose letters are drawings (Type 3) pdfium tells
the codes; where these have names, as in what TeX and old printer drivers write, the names are put into a table that
it reads.
"""

import io
import struct
from collections.abc import Iterator
from typing import Any

from redwell.handlers.pdf.glyph_names import characters
from redwell.handlers.pdf.pdf_objects import array, dictionary, is_stream

_ORDERINGS = {"Japan1", "GB1", "CNS1", "Korea1", "KR"}
_PROGRAMS = ("/FontFile", "/FontFile2", "/FontFile3")
_MOST_RESOURCES = 20_000
_EM = 1000
_CIDS = 65_536
_MOST_PAIRS = 100  # in one run of a table, by the format's own rule


def with_letters(pdf: Any) -> bytes | None:
    """The PDF with fonts that tell their letters; None where all of them do."""
    fonts = list(_fonts(pdf))
    lacking = [inner for font in fonts for inner in _descendants(font) if _is_lacking(inner)]
    named = [(font, letters) for font in fonts if (letters := _drawn_letters(font))]
    if not lacking and not named:
        return None
    _give_shapes(pdf, lacking)
    for font, letters in named:
        font["/ToUnicode"] = pdf.make_stream(_table(letters))
    out = io.BytesIO()
    pdf.save(out, encryption=False)
    return out.getvalue()


def _give_shapes(pdf: Any, lacking: list[Any]) -> None:
    """A box for every letter."""
    if not lacking:
        return
    program = pdf.make_stream(box_font())
    boxes = pdf.make_stream(b"\0\1" * _CIDS)  # every letter is the second shape
    for font in lacking:
        _give(pdf, font, program, boxes)


def _drawn_letters(font: Any) -> dict[int, str]:
    """Code to characters of a Type 3 font that has names and no table; empty where the codes are the characters."""
    if font.get("/Subtype") != "/Type3" or "/ToUnicode" in font:
        return {}
    letters: dict[int, str] = {}
    code = 0
    for item in array(dictionary(font.get("/Encoding")).get("/Differences")):
        if isinstance(item, int):
            code = item
            continue
        shown = characters(str(item)[1:])
        if shown and 0 <= code < 256:
            letters[code] = shown
        code += 1
    return letters if any(shown != chr(code) for code, shown in letters.items()) else {}


def _table(letters: dict[int, str]) -> bytes:
    """A ToUnicode table."""
    pairs = [f"<{code:02X}> <{shown.encode('utf-16-be').hex()}>" for code, shown in letters.items()]
    runs = [pairs[at : at + _MOST_PAIRS] for at in range(0, len(pairs), _MOST_PAIRS)]
    listed = "\n".join(f"{len(run)} beginbfchar\n" + "\n".join(run) + "\nendbfchar" for run in runs)
    return f"begincmap\n1 begincodespacerange <00> <FF> endcodespacerange\n{listed}\nendcmap\n".encode()


def _give(pdf: Any, font: Any, program: Any, boxes: Any) -> None:
    import pikepdf

    if not len(dictionary(font.get("/FontDescriptor"))):
        font["/FontDescriptor"] = pdf.make_indirect(pikepdf.Dictionary(Type=pikepdf.Name.FontDescriptor, Flags=4))
    font["/Subtype"] = pikepdf.Name.CIDFontType2
    font["/FontDescriptor"]["/FontFile2"] = program
    font["/CIDToGIDMap"] = boxes


def _descendants(font: Any) -> list[Any]:
    return [dictionary(inner) for inner in array(font.get("/DescendantFonts"))[:1]]


def _fonts(pdf: Any) -> Iterator[Any]:
    """The fonts that pages, and what they draw, name; each once."""
    seen: set[tuple[int, int]] = set()
    waiting = [dictionary(page.resources) for page in pdf.pages]
    for _ in range(_MOST_RESOURCES):
        if not waiting:
            return
        resources = waiting.pop()
        for font in _values(resources.get("/Font")):
            if _is_new(font, seen):
                yield dictionary(font)
        for drawn in _values(resources.get("/XObject")):
            if is_stream(drawn) and _is_new(drawn, seen):
                waiting.append(dictionary(drawn.get("/Resources")))


def _values(value: Any) -> list[Any]:
    found = dictionary(value)
    return [found[key] for key in found.keys()]  # noqa: SIM118  # a pikepdf dictionary is not iterable


def _is_new(value: Any, seen: set[tuple[int, int]]) -> bool:
    """An object without a number of its own is always new."""
    number: tuple[int, int] = getattr(value, "objgen", (0, 0))
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
