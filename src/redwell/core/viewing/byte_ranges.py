"""The part of a file that a request asks for by its Range header (RFC 9110, 14.2). Pure."""

import re
from dataclasses import dataclass

_ONE = re.compile(r"bytes=(\d{0,18})-(\d{0,18})")


@dataclass(frozen=True, slots=True)
class Part:
    """`length` bytes from `first` on; of an empty file there is no part."""

    first: int
    length: int


class NoSuchPart(ValueError):
    """It begins behind the end of the file."""


def asked_part(header: str, size: int) -> Part | None:
    """None: all of it, also where the header is none that we know, or asks for several parts."""
    match = _ONE.fullmatch(header.strip())
    if match is None or match.groups() == ("", ""):
        return None
    first, last = match.groups()
    if not first:  # so many at the end
        length = min(int(last), size)
        if not length:
            raise NoSuchPart
        return Part(size - length, length)
    if last and int(last) < int(first):
        return None
    if int(first) >= size:
        raise NoSuchPart
    end = min(int(last) + 1, size) if last else size
    return Part(int(first), end - int(first))
