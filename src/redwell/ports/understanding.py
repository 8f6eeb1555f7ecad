"""Documents as data, in one case: schemas, ingestions, proposals, decisions. Each method is one step.

Safe to use from several threads and processes. Times are milliseconds since 1970, of the caller's clock.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import msgspec

from redwell.core.understanding.calibration import Decided
from redwell.core.understanding.models import ModelChoice, Spent
from redwell.core.understanding.proposals import Proposal
from redwell.core.understanding.states import DocumentState, Status
from redwell.core.understanding.turns import Answer, Claimed, Ended, Reserved, Turned, Want, Window


class KeptSchema(msgspec.Struct, frozen=True, kw_only=True):
    id: int
    name: str
    version: int
    body: str
    who: str
    at_ms: int


class Ingestion(msgspec.Struct, frozen=True, kw_only=True):
    id: int
    uid: bytes
    exhibit: int
    document: int
    schema: int | None
    source: int | None
    uploader: str | None
    source_metadata: Mapping[str, Any]
    status: Status
    attempt: int
    started_ms: int | None
    completed_ms: int | None
    quality: int | None
    structured_data: Mapping[str, Any] | None
    is_flagged: bool
    doubt: int
    model: str
    detail: str
    reviewer: str | None
    reviewed_until_ms: int


class Wish(msgspec.Struct, frozen=True, kw_only=True):
    """One exhibit's content is to be understood; it came by a source or by a person, never both."""

    exhibit: int
    schema: int | None = None
    source: int | None = None
    uploader: str | None = None
    said: Mapping[str, Any] = {}
    is_arrival: bool = False  # an ingestion of its own, also while another one for the same content is open


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """A finished import whose documents are not all asked about; behind the cursor they are not."""

    batch: int
    cursor: str = ""
    source: int | None = None
    uploader: str | None = None


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """Of a person about one field of an ingestion."""

    path: str
    kind: str  # accepted, corrected, rejected
    who: str
    after: str
    at_ms: int = 0
    before: str = ""


class DocumentData(msgspec.Struct, frozen=True, kw_only=True):
    exhibit: int
    control_number: str
    schema: str
    data: Mapping[str, Any]
    needs_review: bool


class UnderstandingStore(Protocol):
    # schemas
    def add_schema(self, name: str, body: str, who: str) -> KeptSchema:
        """A new version; the last one where nothing has changed."""
        ...

    def schemas(self, *, every: bool = False) -> list[KeptSchema]:
        """The last version of each, or every one; by name."""
        ...

    # the model of the case
    def choose_model(self, choice: ModelChoice, who: str) -> None: ...
    def model(self) -> ModelChoice: ...
    def spent(self) -> Spent: ...

    # ingestions
    def wish(self, wishes: Sequence[Wish]) -> list[bytes]:
        """Each is an ingestion from now on, by its uid; one that is open for the same content and schema stands."""
        ...

    def unplanned(self) -> list[Plan]:
        """Imports that are over, of what sources and people brought or since the case has a schema."""
        ...

    def said(self, batch: int) -> Mapping[str, Mapping[str, Any]]:
        """What the source of an import said of each arrival, by its name."""
        ...

    def note_uploader(self, batch: int, who: str) -> None: ...
    def plan_on(self, plan: Plan, wishes: Sequence[Wish], cursor: str | None) -> list[bytes]:
        """The wishes, in one step with the cursor (None: that was all); nothing where somebody else was there first."""
        ...

    def has_work(self) -> bool:
        """Something is open and there are schemas for it, or something is not asked about yet."""
        ...

    def known(self, exhibits: Sequence[int]) -> set[int]:
        """Those whose content has an ingestion."""
        ...

    def claim(self, want: Want) -> list[Claimed]:
        """Counts an attempt; one whose process died in each of its attempts has failed, and is not claimed again."""
        ...

    def beat(self, claims: Sequence[Claimed], now_ms: int) -> set[int]:
        """The claims live on; those that are lost are returned."""
        ...

    def status(self, uid: bytes) -> Status | None: ...
    def orphans(self, now_ms: int, stale_s: int) -> list[bytes]:
        """Open ones that nobody is at: to be sent again."""
        ...

    def hand_back(self, claims: Sequence[Claimed]) -> None:
        """Nobody is at these any more; it costs them no attempt, and what their owner would still write is dropped."""
        ...

    def free_dead(self, is_dead: Callable[[str], bool]) -> int:
        """Claims of owners that are known to be dead are nobody's at once; how many."""
        ...

    def end(self, ended: Sequence[Ended], answers: Sequence[Answer], now_ms: int, want: Want | None = None) -> Turned:
        """Results and failures with the answers behind them, and the next claims: all in one step."""
        ...

    def windows(self, ingestion: int) -> list[Window]: ...

    # answers
    def answer(self, key: bytes) -> Answer | None: ...
    def keep_answers(self, answers: Sequence[Answer]) -> None:
        """Each with an entry in the audit log that says what was sent; what was reserved for it is free again."""
        ...

    def reserve(self, choice: ModelChoice, wanted: Reserved) -> bool:
        """False where a budget of the case would be passed; whoever asks at the same time is counted."""
        ...

    def give_back(self, reserved: Reserved) -> None:
        """Of a question that nobody answered."""
        ...

    # looking
    def ingestion(self, key: int) -> Ingestion | None: ...
    def by_uid(self, uid: bytes) -> Ingestion | None: ...
    def of_document(self, document: int) -> Ingestion | None:
        """The first one; all have the same content."""
        ...

    def ingestions(self, exhibit: int) -> list[Ingestion]:
        """Of its content, the oldest first."""
        ...

    def state(self, exhibit: int) -> DocumentState: ...
    def counts(self) -> dict[str, int]:
        """Documents by state."""
        ...

    def proposals(self, ingestion: int) -> list[Proposal]: ...
    def decisions(self, ingestion: int) -> list[Decision]: ...
    def data(self, after: int = 0, limit: int = 500) -> list[DocumentData]:
        """By exhibit; the first exhibit of each content."""
        ...

    # people
    def next_doubt(self, who: str, now_ms: int, lease_s: int, after: int = 0) -> Ingestion | None:
        """The most doubtful one that nobody else has before them; it is this person's for so long."""
        ...

    def release(self, ingestion: int, who: str) -> None: ...
    def decide(self, ingestion: int, decisions: Sequence[Decision], now_ms: int) -> Ingestion:
        """Conflict where another person has it before them. The document's data follow at once."""
        ...

    def decided(self, schema_name: str) -> list[Decided]:
        """All that people decided about documents of this schema, for its thresholds."""
        ...

    def close(self) -> None: ...
