"""Words of charts in Word and PowerPoint files: titles, series, categories. Runs in a child.

The numbers stay out: they stand in the workbook that is embedded beside the chart.
"""

from collections import Counter
from collections.abc import Iterator

from redwell.core.handler import Piece, Text
from redwell.handlers.structures.package_parts import part_text
from redwell.handlers.structures.xml_text import Grammar
from redwell.handlers.structures.zip_package import Package

# last words of the content types and of the relationships; the second is that of charts since 2016
CHARTS = frozenset({"chart", "chartex", "chartEx"})
_GRAMMAR = Grammar(
    text=frozenset({"t", "v", "pt"}),
    after={"p": "\n", "v": "\n", "pt": "\n"},
    skip=frozenset({"numCache", "numLit", "numDim", "Fallback"}),
)


def chart_text(package: Package, name: str) -> Iterator[Piece]:
    """Each word once: every series repeats the categories."""
    said: list[str] = []
    for piece in part_text(package, name, _GRAMMAR, Counter()):
        if isinstance(piece, Text):
            said.append(piece.text)
        else:
            yield piece
    lines = dict.fromkeys(line.strip() for line in "".join(said).splitlines())
    yield Text(text="".join(f"{line}\n" for line in lines if line))
