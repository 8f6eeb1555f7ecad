"""The types of work there are (of SPEC A6's), and the problem a document carries when the last attempt failed (A17)."""

from collections.abc import Mapping
from enum import StrEnum

from redwell.core.outcomes import Code


class TaskType(StrEnum):
    INTAKE_DOCUMENT = "intake-document"  # a file is read
    UNPACK_DOCUMENT = "unpack-document"  # a content gives members
    EXTRACT_TEXT = "extract-text"  # of any other content, with its metadata


GIVEN_UP: Mapping[TaskType, Code] = {
    TaskType.INTAKE_DOCUMENT: Code.FILE_MISSING_OR_INCOMPLETE,
    TaskType.UNPACK_DOCUMENT: Code.FILE_MISSING_OR_INCOMPLETE,
    TaskType.EXTRACT_TEXT: Code.TEXT_UNAVAILABLE,
}


def task_on(members: int) -> TaskType:
    """What the work on a content was: only its members tell that it is unpacked."""
    return TaskType.UNPACK_DOCUMENT if members else TaskType.EXTRACT_TEXT
