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


REMEDIES: dict[Outcome, str] = {
    Outcome.SUCCESS: "",
    Outcome.PARTIAL: "read the problem; open the native to see what is missing",
    Outcome.PASSWORD_PROTECTED: "collect the password; redwell retry --outcome PASSWORD_PROTECTED --passwords FILE",
    Outcome.INVALID_FILE: "the bytes are damaged or not what they claim; ask the source for another copy",
    Outcome.UNSUPPORTED: "no handler reads this type; review the native in its own program",
    Outcome.EMPTY: "the file holds nothing; no action unless it should",
    Outcome.FILTERED: "left out on purpose; no action",
    Outcome.TIMED_OUT: "raise large_wall_s with --set and retry, or review the native",
    Outcome.OUT_OF_MEMORY: "raise large_rss_mb with --set and retry, or review the native",
    Outcome.CRASHED: "the parser died on it twice; review the native and report the file type",
    Outcome.TOO_LARGE: "raise the limit that the reason names with --set and retry",
    Outcome.CANCELLED: "import the source again if it is wanted",
}


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
    SYMLINK_NOT_FOLLOWED = "SYMLINK_NOT_FOLLOWED"
    SPECIAL_FILE = "SPECIAL_FILE"
    VOLUME_OF = "VOLUME_OF"


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
    Code.SYMLINK_NOT_FOLLOWED: "a symbolic link; its target is not part of the source",
    Code.SPECIAL_FILE: "a pipe, socket or device; it has no content to read",
    Code.VOLUME_OF: "a volume of a set; what is in it comes out of the file that the detail names",
}

# What is said about an item that nothing is wrong with: no exception.
NOTES = frozenset({Code.VOLUME_OF})

# Where the problem says more than the outcome about what to do.
_CODE_REMEDIES: dict[str, str] = {
    Code.SOURCE_UNREADABLE: "let this user read it, then import the source again",
    Code.SOURCE_CHANGED: "copy the source to where nothing writes to it, then import the copy",
    Code.SYMLINK_NOT_FOLLOWED: "import its target if that is wanted",
    Code.SPECIAL_FILE: "it has no content; no action",
    Code.LIMIT_REACHED: "raise the limit that the reason names with --set and retry",
}


def remedy(outcome: Outcome, code: str) -> str:
    """What a person does about one problem of an item that ended so."""
    return _CODE_REMEDIES.get(code) or REMEDIES[outcome]
