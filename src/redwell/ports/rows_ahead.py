"""Rows of a volume, read by somebody who may look into load files, while its files are hashed."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from redwell.core.work.records import ClaimedVolume


class RowsBegun(Protocol):
    def look(self) -> None:
        """See to it that it goes on; takes no time. Said now and then by the thread that began it."""
        ...

    def parts(self) -> Iterator[bytes]:
        """The rows; waits for them. Nothing where they could not be read: whoever opens the volume says why."""
        ...


class RowsAhead(Protocol):
    def begun(self, order: bytes, load_files: Sequence[ClaimedVolume]) -> AbstractContextManager[RowsBegun]:
        """`order` as core.loadfiles.volume_document makes it, and where the contents lie that its header names."""
        ...
