"""The kinds of work there are (SPEC A6), as one table: where each starts and runs, what giving it up means.

Claiming, fencing, retrying, sweeping, verifying and collecting are written once and ask this table. A kind whose
handlers are not part of this release stands here all the same, and is refused by its name.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import IntEnum, StrEnum

from redwell.core.outcomes import Code
from redwell.core.work.attempts import EXTRACTION, PRINTING
from redwell.core.work.attempts import Attempts as Attempts
from redwell.core.work.lanes import Lane


class TaskType(StrEnum):
    INTAKE_MAILBOX = "intake-mailbox"
    INTAKE_DOCUMENT = "intake-document"
    INTAKE_LOADFILE = "intake-loadfile"
    UNPACK_DOCUMENT = "unpack-document"
    UNPACK_MAILBOX = "unpack-mailbox"
    UNPACK_LOADFILE_RECORD = "unpack-loadfile-record"
    UNPACK_PREPROCESSED_CONTAINER = "unpack-preprocessed-container"
    EXTRACT_TEXT = "extract-text"
    TEXT_FROM_IMAGE = "text-from-image"
    TEXT_FROM_IMAGE_LIST = "text-from-image-list"
    OCR_INLINE_IMAGES = "ocr-inline-images"
    OCR_PAGE_IMAGES = "ocr-page-images"
    RENDER_PDF = "render-pdf"
    RENDER_PAGE_IMAGES = "render-page-images"
    COMBINE_PAGE_IMAGES = "combine-page-images"
    RENDER_XLSX = "render-xlsx"


class Phase(IntEnum):
    """The order within a job (SPEC A4). What is open of the first phase keeps a batch from being searchable."""

    TEXT = 0
    RENDITION = 1
    OCR = 2


class Profile(StrEnum):
    """What a child may do; a right is given to a profile, never to parsers."""

    NONE = "none"  # the parent's own work: it moves bytes and looks into none
    PARSER = "parser"
    OFFICE = "office"
    BROWSER = "browser"
    OCR = "ocr"
    MODEL = "model"


class Purpose(StrEnum):
    """What the work on a content is for, part of its key. Reading finds out for itself which kind it is."""

    READ = "read"
    PDF = "pdf"
    PAGES = "pages"
    COMBINED_PAGES = "combined-pages"
    SHEETS = "sheets"
    IMAGE_TEXT = "image-text"
    IMAGE_LIST_TEXT = "image-list-text"
    INLINE_TEXT = "inline-text"
    PAGE_TEXT = "page-text"


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """One row of the table."""

    purpose: Purpose
    phase: Phase
    giving_up: Code
    lane: Lane = Lane.SMALL  # where it starts; a large content starts as large in any case
    attempts: Attempts = EXTRACTION
    profile: Profile = Profile.PARSER  # of a rendition its renderer's counts (core.work.renderers)
    on_spot: bool = False  # loses little when the machine is taken away (SPEC A9)
    warns: bool = False  # giving it up leaves the document as it stands (SPEC A17)


def _intake(lane: Lane = Lane.SMALL) -> Kind:
    return Kind(
        purpose=Purpose.READ,
        phase=Phase.TEXT,
        lane=lane,
        profile=Profile.NONE,
        giving_up=Code.FILE_MISSING_OR_INCOMPLETE,
    )


def _unpack(lane: Lane = Lane.SMALL) -> Kind:
    return Kind(purpose=Purpose.READ, phase=Phase.TEXT, lane=lane, giving_up=Code.FILE_MISSING_OR_INCOMPLETE)


def _rendition(purpose: Purpose) -> Kind:
    return Kind(
        purpose=purpose,
        phase=Phase.RENDITION,
        attempts=PRINTING if purpose in (Purpose.PDF, Purpose.SHEETS) else EXTRACTION,
        on_spot=purpose is Purpose.PDF,
        warns=purpose is Purpose.COMBINED_PAGES,  # its parts are there
        giving_up=Code.PDF_UNAVAILABLE,
    )


def _recognition(purpose: Purpose, *, warns: bool = False) -> Kind:
    return Kind(
        purpose=purpose,
        phase=Phase.OCR,
        profile=Profile.OCR,
        on_spot=True,
        warns=warns,
        giving_up=Code.OCR_FAILED,
    )


KINDS: Mapping[TaskType, Kind] = {
    TaskType.INTAKE_MAILBOX: _intake(Lane.LARGE),
    TaskType.INTAKE_DOCUMENT: _intake(),
    TaskType.INTAKE_LOADFILE: _intake(),
    TaskType.UNPACK_DOCUMENT: _unpack(),
    TaskType.UNPACK_MAILBOX: _unpack(Lane.LARGE),
    TaskType.UNPACK_LOADFILE_RECORD: _unpack(),
    TaskType.UNPACK_PREPROCESSED_CONTAINER: _unpack(),
    TaskType.EXTRACT_TEXT: Kind(purpose=Purpose.READ, phase=Phase.TEXT, on_spot=True, giving_up=Code.TEXT_UNAVAILABLE),
    TaskType.RENDER_PDF: _rendition(Purpose.PDF),
    TaskType.RENDER_XLSX: _rendition(Purpose.SHEETS),
    TaskType.RENDER_PAGE_IMAGES: _rendition(Purpose.PAGES),
    TaskType.COMBINE_PAGE_IMAGES: _rendition(Purpose.COMBINED_PAGES),
    TaskType.TEXT_FROM_IMAGE: _recognition(Purpose.IMAGE_TEXT),
    TaskType.TEXT_FROM_IMAGE_LIST: _recognition(Purpose.IMAGE_LIST_TEXT),
    TaskType.OCR_INLINE_IMAGES: _recognition(Purpose.INLINE_TEXT, warns=True),
    TaskType.OCR_PAGE_IMAGES: _recognition(Purpose.PAGE_TEXT),
}
# as a job's work is taken by its children
BY_TURN = tuple(sorted((t for t in KINDS if KINDS[t].profile is not Profile.NONE), key=lambda t: KINDS[t].phase))
READING = tuple(task for task in BY_TURN if KINDS[task].purpose is Purpose.READ)


Table = Callable[[TaskType], Attempts]  # how often each kind of work is tried


def by_table(task: TaskType) -> Attempts:
    return KINDS[task].attempts


def tried(small: int, large: int, plain: int) -> Table:
    """How often documents of each kind are; `plain` counts where the kind has a way to leave out what can be spared."""
    table = {
        task: replace(kind.attempts, small=small, large=large, plain=plain if kind.attempts.plain else 0)
        for task, kind in KINDS.items()
    }
    return table.__getitem__


def task_of_reading(kind: str) -> TaskType:
    """What the reading of a content is, from the kind of the handler that took it."""
    if kind == "mailbox":
        return TaskType.UNPACK_MAILBOX
    if kind == "delivery":
        return TaskType.UNPACK_PREPROCESSED_CONTAINER
    return TaskType.UNPACK_DOCUMENT if kind == "archive" else TaskType.EXTRACT_TEXT
