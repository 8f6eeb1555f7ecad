"""A list of files that are known to be of no interest, such as NSRL's."""

from collections.abc import Mapping
from typing import Any, Protocol


class KnownFiles(Protocol):
    name: str  # for the reason that is given for leaving a file out

    def __contains__(self, md5: bytes) -> bool: ...


class KnownList(KnownFiles, Protocol):
    """The same as a file of its own."""

    @property
    def count(self) -> int: ...
    @property
    def note(self) -> Mapping[str, Any]:
        """What it says of itself, its hash among it."""
        ...

    def close(self) -> None: ...
