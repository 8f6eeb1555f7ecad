"""Files on their way to the server. What has arrived stays, whatever becomes of sender and server meanwhile."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from redwell.core.uploads.arrivals import Arriving, NewFile


@dataclass(frozen=True, slots=True, kw_only=True)
class Upload:
    """Files that are sent together, to become one import."""

    id: str
    case: int
    who: str
    at_ms: int
    batch: int | None  # that was made of it


class Arrival(Protocol):
    """Bytes of one file as they come; one at a time for each file."""

    def write(self, piece: bytes) -> None:
        """TooLong where these are more than was said."""
        ...

    def finish(self) -> Arriving:
        """WrongChecksum, and nothing kept, where a checksum was sent that is not theirs."""
        ...

    def break_off(self) -> None:
        """The sender went away: what can be trusted is kept."""
        ...


class Uploads(Protocol):
    """Safe to use from several threads. NotFound where there is no such upload or file of the case."""

    def begin(self, case: int, who: str) -> Upload: ...
    def all(self) -> list[Upload]: ...
    def one(self, case: int, upload: str) -> Upload: ...
    def files(self, case: int, upload: str) -> Sequence[Arriving]: ...
    def add(self, case: int, upload: str, new: NewFile) -> Arriving: ...
    def file(self, case: int, upload: str, file: str) -> Arriving: ...
    def arrive(self, case: int, upload: str, file: str, offset: int, checksum: tuple[str, bytes] | None) -> Arrival:
        """WrongOffset where the file does not end there; InUse while another arrival is open."""
        ...

    def drop_file(self, case: int, upload: str, file: str) -> None: ...
    def drop(self, case: int, upload: str) -> None: ...
    def laid_out(self, case: int, upload: str) -> Path:
        """The folder with all files under their paths; Conflict where one is not whole yet."""
        ...

    def imported(self, case: int, upload: str, batch: int) -> None: ...
