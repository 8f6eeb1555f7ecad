"""Handler for packages whose parts are drawn pages: Visio drawings and XPS documents. Runs in a child."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from redwell.core.errors import InvalidFile
from redwell.core.handler import HandlerSpec, Metadata, Options, Pages, Piece, Source
from redwell.handlers.documents.glyph_runs import GlyphText
from redwell.handlers.office import ooxml
from redwell.handlers.structures.package_parts import flags, part_text
from redwell.handlers.structures.xml_text import Grammar, XmlText
from redwell.handlers.structures.zip_package import Package

_VISIO_TYPE, _XPS_TYPE = "application/vnd.ms-visio.drawing", "application/vnd.ms-xpsdocument"
SPEC = HandlerSpec(name="xps-visio", media_types=frozenset({_VISIO_TYPE, _XPS_TYPE}), kind="document")
_VISIO = Grammar(text=frozenset({"Text"}), after={"Text": "\n"})
_VISIO_COMMENTS = Grammar(text=frozenset({"CommentEntry"}), after={"CommentEntry": "\n"})
_XPS = Grammar(text=frozenset())
_DIGITS = re.compile(r"(\d+)")


def extract(source: Source, scratch: Path, options: Options) -> Iterator[Piece]:
    """The words on every page, what the document says of itself, and the files inside it."""
    with source.open() as file:
        package = Package(file, options)
        yield from _visio(package) if options.media_type == _VISIO_TYPE else _xps(package)
        yield from ooxml.around(package, options)


def _visio(package: Package) -> Iterator[Piece]:
    """The words on every page, then comments."""
    yield from _pages(package, "visio.page+xml", _VISIO)
    comments = _of_type(package, "visio.comments+xml")
    for name in comments:
        yield from part_text(package, name, _VISIO_COMMENTS, Counter())
    yield Metadata(values=flags({"has_comments": bool(comments)}))


def _xps(package: Package) -> Iterator[Piece]:
    """The words on every page, in the order they are drawn."""
    yield from _pages(package, "xps-fixedpage+xml", _XPS, GlyphText)


def _pages(
    package: Package, content_type: str, grammar: Grammar, kind: Callable[[Grammar], XmlText] = XmlText
) -> Iterator[Piece]:
    pages = _of_type(package, content_type)
    if not pages:
        raise InvalidFile("the package holds no page")
    yield Pages(count=len(pages))
    for name in pages:
        yield from part_text(package, name, grammar, Counter(), kind)


def _of_type(package: Package, ending: str) -> list[str]:
    found = [name for name, content_type in package.content_types.items() if content_type.endswith(ending)]
    return sorted(found, key=_natural)


def _natural(name: str) -> list[str | int]:
    """page2 comes before page10."""
    return [int(part) if part.isdecimal() else part for part in _DIGITS.split(name)]
