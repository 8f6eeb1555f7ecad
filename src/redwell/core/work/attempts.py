"""How often each kind of work is tried: the one table of attempts (SPEC A5). Pure.

These are what settings begin with (bootstrap.configuration.figures).
"""

from dataclasses import dataclass

LOADER_MESSAGES = 3
LOADER_REDRIVES = 2  # of its dead letters when the job ends, the last of which forgives what is missing (SPEC D5)
UPLOADER_MESSAGES = 4
TASK_MESSAGES = 10  # a backstop for broken messages: the ledger counts what a child has begun
UNDERSTANDING = 3  # of a document, then a person has to look
ACQUISITION = 3  # of what a source has, then `source list` names it


@dataclass(frozen=True, slots=True)
class Attempts:
    """Of extraction, and the backstop for rows that take the whole worker down."""

    small: int = 2
    large: int = 2
    plain: int = 0  # one more behind these, with nothing that can be spared (SPEC's NO_OCR)
    deaths: int = 10
    lost_members: int = 50


EXTRACTION = Attempts()
PRINTING = Attempts(plain=1)  # of PDFs
