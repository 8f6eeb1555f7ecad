"""What there is of an exhibit to hand out: its bytes, its text, the PDF that was made of it."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, Protocol

from redwell.core.case.rows import Exhibit
from redwell.core.page_words import PageWords


class PdfPlace(NamedTuple):
    """Where a child reads it."""

    path: Path
    offset: int
    length: int
    pages: int


class Materials(Protocol):
    def native(self, exhibit: Exhibit) -> Iterator[bytes]:
        """In parts; nothing where it has no bytes of its own."""
        ...

    def text(self, exhibit: Exhibit) -> str:
        """With what was recognised on its pages."""
        ...

    def pdf(self, exhibit: Exhibit) -> PdfPlace | None:
        """With notes and forms merged into the pages; None: there is none, or none yet."""
        ...

    def pages(self, exhibit: Exhibit) -> int:
        """Of that PDF; 0: there is none."""
        ...

    def words(self, exhibit: Exhibit) -> dict[int, PageWords]:
        """By page, of those whose words have known places."""
        ...
