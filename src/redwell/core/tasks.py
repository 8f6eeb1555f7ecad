"""The types of work on a document (SPEC A6), and what becomes of one whose last attempt failed (A17). Pure."""

from dataclasses import dataclass
from enum import StrEnum

from redwell.core.outcomes import Code


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


class Next(StrEnum):
    AGAIN_WITHOUT_OCR = "again without OCR"
    END = "end"


@dataclass(frozen=True, slots=True, kw_only=True)
class Recovery:
    """After the last failure: what comes next, the problem the document carries, whether it completes by this."""

    next: Next = Next.END
    code: Code | None = None
    warning: bool = False  # the document stands as it is
    completes: bool = False  # without this end the document would never be DOCUMENT_PROCESSED


_PDF = frozenset({TaskType.RENDER_PDF, TaskType.RENDER_XLSX})
_PICTURES = frozenset({TaskType.OCR_INLINE_IMAGES, TaskType.OCR_PAGE_IMAGES})
_IMAGES = frozenset({TaskType.RENDER_PAGE_IMAGES, TaskType.COMBINE_PAGE_IMAGES})
_TEXT = frozenset({TaskType.EXTRACT_TEXT, TaskType.TEXT_FROM_IMAGE, TaskType.TEXT_FROM_IMAGE_LIST})


def recover(task: TaskType, *, without_ocr: bool = False) -> Recovery:
    """A PDF is tried once more without OCR; everything else ends with what there is, under a name."""
    if task in _PDF:
        return Recovery(code=Code.PDF_UNAVAILABLE) if without_ocr else Recovery(next=Next.AGAIN_WITHOUT_OCR)
    if task in _IMAGES:
        return Recovery(code=Code.PDF_UNAVAILABLE)
    if task in _PICTURES:
        return Recovery(code=Code.OCR_FAILED, warning=True)
    if task in _TEXT:
        return Recovery(code=Code.TEXT_UNAVAILABLE, completes=True)
    return Recovery(code=Code.FILE_MISSING_OR_INCOMPLETE, completes=True)
