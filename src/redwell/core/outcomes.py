"""The named ends of an item, and the named problems it may carry (SPEC A20)."""

from enum import StrEnum


class Outcome(StrEnum):
    """Every item ends in exactly one of these; nothing ends without one."""

    SUCCESS = "SUCCESS"
    PARTIAL = "PARTIAL"
    PASSWORD_PROTECTED = "PASSWORD_PROTECTED"
    INVALID_FILE = "INVALID_FILE"
    UNSUPPORTED = "UNSUPPORTED"
    EMPTY = "EMPTY"
    FILTERED = "FILTERED"
    TIMED_OUT = "TIMED_OUT"
    OUT_OF_MEMORY = "OUT_OF_MEMORY"
    CRASHED = "CRASHED"
    TOO_LARGE = "TOO_LARGE"
    CANCELLED = "CANCELLED"


class Code(StrEnum):
    """What went wrong with a part of an item; an item may carry several."""

    TEXT_UNAVAILABLE = "TEXT_UNAVAILABLE"
    PDF_UNAVAILABLE = "PDF_UNAVAILABLE"
    OCR_FAILED = "OCR_FAILED"
    FILE_MISSING_OR_INCOMPLETE = "FILE_MISSING_OR_INCOMPLETE"
    LIMIT_REACHED = "LIMIT_REACHED"
    TYPE_MISMATCH = "TYPE_MISMATCH"
    COUNT_MISMATCH = "COUNT_MISMATCH"
    MEMBER_FAILED = "MEMBER_FAILED"
    HANDLER_ERROR = "HANDLER_ERROR"
    METADATA_UNAVAILABLE = "METADATA_UNAVAILABLE"
    SOURCE_CHANGED = "SOURCE_CHANGED"
    SOURCE_UNREADABLE = "SOURCE_UNREADABLE"
    SOURCE_VANISHED = "SOURCE_VANISHED"
    SYMLINK_NOT_FOLLOWED = "SYMLINK_NOT_FOLLOWED"
    SPECIAL_FILE = "SPECIAL_FILE"
    VOLUME_OF = "VOLUME_OF"
    NO_MAILBOX = "NO_MAILBOX"
    NO_TRANSCRIPT = "NO_TRANSCRIPT"
    OCR_PENDING = "OCR_PENDING"
    NO_TEXT = "NO_TEXT"
    PARTLY_UNREAD = "PARTLY_UNREAD"
    ENGINE_MISSING = "ENGINE_MISSING"
    LOADFILE_AS_TEXT = "LOADFILE_AS_TEXT"


CODE_MEANINGS: dict[Code, str] = {
    Code.TEXT_UNAVAILABLE: "the document stands, its text could not be read",
    Code.PDF_UNAVAILABLE: "the document stands, no PDF could be made of it",
    Code.OCR_FAILED: "the document stands, character recognition failed on it",
    Code.FILE_MISSING_OR_INCOMPLETE: "the bytes were not all there when they were read",
    Code.LIMIT_REACHED: "a configured limit stopped the work; the detail names it",
    Code.TYPE_MISMATCH: "the content is of another type than the name says",
    Code.COUNT_MISMATCH: "the container's own index and what was found in it differ",
    Code.MEMBER_FAILED: "a member of the container could not be taken out",
    Code.HANDLER_ERROR: "a handler failed on this file with an error of its own",
    Code.METADATA_UNAVAILABLE: "the document stands, its metadata could not be read",
    Code.SOURCE_CHANGED: "the source file changed while it was being read",
    Code.SOURCE_UNREADABLE: "the operating system refused to read the source file",
    Code.SOURCE_VANISHED: "the source file was there when its folder was listed, and gone when it was to be read",
    Code.SYMLINK_NOT_FOLLOWED: "a symbolic link; its target is not part of the source",
    Code.SPECIAL_FILE: "a pipe, socket or device; it has no content to read",
    Code.VOLUME_OF: "a volume of a set; what is in it comes out of the file that the detail names",
    Code.NO_MAILBOX: "the import was to have mailboxes alone (--type mailbox), and this is none",
    Code.NO_TRANSCRIPT: "the import was to have transcripts alone (--type transcript), and this is none",
    Code.OCR_PENDING: "pages that are pictures of text, which nothing has recognised yet",
    Code.NO_TEXT: "pages without any readable text, also after character recognition",
    Code.PARTLY_UNREAD: "pages of which recognition has read a part; what lies in shadow was not read",
    Code.ENGINE_MISSING: "it is shown as plain text, since the program that would show it as it looks is not installed",
    Code.LOADFILE_AS_TEXT: "a load file was read as text; what it says of other files is not in the case",
}

# What is said about an item that nothing is wrong with: no exception.
NOTES = frozenset({Code.VOLUME_OF})
