"""Pages to look at: images, and where the words on them stand. What is not made yet is not there, and is no error."""

from dataclasses import dataclass
from typing import Protocol

from redwell.core.page_words import PageWords


@dataclass(frozen=True, slots=True, kw_only=True)
class PageImage:
    media_type: str
    data: bytes


class View(Protocol):
    """Of one case. Safe to use from several threads."""

    def pages(self, exhibit: int) -> int:
        """How many images there are; 0: the text is all that can be shown yet."""
        ...

    def image(self, exhibit: int, page: int) -> PageImage | None:
        """From page 1 on."""
        ...

    def words(self, exhibit: int, page: int) -> PageWords | None: ...
