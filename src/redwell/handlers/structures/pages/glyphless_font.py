"""Fonts that show nothing and say everything: for the text behind a scan. Called by the maker of PDFs, in the child.

A Type 3 font whose one glyph is empty needs no font file, and its box is what a reader selects. Each font has 256
codes, and names the character of each; a document that has more characters gets a further font.
"""

from typing import Any

_CODES = 256
_SPACE = " "
_CMAP = (
    "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CIDSystemInfo << /Registry (Adobe) /Ordering (UCS)"
    " /Supplement 0 >> def /CMapName /Adobe-Identity-UCS def /CMapType 2 def 1 begincodespacerange <00> <FF>"
    " endcodespacerange {}endcmap CMapName currentdict /CMap defineresource pop end end"
)


class GlyphlessFonts:
    """The fonts of one document; each character gets its code when it is first asked for."""

    def __init__(self) -> None:
        self._codes: dict[str, tuple[int, int]] = {}

    def shown(self, text: str) -> list[tuple[int, bytes]]:
        """Runs of the text as (number of the font, codes)."""
        runs: list[tuple[int, bytearray]] = []
        for char in text:
            font, code = self._codes.setdefault(char, divmod(len(self._codes), _CODES))
            if not runs or runs[-1][0] != font:
                runs.append((font, bytearray()))
            runs[-1][1].append(code)
        return [(font, bytes(codes)) for font, codes in runs]

    def made(self, pdf: Any) -> list[Any]:
        """The fonts as objects of a PDF; asked for when all text was shown."""
        chars = list(self._codes)
        return [_font(pdf, chars[at : at + _CODES]) for at in range(0, len(chars), _CODES)]


def _font(pdf: Any, chars: list[str]) -> Any:
    from pikepdf import Array, Dictionary, Name

    last = len(chars) - 1
    return pdf.make_indirect(
        Dictionary(
            Type=Name.Font,
            Subtype=Name.Type3,
            FontBBox=Array([0, -250, 1000, 750]),
            FontMatrix=Array([0.001, 0, 0, 0.001, 0, 0]),
            CharProcs=Dictionary(g=pdf.make_stream(b"1000 0 0 -250 1000 750 d1")),
            Encoding=Dictionary(Type=Name.Encoding, Differences=Array([0, *([Name.g] * len(chars))])),
            FirstChar=0,
            LastChar=last,
            Widths=Array([1000] * len(chars)),
            Resources=Dictionary(),
            ToUnicode=pdf.make_stream(_characters(chars).encode()),
        )
    )


def _characters(chars: list[str]) -> str:
    """100 at a time, as the format wants it."""
    lines = [f"<{code:02X}> <{char.encode('utf-16-be', 'replace').hex()}>" for code, char in enumerate(chars)]
    blocks = (lines[at : at + 100] for at in range(0, len(lines), 100))
    return _CMAP.format("".join(f"{len(block)} beginbfchar {' '.join(block)} endbfchar " for block in blocks))
