"""The two sizes of work: a lane decides a document's time and memory (SPEC A5, A11)."""

from enum import StrEnum


class Lane(StrEnum):
    SMALL = "small"
    LARGE = "large"
