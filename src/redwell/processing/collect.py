"""Turns what children report into rows: bytes first, then one transaction per chunk.

Runs in the importing process. The child is not believed: the pool has checked every slice already.
"""

import time
from collections.abc import Callable, Iterable
from typing import Any, Protocol

from redwell.core import wire
from redwell.core.blobs import Digests, Stored
from redwell.core.outcomes import Outcome
from redwell.core.reading import fields_of
from redwell.core.work.records import Artifact, Derived, Failure, Member, Result
from redwell.ports.blob_store import BlobStore
from redwell.ports.case_store import CaseStore
from redwell.ports.contents import keep
from redwell.processing.children.spool import SpoolCut, Spooled
from redwell.processing.results import Broken, Event, Finished, Left, MemberFound, Returned

FLUSH_S = 0.25
FLUSH_BYTES = 32 << 20
Content = Digests | Stored | None


class Claims(Protocol):
    """The book of what this process holds: runtime.worker.claims_in_flight."""

    def attempt_of(self, task: int) -> int: ...
    def part_of(self, task: int, number: int) -> Stored:
        """One of the contents that its document names."""
        ...

    def settled(self, tasks: Iterable[int]) -> None:
        """The ledger knows what became of them, or has them back."""
        ...


class Collector:
    """Holds one chunk of results in memory; nothing of it counts until `flush`."""

    def __init__(self, store: CaseStore, blobs: BlobStore, chunk: int, claims: Claims) -> None:
        self._store, self._blobs, self._chunk, self._claims = store, blobs, chunk, claims
        self._small: dict[Digests, bytes] = {}
        self._small_bytes = 0
        self._members: list[tuple[wire.Member, int, Content, list[Content]]] = []
        self._results: list[tuple[wire.Done, int, list[Content]]] = []
        self._since = 0.0

    def take(self, event: Event) -> None:
        """Everything an event's slices hold is copied or stored when this returns."""
        self._since = self._since or time.monotonic()
        match event:
            case MemberFound():
                self._take_member(event)
            case Finished():
                self._take_result(event)
            case Broken():
                self._blame(event)
            case Left():
                self._store.leave_containers([(event.task, self._claims.attempt_of(event.task))])
                self._claims.settled([event.task])
            case Returned():
                self._store.release([(task, self._claims.attempt_of(task)) for task in event.tasks])
                self._claims.settled(event.tasks)

    def _take_member(self, event: MemberFound) -> None:
        frame, content, made = event.member, None, list[Content]()
        try:
            content = self._content(event.data, Digests.of)
            made = [self._content(each, Digests.identity_of) for each in event.made]
        except SpoolCut as error:
            frame.reading = None
            if content is None:
                frame.outcome, frame.detail = Outcome.CRASHED, str(error)
        self._members.append((frame, self._claims.attempt_of(event.task), content, made))

    def _take_result(self, event: Finished) -> None:
        if event.done.outcome is Outcome.OUT_OF_MEMORY:  # it noticed by itself; it may have more in the other lane
            self._blame(Broken(event.task, event.done.outcome, event.done.detail, None))
            return
        try:
            made = [self._made(event, each, told.part) for each, told in zip(event.made, event.done.made, strict=True)]
        except SpoolCut as error:
            self._blame(Broken(event.task, Outcome.CRASHED, str(error), None))
            return
        self._results.append((event.done, self._claims.attempt_of(event.task), made))

    def _made(self, event: Finished, data: Spooled | None, part: int | None) -> Content:
        return self._content(data, Digests.identity_of) if part is None else self._claims.part_of(event.task, part)

    def _blame(self, broken: Broken) -> None:
        """What the document gave before is recorded first: reading goes on behind it."""
        self.flush()
        failure = Failure(
            derivation=broken.task,
            attempt=self._claims.attempt_of(broken.task),
            outcome=broken.outcome,
            detail=broken.detail,
            member=broken.opened,
            task=broken.as_task,
        )
        self._store.blame([failure])
        self._claims.settled([broken.task])

    def _content(self, data: Spooled | None, digest: Callable[[bytes], Digests]) -> Content:
        if data is None:
            return None
        if data.length > self._blobs.small_bytes:
            return self._blobs.spill(data.parts())
        content = data.read()
        digests = digest(content)
        if digests not in self._small:
            self._small[digests] = content
            self._small_bytes += len(content)
        return digests

    @property
    def due(self) -> bool:
        full = len(self._members) + len(self._results) >= self._chunk or self._small_bytes >= FLUSH_BYTES
        return full or bool(self._since and time.monotonic() - self._since > FLUSH_S)

    def flush(self) -> None:
        """Blobs, then rows: a kill in between leaves orphans for gc and nothing else."""
        if not (self._members or self._results):
            return
        kept = keep(self._small, self._store, self._blobs)
        self._blobs.sync()
        given = self._given()
        members = [
            _member(f, attempt, given.get((f.task, f.part)) or _stored(c, kept), _all(made, kept))
            for f, attempt, c, made in self._members
        ]
        results = [
            Result(derivation=f.task, attempt=attempt, **_told(f, _all(made, kept)))
            for f, attempt, made in self._results
        ]
        self._store.record(members, results)
        self._claims.settled(result.derivation for result in results)
        self._small, self._small_bytes, self._since = {}, 0, 0.0
        self._members, self._results = [], []

    def _given(self) -> dict[tuple[int, int | None], Stored]:
        """Members that are files of a volume, where they lie; one that is none is a failure, and no loss."""
        found: dict[tuple[int, int | None], Stored] = {}
        asked: dict[int, list[int]] = {}
        given = [(frame, frame.part) for frame, *_ in self._members if frame.part is not None]
        for frame, part in given:
            asked.setdefault(frame.task, []).append(part)
        for task, numbers in asked.items():
            files = self._store.volume_files(task, numbers)
            found |= {(task, number): stored for number, stored in files.items()}
        for frame, part in given:
            if (frame.task, part) not in found:
                frame.outcome, frame.detail = Outcome.INVALID_FILE, "it is no file of the volume"
        return found


def _stored(content: Content, kept: dict[Digests, Stored]) -> Stored | None:
    return kept[content] if isinstance(content, Digests) else content


def _all(contents: list[Content], kept: dict[Digests, Stored]) -> list[Stored]:
    return [stored for content in contents if (stored := _stored(content, kept))]


def _member(frame: wire.Member, attempt: int, stored: Stored | None, made: list[Stored]) -> Member:
    return Member(
        derivation=frame.task,
        attempt=attempt,
        locator=frame.locator,
        name=frame.name,
        role=frame.role,
        stored=stored,
        outcome=frame.outcome,
        detail=frame.detail,
        metadata=frame.metadata,
        hash_kind=frame.hash_kind,
        reading=Derived(**_told(frame.reading, made)) if frame.reading else None,
    )


def _told(frame: wire.Done, made: list[Stored]) -> dict[str, Any]:
    """What a frame says of a content, with its artifacts where they lie now."""
    artifacts = [
        Artifact(
            kind=each.kind,
            stored=stored,
            media_type=each.media_type,
            number=each.number,
            last=each.last,
            amount=each.amount,
            figures=each.figures,
        )
        for each, stored in zip(frame.made, made, strict=True)
    ]
    return {**fields_of(frame), "artifacts": tuple(artifacts)}
