"""Reads PowerPoint's XML presentations: slides in their order, each with its notes and comments, then what the layouts
and masters behind them show on every slide. Runs in a child."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial

from redwell.core.handler import Metadata, Pages, Piece
from redwell.handlers.office.charts import CHARTS, chart_text
from redwell.handlers.office.comment_authors import CommentText, people
from redwell.handlers.office.ooxml import main_part
from redwell.handlers.structures.package_parts import flags, part_text
from redwell.handlers.structures.xml_text import Grammar, leaves
from redwell.handlers.structures.zip_package import Package

_GRAMMAR = Grammar(
    text=frozenset({"t", "text"}),  # `text` is a comment's
    after={"p": "\n", "br": "\n", "tab": "\t", "tr": "\n", "text": "\n"},
    cells=frozenset({"tc"}),
    skip=frozenset({"pPr", "rPr", "tblPr", "Fallback"}),
)
_BEHIND = replace(_GRAMMAR, aside={"sp": ""}, prompt=frozenset({"ph"}))  # a place for text says "click to edit"
_BESIDE_A_SLIDE = frozenset({"notesSlide", "comments", "diagramData", *CHARTS})


def read(package: Package) -> Iterator[Piece]:
    """Every slide the presentation lists, hidden ones too, each followed by what hangs on it."""
    slides = _slides(package, main_part(package))
    yield Pages(count=len(slides))
    reader = partial(CommentText, people=people(package))
    beside = partial(part_text, package, grammar=_GRAMMAR, noticed=Counter[str](), kind=reader)
    beside_kinds: set[str] = set()
    layouts: dict[str, None] = {}
    hidden = 0
    for slide in slides:
        yield from part_text(package, slide, _GRAMMAR, Counter())
        hidden += _is_hidden(package, slide)
        for kind, target in sorted(package.relationships(slide).values()):
            if kind in _BESIDE_A_SLIDE and target in package:
                beside_kinds.add(kind)
                yield from chart_text(package, target) if kind in CHARTS else beside(target)
            elif kind == "slideLayout":
                layouts[target] = None
    yield from _behind(package, layouts)
    found = {
        "has_hidden": bool(hidden),
        "has_comments": "comments" in beside_kinds,
        "has_notes": "notesSlide" in beside_kinds,
    }
    yield Metadata(values={**flags(found), **({"hidden_slides": hidden} if hidden else {})})


def _behind(package: Package, layouts: Iterable[str]) -> Iterator[Piece]:
    """What stands on layouts that slides use, and on their masters; each once."""
    targets = [found for layout in layouts for found in sorted(package.relationships(layout).values())]
    masters = [target for kind, target in targets if kind == "slideMaster"]
    for part in dict.fromkeys((*layouts, *masters)):
        if part in package:
            yield from part_text(package, part, _BEHIND, Counter())


def _slides(package: Package, main: str) -> list[str]:
    targets = package.relationships(main)
    listed = []
    for name, attributes, _ in leaves(package.open(main)):
        if name == "sldId":
            listed += [targets[value][1] for value in attributes.values() if value in targets][:1]
    return [name for name in listed if name in package]


def _is_hidden(package: Package, slide: str) -> bool:
    """The mark sits on the slide's outermost element, so its first bytes tell."""
    return b'show="0"' in package.open(slide).read(4096).partition(b"cSld")[0]
