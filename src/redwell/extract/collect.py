"""Turns what children report into rows: bytes first, then one transaction per chunk.

Runs in the importing process. The child is not believed: the pool has checked every slice already.
"""

import time
from collections.abc import Callable
from typing import Any

from redwell.core import wire
from redwell.core.blobs import Digests, Stored
from redwell.core.lanes import Lane
from redwell.core.outcomes import Outcome
from redwell.core.records import Claim, Failure, Member, Problem, Reading, Result
from redwell.core.volumes import name_in
from redwell.extract.results import Broken, Event, Finished, MemberFound, Returned
from redwell.extract.spool import SpoolCut, Spooled
from redwell.ports.blob_store import BlobStore
from redwell.ports.case_store import CaseStore
from redwell.ports.contents import keep

FLUSH_S = 0.25
FLUSH_BYTES = 32 << 20
Content = Digests | Stored | None


class Collector:
    """Holds one chunk of results in memory; nothing of it counts until `flush`."""

    def __init__(self, store: CaseStore, blobs: BlobStore, chunk: int) -> None:
        self._store, self._blobs, self._chunk = store, blobs, chunk
        self._claims: dict[int, Claim] = {}
        self._small: dict[Digests, bytes] = {}
        self._small_bytes = 0
        self._members: list[tuple[wire.Member, int, Content, Content]] = []
        self._results: list[tuple[wire.Done, int, Content]] = []
        self._since = 0.0

    def expect(self, claims: list[Claim]) -> None:
        self._claims.update({claim.id: claim for claim in claims})

    def take(self, event: Event) -> None:
        """Everything an event's slices hold is copied or stored when this returns."""
        self._since = self._since or time.monotonic()
        match event:
            case MemberFound():
                self._take_member(event)
            case Finished():
                self._take_result(event)
            case Broken():
                self._blame(event.task, event.outcome, event.detail, event.opened)
            case Returned():
                self._store.release([(task, self._claims.pop(task).attempt) for task in event.tasks])

    def _take_member(self, event: MemberFound) -> None:
        frame, content, text = event.member, None, None
        try:
            content = self._content(event.data, Digests.of)
            text = self._content(event.text, Digests.identity_of)
        except SpoolCut as error:
            frame.reading = None
            if content is None:
                frame.outcome, frame.detail = Outcome.CRASHED, str(error)
        self._members.append((frame, self._claims[event.task].attempt, content, text))

    def _take_result(self, event: Finished) -> None:
        if event.done.outcome is Outcome.OUT_OF_MEMORY:  # it noticed by itself; it may have more in the other lane
            self._blame(event.task, event.done.outcome, event.done.detail, None)
            return
        try:
            text = self._content(event.text, Digests.identity_of)
        except SpoolCut as error:
            self._blame(event.task, Outcome.CRASHED, str(error), None)
            return
        self._results.append((event.done, self._claims.pop(event.task).attempt, text))

    def _blame(self, task: int, outcome: Outcome, detail: str, member: tuple[str, str] | None) -> None:
        """What the document gave before is recorded first: reading goes on behind it."""
        self.flush()
        attempt = self._claims.pop(task).attempt
        failure = Failure(derivation=task, attempt=attempt, outcome=outcome, detail=detail, member=member)
        self._store.blame([failure])

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
        members = [_member(f, attempt, _stored(c, kept), _stored(text, kept)) for f, attempt, c, text in self._members]
        results = [_result(f, attempt, _stored(c, kept)) for f, attempt, c in self._results]
        self._store.record(members, results)
        self._small, self._small_bytes, self._since = {}, 0, 0.0
        self._members, self._results = [], []


def _stored(content: Content, kept: dict[Digests, Stored]) -> Stored | None:
    return kept[content] if isinstance(content, Digests) else content


def _member(frame: wire.Member, attempt: int, stored: Stored | None, text: Stored | None) -> Member:
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
        reading=Reading(**_told(frame.reading, text)) if frame.reading else None,
    )


def _result(frame: wire.Done, attempt: int, text: Stored | None) -> Result:
    return Result(derivation=frame.task, attempt=attempt, **_told(frame, text))


def _told(frame: wire.Done, text: Stored | None) -> dict[str, Any]:
    return {
        "outcome": frame.outcome,
        "detail": frame.detail,
        "media_type": frame.media_type,
        "kind": frame.kind,
        "handler": frame.handler,
        "text": text,
        "text_chars": frame.text_chars,
        "pages": frame.pages,
        "container": frame.container,
        "declared": frame.declared,
        "metadata": frame.metadata,
        "problems": tuple(Problem(code=p.code, detail=p.detail) for p in frame.problems),
    }


def task_of(claim: Claim, path: str, offset: int, passwords: list[str]) -> wire.Task:
    """The frame for one claim; the name says no more than the derivation's key does."""
    return wire.Task(
        id=claim.id,
        path=path,
        offset=offset,
        length=claim.location.length,
        name=name_in(claim.context),
        passwords=passwords,
        after=claim.after,
        skip=list(claim.skip),
        synthetic=claim.synthetic,
        # later attempts are plain, and there are some: what kills a child must be told from its container
        inside=claim.attempt == 1 and claim.lane is Lane.SMALL,
    )
