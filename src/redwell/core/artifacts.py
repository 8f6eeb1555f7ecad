"""What work on a content gives: its text, renditions, and what is made of them later. Part of the plug-ins' API."""

from enum import StrEnum


class ArtifactKind(StrEnum):
    TEXT = "text"
    PDF = "pdf"
    FLATTENED_PDF = "flattened-pdf"
    SEARCHABLE_PDF = "searchable-pdf"
    PAGE_IMAGE = "page-image"
    THUMBNAIL = "thumbnail"
    PAGE_TEXT = "page-text"
    WORD_BOXES = "word-boxes"
    OCR_TEXT = "ocr-text"
    OCR_OTHER = "ocr-other-text"  # what another try read on the same page, which was not kept
    OCR_CLEANED = "ocr-cleaned"  # the picture that a page which read badly was made into
    STRUCTURED_DATA = "structured-data"
    CELL_MAP = "cell-map"  # of a spreadsheet: which lines of its text are which rows (core.cell_map)
    # of records of load files: what was given
    NATIVE = "native"
    PAGE_LIST = "page-list"  # which pages were given (core.loadfiles.assembly)
    LOAD_FILE = "load-file"  # of a volume: all records with the names of their fields
