"""Limits on what comes out of an archive. Used by the archive handlers in a child."""

from collections.abc import Iterable

from redwell.core.errors import TooLarge
from redwell.core.handler import Options

_RATIO_FREE = 64 << 20  # small archives of very regular members are no bombs


class ArchiveLimit(TooLarge):
    """The archive as a whole has given as much as it may."""


class Room:
    """How much may still come out, whatever the archive declares about itself."""

    def __init__(self, archive_size: int, options: Options) -> None:
        self._member = options.max_member_bytes
        self._total = options.max_total_bytes
        self._by_ratio = max(_RATIO_FREE, archive_size * options.max_ratio)
        self._names = f"max_total_mb={options.max_total_bytes >> 20}", f"max_ratio={options.max_ratio}"
        self._taken = 0

    def check(self, member: int) -> None:
        if member > self._member:
            raise TooLarge(f"the member is larger than max_member_mb={self._member >> 20}")
        if self._taken + member > min(self._total, self._by_ratio):
            raise ArchiveLimit(f"the archive unpacks to more than {self._names[self._by_ratio < self._total]} allows")

    def take(self, member: int) -> None:
        self._taken += member

    def counted(self, chunks: Iterable[bytes]) -> Iterable[bytes]:
        """The chunks of one member, as long as there is room for them."""
        length = 0
        for chunk in chunks:
            length += len(chunk)
            self.check(length)
            yield chunk
        self.take(length)
