"""What the work of a case is keyed by, besides the content: which engine, which settings, for each kind of work."""

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, field

from redwell.core.artifacts import ArtifactKind
from redwell.core.outcomes import Outcome
from redwell.core.work.kinds import KINDS, TaskType
from redwell.core.work.lanes import Lane

# Reading finds its handler itself, so its key names none: which one it was, with its version, is part of the result,
# and what another version made is read anew on request only.
READ_ENGINE = "read/1"
_RENDERED = frozenset({Outcome.SUCCESS, Outcome.PARTIAL})


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendition:
    """A kind of work that a job wants done for its documents: by which engine, with which settings."""

    engine: str  # name and version of the handler
    settings: str  # a digest of those that change what it makes
    media_types: frozenset[str] = frozenset()  # that it takes; empty: any


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    settings: str  # a digest of those that change what is read
    large_bytes: int
    renditions: Mapping[TaskType, Rendition] = field(default_factory=dict)

    def lane(self, size: int, task: TaskType = TaskType.EXTRACT_TEXT) -> Lane:
        return Lane.LARGE if size > self.large_bytes else KINDS[task].lane

    def to_render(self, media_type: str | None, outcome: str | None, made: Set[ArtifactKind]) -> Iterator[TaskType]:
        """What can be made of a content that was read so, from its own bytes or from what was `made` of it."""
        if outcome not in _RENDERED:
            return
        for task, rendition in self.renditions.items():
            needs = KINDS[task].needs
            if rendition.media_types and media_type not in rendition.media_types:
                continue
            if needs is None or needs in made:
                yield task
