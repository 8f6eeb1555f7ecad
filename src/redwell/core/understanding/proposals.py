"""What rules or a model say of one field, with where it stands and what is doubtful about it. Pure values."""

from collections.abc import Sequence
from enum import StrEnum

import msgspec

Box = tuple[float, float, float, float]  # left, top, right, bottom, as fractions of the page


class By(StrEnum):
    RULE = "rule"
    MODEL = "model"
    BOTH = "rule and model"
    PERSON = "person"


class Doubt(StrEnum):
    """Why a person has to look; the value says it in words."""

    NOT_FOUND = "nothing was found"
    NO_QUOTE = "no quote was given"
    QUOTE_MISSING = "the quote is not in the document"
    QUOTE_UNLIKE = "the quote is only similar to what the document says"
    DOES_NOT_FOLLOW = "the value does not follow from the quote"
    AMBIGUOUS = "the quote can be read in two ways"
    DISAGREEMENT = "rule and model say different things"
    SWALLOWED = "the words hold another field's value, too"
    CHECK_FAILED = "a check across fields fails"
    SEVERAL = "the document has several candidates"
    GAP = "a part of the document could not be asked about"
    POOR_PAGE = "the page was hard to recognise there"
    UNPROVEN = "too few decisions of people to trust it"
    BELOW_THRESHOLD = "surer values of this field were wrong before"
    SAMPLE = "chosen at random to be looked at"


# These say that trust is not earned yet, or that a sample is taken; the others that something is wrong.
ROUTINE = frozenset({Doubt.UNPROVEN, Doubt.SAMPLE})


class Place(msgspec.Struct, frozen=True):
    """Where a quote was found again; page 0: in the metadata."""

    page: int
    start: int
    end: int
    likeness: float = 1.0
    boxes: tuple[Box, ...] = ()
    confidence: float = 1.0  # of the recognition of these words


class Proposal(msgspec.Struct, frozen=True):
    path: str
    value: str
    quote: str = ""
    by: By = By.RULE
    score: float = 0.0
    place: Place | None = None
    doubts: tuple[Doubt, ...] = ()

    def with_doubts(self, doubts: Sequence[Doubt]) -> "Proposal":
        kept = tuple(dict.fromkeys((*self.doubts, *doubts)))
        return msgspec.structs.replace(self, doubts=kept)

    @property
    def is_doubted(self) -> bool:
        """By evidence; not only for want of experience."""
        return any(doubt not in ROUTINE for doubt in self.doubts)
