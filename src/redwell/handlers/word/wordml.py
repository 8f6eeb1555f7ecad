"""Reads Word's XML documents: body, headers, footers, notes, comments, text boxes, charts. Runs in a child."""

from collections import Counter
from collections.abc import Iterator
from functools import partial

from redwell.core.errors import InvalidFile, TooLarge
from redwell.core.handler import Metadata, Piece, Trouble
from redwell.core.outcomes import Code
from redwell.handlers.office.charts import CHARTS, chart_text
from redwell.handlers.office.ooxml import main_part
from redwell.handlers.structures.package_parts import flags, part_text
from redwell.handlers.structures.xml_text import Grammar
from redwell.handlers.structures.zip_package import Package
from redwell.handlers.word.word_lists import NO_LISTS
from redwell.handlers.word.word_numbers import NumberedText, numbered_lists

GRAMMAR = Grammar(
    text=frozenset({"t", "delText"}),
    after={"p": "\n", "br": "\n", "cr": "\n", "tab": "\t", "ptab": "\t", "tr": "\n", "noBreakHyphen": "-"},
    cells=frozenset({"tc"}),
    # the fallback repeats the choice for old programs
    skip=frozenset({"pPr", "rPr", "tblPr", "sectPr", "Fallback"}),
    aside={"txbxContent": "", "del": "[deleted: ", "moveFrom": "[moved from here: "},
    notice=frozenset({"ins", "del", "moveFrom", "moveTo", "vanish"}),
    label={"comment": "author"},
    said={"textpath": "string"},  # words as a drawing, as a watermark is
)
_PARTS = (
    *("header", "document", "footnotes", "endnotes", "comments", "footer", "glossary", "diagramData"),
    *sorted(CHARTS),
)


def read(package: Package) -> Iterator[Piece]:
    """Text in reading order: headers, body, notes, comments, footers; then what the document hides."""
    main = main_part(package)
    noticed: Counter[str] = Counter()
    parts = _parts(package, main)
    lists = NO_LISTS
    try:
        lists = numbered_lists(package, main)
    except (InvalidFile, TooLarge) as error:
        yield Trouble(code=Code.TEXT_UNAVAILABLE, detail=f"numbers of lists and headings: {error}", partial=False)
    reader = partial(NumberedText, lists=lists)
    for kind, name in parts:
        yield from chart_text(package, name) if kind in CHARTS else part_text(package, name, GRAMMAR, noticed, reader)
    found: dict[str, bool] = {
        "has_tracked_changes": bool(noticed.keys() & {"ins", "del", "moveFrom", "moveTo"}),
        "has_hidden": "vanish" in noticed,
        "has_hidden_text": "vanish" in noticed,
        "has_comments": any(kind == "comments" for kind, _ in parts),
    }
    yield Metadata(values=flags(found))


def _parts(package: Package, main: str) -> list[tuple[str, str]]:
    found = []
    for name, content_type in package.content_types.items():
        kind = "document" if name.lower() == main.lower() else _kind(content_type)
        if kind in _PARTS:
            found.append((kind, name))
    return sorted(found, key=lambda part: (_PARTS.index(part[0]), part[1]))


def _kind(content_type: str) -> str:
    """`application/vnd….wordprocessingml.header+xml` is a header; without `+xml` it is an embedded document."""
    if not content_type.endswith("+xml"):
        return ""
    kind = content_type.rpartition(".")[2].removesuffix("+xml")
    return "glossary" if content_type.endswith("document.glossary+xml") else kind
