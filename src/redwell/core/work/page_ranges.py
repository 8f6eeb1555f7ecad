"""Which pages a piece of work is about, as part of the context in its key (SPEC C1). Pure.

A context is the one of the reading, then `@` and the beginning of the input's hash where that is an artifact, then `#`
and a range of pages where there are more of them than one child is given at once.
"""

from typing import NamedTuple

from redwell.core.work.kinds import TaskType

AT_ONCE = 100
IN_RANGES = frozenset({TaskType.RENDER_PAGE_IMAGES, TaskType.OCR_PAGE_IMAGES, TaskType.TEXT_FROM_IMAGE_LIST})
_INPUT, _PAGES = "@", "#"


class PageRange(NamedTuple):
    first: int = 1
    last: int = 0  # 0: to the end


WHOLE = PageRange()


def ranges_of(task: TaskType, pages: int | None) -> list[PageRange]:
    """How the pages of a document are shared out: all of them once, in order."""
    if task not in IN_RANGES or not pages or pages <= AT_ONCE:
        return [WHOLE]
    return [PageRange(first, min(first + AT_ONCE - 1, pages)) for first in range(1, pages + 1, AT_ONCE)]


def rendition_context(reading: str, made_of: bytes | None, pages: PageRange) -> str:
    of = f"{_INPUT}{beginning(made_of)}" if made_of else ""
    return reading + of + ("" if pages == WHOLE else f"{_PAGES}{pages.first}-{pages.last}")


def beginning(sha256: bytes) -> str:
    return sha256.hex()[:16]


def reading_in(context: str) -> str:
    """The context of the reading that the work follows from."""
    return context.partition(_PAGES)[0].partition(_INPUT)[0]


def input_in(context: str) -> str:
    """The beginning of the hash of the artifact that the work is about; nothing: the document itself."""
    return context.partition(_PAGES)[0].partition(_INPUT)[2]


def range_in(context: str) -> PageRange:
    first, _, last = context.partition(_PAGES)[2].partition("-")
    return PageRange(int(first), int(last)) if last else WHOLE
