"""A page as page-level load files (OPT, LFP) and image lists (DII) name it. Pure."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum


class Boundary(StrEnum):
    """What begins with a page."""

    PAGE = ""
    DOCUMENT = "document"
    CHILD = "attachment"
    FOLDER = "folder"
    BOX = "box"
    SOURCE = "source"

    @property
    def begins_document(self) -> bool:
        return self is not Boundary.PAGE


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    key: str
    path: str
    volume: str = ""
    boundary: Boundary = Boundary.PAGE
    count: int | None = None  # pages of its document, where the first one says so
    offset: int = 0  # 0: the file is the page; else which page of the file
    type: str = ""  # as LFP numbers them
    rotate: int = 0  # quarter turns
    row: int = 0
    faults: tuple[tuple[str, int], ...] = ()  # code of a rule (core.loadfiles.rules) and column


def documents(pages: Iterable[Page]) -> Iterator[list[Page]]:
    """Pages by document, in order; those before the first beginning are a document of their own."""
    held: list[Page] = []
    for page in pages:
        if page.boundary.begins_document and held:
            yield held
            held = []
        held.append(page)
    if held:
        yield held
