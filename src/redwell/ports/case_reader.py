"""Looking at one case. It writes nothing, takes no lock and holds nobody up; safe to keep open, from several threads.

Each call is one short look at one consistent state. What is listed page by page is each exhibit once: its place in
the order never changes, whatever becomes of it meanwhile.
"""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from redwell.core.blobs import Location
from redwell.core.case.completeness import Completeness, UnreadSource
from redwell.core.case.exhibit_look import MadePart
from redwell.core.case.page_texts import RecognisedPage
from redwell.core.case.rows import (
    Activity,
    AtWork,
    Batch,
    CaseInfo,
    Exhibit,
    FailedAttempt,
    MadeArtifact,
    Page,
    ParkedWork,
    Place,
    SlowWork,
    Source,
    VolumeAccount,
    Wanted,
)
from redwell.core.jobs.job import Job, WorkerRow
from redwell.core.jobs.loader_life import Life
from redwell.core.jobs.run import Run
from redwell.core.understanding.data_query import DataQuery
from redwell.core.understanding.models import ModelChoice
from redwell.core.viewing.uploader_life import UploaderLife
from redwell.ports.audit import Audit
from redwell.ports.messaging.event_log import ParkedPost

EVERY = Wanted()


class CaseReader(Protocol):
    def is_made(self) -> bool:
        """False while whoever makes the case has not made its tables yet."""
        ...

    def info(self) -> CaseInfo:
        """UserError where another release made the case; the text says what to do."""
        ...

    # exhibits
    def exhibits(self, wanted: Wanted = EVERY) -> Iterator[Exhibit]: ...
    def page(self, after: str | None = None, limit: int = 100, wanted: Wanted = EVERY) -> Page: ...
    def some(self, keys: Sequence[int]) -> dict[int, Exhibit]:
        """Those of these ids that there are, whatever their number."""
        ...

    def given(self, field: str, value: str, prefix: bool) -> Sequence[str]:
        """The control numbers of documents with this tag, or of this thread, or near this one (core.search.given)."""
        ...

    def family(self, key: int, limit: int = 500) -> list[Exhibit]:
        """The family that this exhibit belongs to, itself among them, by control number."""
        ...

    def copies(self, key: int, limit: int = 100) -> list[Exhibit]:
        """The other exhibits with the same content, by control number."""
        ...

    def known_blobs(self, sha256s: Sequence[bytes]) -> dict[bytes, Location]: ...
    def numbered(self, controls: Sequence[str]) -> dict[str, Exhibit]:
        """Those of these control numbers that there are."""
        ...

    def with_data(self, query: DataQuery) -> list[str]:
        """Control numbers of exhibits whose content has such data; at most 20,001."""
        ...

    def model(self) -> ModelChoice:
        """By which documents become data."""
        ...

    def parts(self, exhibits: Sequence[int]) -> dict[int, list[MadePart]]:
        """The works on their contents besides the reading, the latest of each kind and range."""
        ...

    def artifacts(self, exhibit: int, page: int | None = None) -> list[MadeArtifact]:
        """What was made of its content besides the text: of each kind and page the latest; with `page` of that one,
        and the PDFs that it may be of."""
        ...

    def last_page_image(self, exhibit: int) -> int:
        """The number of the last page that there is an image of; 0: of none."""
        ...

    def recognised_texts(self, exhibits: Sequence[int]) -> dict[int, list[RecognisedPage]]:
        """Page and blob of each text that was recognised in these exhibits."""
        ...

    def blobs(self) -> Iterator[tuple[bytes, Location]]:
        """All of them, for gc; one state from beginning to end."""
        ...

    # counts
    def counts(self, batch: int | None = None) -> dict[str, int]:
        """Exhibits by outcome; of a batch that is finished they are read once."""
        ...

    def counts_by_batch(self, batches: Sequence[int]) -> dict[int, dict[str, int]]: ...
    def duplicates(self, batch: int) -> int:
        """Exhibits whose content the case had already."""
        ...

    def volumes(self) -> list[VolumeAccount]:
        """Volumes that came with load files and were read to their end."""
        ...

    def derived(self, batch: int) -> int:
        """Contents that this batch was the first to need work on."""
        ...

    def parts_in(self, batch: int) -> list[tuple[str, str, int]]:
        """Of the contents of a batch: kind of work besides the reading, outcome (none: it is open), how many."""
        ...

    def repeats_only(self, batch: int) -> bool:
        """Whether it has files with content, and none whose content was not in the case before."""
        ...

    def skipped(self, batch: int) -> int:
        """Members of its containers that are no documents, such as folders: their control numbers are not used."""
        ...

    def resolved_files(self) -> dict[int, int]:
        """Files that did not succeed, and a later batch in which they did."""
        ...

    def completeness(self, at_work: bool) -> Completeness:
        """How finished the case is; whether anybody is `at_work` on it, the caller knows."""
        ...

    def unread_sources(self, batch: int) -> list[UnreadSource]:
        """Those of a cancelled import that were not read to their end."""
        ...

    def loaders(self) -> dict[int, Life]:
        """How far the loader of each batch is, and what its uploader last said."""
        ...

    def uploaders(self) -> dict[int, UploaderLife]:
        """Of batches that have a viewing engine outside."""
        ...

    def queues(self) -> list[str]:
        """Names of the queues that its jobs have."""
        ...

    def activity(self) -> Activity:
        """How much is stored, and when somebody last worked on it or reviewed."""
        ...

    # batches, jobs, workers
    def batches(self) -> list[Batch]: ...
    def sources(self, batch: int) -> list[Source]: ...
    def sandbox(self, batch: int) -> dict[str, str]:
        """The layers that the batch's last worker had."""
        ...

    def jobs(self, *, every: bool) -> list[Job]:
        """Those that are open, or every one."""
        ...

    def runs(self, batch: int) -> list[Run]:
        """In the order they began."""
        ...

    def workers(self) -> list[WorkerRow]: ...
    def at_work(self) -> dict[str, AtWork]:
        """By worker."""
        ...

    def open_work(self) -> list[tuple[str, str, int]]:
        """Kind of work, lane, how many contents wait for it or are in it."""
        ...

    def pace(self) -> list[tuple[int, int]]:
        """When documents were complete, in ms, and how many at once; of the latest part of the journal."""
        ...

    # dead letters
    def parked(self) -> list[ParkedWork]: ...
    def places(self, work: int, limit: int = 100) -> list[Place]:
        """Where a content occurs."""
        ...

    def slow(self, limit: int = 20) -> list[SlowWork]:
        """Contents with attempts that failed, by the latest part of the journal; the newest first."""
        ...

    def failures(self, work: int) -> list[FailedAttempt]:
        """The attempts on a content that failed, the oldest first, as the journal has them."""
        ...

    def parked_posts(self) -> list[ParkedPost]: ...
    def untold(self, who: str, types: Sequence[str]) -> int:
        """Events of these types that a listener was not there to hear."""
        ...

    def audit(self) -> AbstractContextManager[Audit]:
        """One state of all rows, for as long as it takes."""
        ...

    def close(self) -> None: ...
