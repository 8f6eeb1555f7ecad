"""The words of one page and where they stand: the bytes of an artifact of the kind WORD_BOXES. Pure.

Boxes are fractions of the page, so that an image of any size can be marked and redacted. The words stand in the order
in which they are read.
"""

import msgspec


class Word(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """`left` and `top` are 0 at the upper left corner of the page as it is shown, `right` and `bottom` at most 1."""

    text: str
    left: float
    top: float
    right: float
    bottom: float
    confidence: float = 1.0  # of recognition; a text layer is sure of itself


class PageWords(msgspec.Struct, frozen=True, gc=False):
    width: float  # of the page, in points
    height: float
    words: list[Word] = []


MEDIA_TYPE = "application/json"
_decode = msgspec.json.Decoder(PageWords).decode


def encode(page: PageWords) -> bytes:
    return msgspec.json.encode(page)


def decode(data: bytes) -> PageWords:
    """msgspec.MsgspecError where it is something else."""
    return _decode(data)
