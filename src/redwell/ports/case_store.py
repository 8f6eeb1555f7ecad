"""The ledger of one case. Each method is one transaction: when it returns, it has happened for good."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from redwell.core.blobs import Location
from redwell.core.events import Event
from redwell.core.jobs import Job, NewJob
from redwell.core.ledger import OpenRows
from redwell.core.records import Claim, Failure, Found, Member, Read, Result, Selection, ToRead, Walk


@dataclass(frozen=True, slots=True, kw_only=True)
class NewBatch:
    type: str
    custodian: str | None
    settings: Mapping[str, Any]
    sources: Sequence[str]  # absolute paths, quoted
    job: NewJob = field(default_factory=NewJob)


@dataclass(frozen=True, slots=True, kw_only=True)
class Want:
    """Whose work is claimed, and what: `workers` other processes at most may be on the job already; 0 is no limit.

    Without `containers` those that are known as such are left to others (`leave_containers`).
    """

    batch: int
    workers: int = 0
    large: bool = True
    containers: bool = True


class CaseStore(Protocol):
    # batches and walks
    def create_batch(self, new: NewBatch) -> int: ...
    def claim_walks(self, batch: int) -> list[Walk]: ...
    def add_found(self, walk: Walk, found: Sequence[Found]) -> int:
        """Register files of a walk; those known from an earlier walk stay as they are."""
        ...

    def close_walk(self, walk: Walk, last: Sequence[Found], listed: int) -> None:
        """The last files and their count, together: from now on the source balances."""
        ...

    # reading
    def claim_reads(self, batch: int, limit: int) -> list[ToRead]: ...
    def known_blobs(self, sha256s: Sequence[bytes]) -> dict[bytes, Location]: ...
    def record_reads(self, reads: Sequence[Read]) -> None:
        """Contents become documents; each occurrence waits on its derivation, or is done if that is."""
        ...

    # derivations
    def claim_work(self, limit: int, max_bytes: int, want: Want | None = None) -> list[Claim]:
        """Small documents, else a large one, of a job, or of any one that is open."""
        ...

    def still_held(self, claims: Sequence[tuple[int, int]]) -> set[int]:
        """Those (id, attempt) that nobody has taken back or over: their ids."""
        ...

    def record(self, members: Sequence[Member], results: Sequence[Result]) -> int:
        """Members and results of live claims, and what follows for the occurrences that wait.

        Returns how many results were dropped because their claim was over.
        """
        ...

    def blame(self, failures: Sequence[Failure]) -> None: ...
    def release(self, claims: Sequence[tuple[int, int]]) -> None: ...
    def leave_containers(self, claims: Sequence[tuple[int, int]]) -> None:
        """Given back as what they were found to be, for workers that unpack."""
        ...

    def settle_some(self, batch: int | None = None) -> int:
        """Bring occurrences forward whose derivation is ahead of them; 0 when there is none."""
        ...

    def sweep(self, alive: Callable[[str], bool]) -> int:
        """Everything that a dead worker held goes back into the queue."""
        ...

    def reopen(self, chosen: Selection, new: NewJob | None = None) -> int:
        """A new generation for every content that is chosen, or has a member that is, and for all its occurrences."""
        ...

    def finish_batch(self, batch: int) -> bool:
        """Write the end of a batch when the ledger says so."""
        ...

    def open_rows(self, batch: int) -> OpenRows: ...
    def waits_for_more_than(self, batch: int, count: int) -> bool:
        """Whether so many of its items are read and not done; asked often."""
        ...

    # jobs
    def open_jobs(self) -> list[Job]: ...
    def begin_cancelling(self, batch: int) -> bool:
        """From now on nobody begins anything of the batch; False when it has no open job."""
        ...

    def cancel_some(self, batch: int) -> int:
        """Open rows of a batch end as CANCELLED; 0 when none is left."""
        ...

    # the index's queue
    def index_again(self) -> None:
        """Every exhibit that has ended is pending."""
        ...

    def begin_indexing(self) -> None:
        """Everything pending may be taken, also what an indexer took that died since."""
        ...

    def pending_index(self, limit: int) -> Sequence[Mapping[str, Any]]:
        """Exhibits that nobody has taken as they are now; they stay pending until `indexed`."""
        ...

    def indexed(self, exhibits: Sequence[int]) -> None: ...

    # looking
    def batches(self) -> Sequence[Mapping[str, Any]]: ...
    def exhibits(self, *, batch: int | None = None, outcome: str | None = None) -> Iterator[Mapping[str, Any]]: ...
    def a_path_of(self, derivation: int) -> str | None: ...
    def concerned(self, chosen: Selection) -> dict[int, str]:
        """The outcome of every exhibit that `reopen` would concern."""
        ...

    def outcomes_of(self, exhibits: Iterable[int]) -> dict[int, str]: ...
    def counts(self, batch: int | None = None) -> dict[str, int]: ...
    def counts_by_batch(self, batches: Sequence[int]) -> dict[int, dict[str, int]]: ...
    def blobs(self) -> Iterator[tuple[bytes, Location]]: ...
    def add_event(self, event: Event) -> None: ...
    def close(self) -> None: ...
