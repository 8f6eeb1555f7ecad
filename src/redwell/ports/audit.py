"""One state of a case, for verify: what is wrong in its rows, and what to compare with bytes and index."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from redwell.core.blobs import Digests, Location
from redwell.core.case.findings import Finding
from redwell.core.case.near import Neighbour, Texted
from redwell.core.case.rows import Exhibit
from redwell.core.case.threads import Judged


@dataclass(frozen=True, slots=True)
class Kept:
    """A blob by its row; `native` holds the hashes of the document whose content it is."""

    sha256: bytes
    location: Location
    native: Digests | None


class Overtaken(Exception):
    """Somebody began to write where nobody did, and what would be read from here on may be of two states."""


class Audit(Protocol):
    """Everything is streamed; what is kept in memory does not grow with the case. Any call may raise Overtaken."""

    def imbalances(self, batch: int | None = None) -> Iterator[Finding]:
        """Rows that do not add up, of one batch or of all; cheap enough for the end of every import."""
        ...

    def guarded(self, findings: Iterator[Finding]) -> Iterator[Finding]:
        """What the database cannot read is a finding too; the other checks go on."""
        ...

    def integrity(self) -> Iterator[Finding]: ...
    def seals(self) -> Iterator[Finding]: ...
    def review_log(self) -> Iterator[Finding]:
        """Entries of the audit log that were changed or taken out."""
        ...

    def loads(self) -> Iterator[Finding]:
        """What the steps of a load have written of exhibits, and what does not follow from the rows below."""
        ...

    def judged_mails(self) -> Iterator[Judged]:
        """Mails of threads, those of one together and in the order in which they are judged."""
        ...

    def neighbours(self) -> Iterator[tuple[Texted, Neighbour]]:
        """Texts that were compared, each master before those that are near to it."""
        ...

    def discrepancies(self) -> Iterator[Finding]: ...
    def read_later(self) -> Iterator[Finding]:
        """Sources that a cancelled import left unknown, and a later batch read to their end."""
        ...

    def packs(self) -> Iterator[tuple[str, int]]:
        """Every pack that is known, in order, with the number of its blobs; loose files come first as ''."""
        ...

    def blobs(self, first: str, last: str) -> Iterator[Kept]:
        """The blobs of these packs, in the order to read them."""
        ...

    def affected(self, sha256s: Sequence[bytes]) -> dict[bytes, str]:
        """An exhibit of each content or text, or of the container it is in: what a person knows it by."""
        ...

    def exhibits(self) -> Iterator[tuple[int, bool, Exhibit | None]]:
        """Every exhibit by id: whether the index must have it, and what is known of it if that can be read."""
        ...

    def name_of(self, exhibit: int) -> str | None: ...
    def counts(self) -> tuple[int, int, int]:
        """Files that came in, exhibits, and how many of these are containers."""
        ...
