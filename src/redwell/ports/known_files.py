"""A list of files that are known to be of no interest, such as NSRL's."""

from typing import Protocol


class KnownFiles(Protocol):
    name: str  # for the reason that is given for leaving a file out

    def __contains__(self, md5: bytes) -> bool: ...
