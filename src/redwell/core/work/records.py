"""The values that pass between the stages and the case store."""

from collections.abc import Mapping

import msgspec

from redwell.core.artifacts import ArtifactKind
from redwell.core.blobs import Location, Stored
from redwell.core.handler import HashKind, MetaValue
from redwell.core.outcomes import Outcome
from redwell.core.reading import Problem, Reading
from redwell.core.work.kinds import Profile, TaskType
from redwell.core.work.lanes import Lane
from redwell.core.work.renderers import ASSEMBLED_BY
from redwell.core.work.volumes import ASSEMBLED


class _Record(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Made once or more for every document: a frozen dataclass costs five times as much."""


class Walk(_Record, frozen=True):
    """A source to be walked; `locator` is its absolute path, quoted as core.names does."""

    id: int
    attempt: int
    batch: int
    locator: str


class Found(_Record, frozen=True):
    """A file that a walk came by. With an outcome it will not be read: a named exception, or left out for a reason."""

    locator: str
    name: str
    path: str
    size: int | None
    dates: Mapping[str, str] = {}
    outcome: Outcome | None = None
    problem: Problem | None = None
    detail: str = ""


class ToRead(_Record, frozen=True):
    """A found file, claimed for reading: `source` and `locator` together say where it lies."""

    id: int
    attempt: int
    source: str
    locator: str
    name: str
    size: int  # as the walk found it


class Read(_Record, frozen=True):
    """A file whose bytes are in the blob store (`stored`), or a named exception (`outcome`), or both: left out."""

    id: int
    attempt: int
    name: str
    stored: Stored | None = None
    outcome: Outcome | None = None
    problems: tuple[Problem, ...] = ()
    detail: str = ""
    task: TaskType = TaskType.EXTRACT_TEXT  # what is known of the work on it, which begins in the lane of that
    files: tuple[bytes, ...] = ()  # of a volume, which was put together of them: their hashes, in order

    @property
    def reason(self) -> str:
        return self.detail or "; ".join(problem.detail for problem in self.problems)


class ClaimedVolume(_Record, frozen=True):
    """A volume of a set, which is worked on with all the others (core.work.volumes)."""

    number: int
    sha256: bytes
    location: Location


class Claim(_Record, frozen=True):
    """A derivation that this worker may work on until it says otherwise or dies."""

    id: int
    attempt: int
    lane: Lane
    sha256: bytes
    location: Location
    context: str
    after: str | None
    skip: tuple[str, ...]
    volumes: tuple[ClaimedVolume, ...] = ()
    synthetic: bool = False
    task: TaskType = TaskType.EXTRACT_TEXT
    profile: Profile = Profile.PARSER  # of the children that do it
    engine: str = ""  # the name of the handler; of a reading none, which finds its own
    plain: bool = False  # the last try: without anything that can be spared

    @property
    def is_assembled(self) -> bool:
        """Its content names others, which whoever works on it is given (core.loadfiles.assembly)."""
        return self.engine in ASSEMBLED_BY if self.engine else self.context == ASSEMBLED


class Artifact(_Record, frozen=True):
    """Something made of a content, whose bytes are in the blob store."""

    kind: ArtifactKind
    stored: Stored
    media_type: str = "text/plain"
    number: int = 0
    last: int | None = None
    amount: int = 0
    figures: Mapping[str, int | float | str] = {}


class Derived(Reading, kw_only=True):
    """What a child made of one content."""

    artifacts: tuple[Artifact, ...] = ()


class Member(_Record, frozen=True):
    """One locator of a container: bytes, or a failure (`outcome`), or skipped (neither)."""

    derivation: int
    attempt: int
    locator: str
    name: str
    role: str = "member"
    stored: Stored | None = None
    outcome: Outcome | None = None
    detail: str = ""
    metadata: Mapping[str, MetaValue] = {}
    hash_kind: HashKind = "bytes"
    reading: Derived | None = None  # of its bytes, by the child that took them out; then it is no work any more


class Result(Derived, kw_only=True):
    """What came of a claim."""

    derivation: int
    attempt: int


class Failure(_Record, frozen=True):
    """A child died on this document; `member` is the (locator, name) it had announced."""

    derivation: int
    attempt: int
    outcome: Outcome
    detail: str
    member: tuple[str, str] | None = None
    task: TaskType | None = None  # what the document had turned out to be


class Selection(_Record, frozen=True):
    """Work to be done again: what fits everything that is named."""

    outcome: str = ""
    media_type: str = ""  # `image` stands for every `image/…`
    handler: str = ""  # `zip/1` is one version, `zip` stands for all
    task: TaskType | None = None  # None: every reading
    made_by_others_than: tuple[str, ...] = ()  # handlers with their versions: what these did not make
    lacking: bool = False  # PDFs and recognitions for which a program was missing
