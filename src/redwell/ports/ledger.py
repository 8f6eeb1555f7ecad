"""The ledger of one case, by role. Each method is one transaction: when it returns, it has happened for good."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from redwell.core.blobs import Location, Stored
from redwell.core.case.settled import Settled
from redwell.core.jobs.job import NewJob
from redwell.core.work.records import Claim, Failure, Found, Member, Read, Result, Selection, ToRead, Walk
from redwell.core.work.renderers import OF_READING, Turn
from redwell.core.work.transitions import OpenRows, Standing


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

    `turns` are the kinds that it can do now and by which children, in order; those that it found to be of another kind
    it gives back as such (`leave_containers`).
    """

    batch: int
    workers: int = 0
    large: bool = True
    turns: tuple[Turn, ...] = OF_READING


class KnownBlobs(Protocol):
    def known_blobs(self, sha256s: Sequence[bytes]) -> dict[bytes, Location]:
        """Where those lie that are stored."""
        ...


class Sources(KnownBlobs, Protocol):
    """Finding and reading files."""

    def source_paths(self, batch: int) -> list[bytes]: ...
    def claim_walks(self, batch: int) -> list[Walk]: ...
    def add_found(self, walk: Walk, found: Sequence[Found]) -> int:
        """Register files of a walk; those known from an earlier walk stay as they are."""
        ...

    def close_walk(self, walk: Walk, last: Sequence[Found], listed: int) -> None:
        """The last files and their count, together: from now on the source balances."""
        ...

    def claim_reads(self, batch: int, limit: int) -> list[ToRead]: ...
    def add_contents(self, stored: Sequence[Stored]) -> None:
        """Files of a volume become documents; which volume has them is told when it is recorded itself."""
        ...

    def record_reads(self, reads: Sequence[Read]) -> None:
        """Contents become documents; each occurrence waits on its derivation, or is done if that is."""
        ...


class Results(KnownBlobs, Protocol):
    """What came of claims."""

    def volume_files(self, derivation: int, numbers: Sequence[int]) -> dict[int, Stored]:
        """Where these files of the volume lie that a claim is about (core.loadfiles.volume_document)."""
        ...

    def record(self, members: Sequence[Member], results: Sequence[Result]) -> int:
        """Members and results of live claims, and what follows for the occurrences that wait.

        Returns how many results were dropped because their claim was over.
        """
        ...

    def blame(self, failures: Sequence[Failure]) -> None: ...


class Claims(Protocol):
    """Who works on what."""

    def claim_work(self, limit: int, max_bytes: int, want: Want | None = None) -> list[Claim]:
        """Small documents, else a large one, of a job, or of any one that is open."""
        ...

    def still_held(self, claims: Sequence[tuple[int, int]]) -> set[int]:
        """Those (id, attempt) that nobody has taken back or over: their ids."""
        ...

    def release(self, claims: Sequence[tuple[int, int]]) -> None: ...
    def leave_containers(self, claims: Sequence[tuple[int, int]]) -> None:
        """Given back as what they were found to be, for workers that unpack."""
        ...

    def sweep(self, alive: Callable[[str], bool]) -> int:
        """Everything that a dead worker held goes back into the queue."""
        ...

    def a_path_of(self, derivation: int) -> str | None:
        """One of the places where its content lies, for people."""
        ...

    def identity_of(self, derivation: int) -> dict[str, Any]:
        """What a log line says about the occurrences of a content."""
        ...


class Batches(Protocol):
    """From the beginning of a batch to its end, and how far it is."""

    on_settled: Callable[[Settled], None]

    def create_batch(self, new: NewBatch) -> int: ...
    def settle_some(self, batch: int | None = None) -> int:
        """Bring occurrences forward whose derivation is ahead of them; 0 when there is none."""
        ...

    def finish_batch(self, batch: int) -> bool:
        """Write the end of a batch when the ledger says so."""
        ...

    def standing(self, batch: int) -> Standing:
        """Cheap, however many rows are open."""
        ...

    def open_parts(self, batch: int) -> tuple[int, int]:
        """How many renditions, and how many recognitions, it waits for."""
        ...

    def open_rows(self, batch: int) -> OpenRows: ...
    def waits_for_more_than(self, batch: int, count: int) -> bool:
        """Whether so many of its items are read and not done; asked often."""
        ...


class Retries(Protocol):
    """Contents that are read again."""

    def reopen(self, chosen: Selection, new: NewJob | None = None) -> int:
        """A new generation for every content that is chosen, or has a member that is, and for all its occurrences."""
        ...

    def retry_parked(self, keys: Sequence[int], new: NewJob) -> int:
        """Those among the keys that are parked, or all without keys; how many."""
        ...

    def want_parts(self, exhibits: Sequence[int], new: NewJob) -> set[int]:
        """What the recipe asks for of these exhibits, and what could not be done here before; the batches that have
        such work open now, each with a job."""
        ...

    def concerned(self, chosen: Selection) -> dict[int, str]:
        """The outcome of every exhibit that `reopen` would concern."""
        ...

    def concerned_by_parked(self, keys: Sequence[int]) -> dict[int, str]:
        """The outcome of every exhibit that `retry_parked` would concern."""
        ...

    def outcomes_of(self, exhibits: Iterable[int]) -> dict[int, str]: ...
