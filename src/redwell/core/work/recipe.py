"""What the work of a case is keyed by, besides the content: which engine, which settings, for each kind of work."""

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from typing import NamedTuple

from redwell.core.artifacts import ArtifactKind
from redwell.core.outcomes import Outcome
from redwell.core.work.kinds import KINDS, TaskType
from redwell.core.work.lanes import Lane
from redwell.core.work.renderers import Goal, Renderer

# Reading finds its handler itself, so its key names none: which one it was, with its version, is part of the result,
# and what another version made is read anew on request only.
READ_ENGINE = "read/1"
_OF_READING = frozenset({ArtifactKind.TEXT, ArtifactKind.PAGE_LIST})  # there when a content is read, or never
Tried = tuple[str, str]  # an engine, and the digest of the settings it had
_RENDERED = frozenset({Outcome.SUCCESS, Outcome.PARTIAL})


class ReadContent(NamedTuple):
    """A content as its reading left it."""

    task: str
    media_type: str | None
    outcome: str | None
    is_pending: bool = False  # it has pages that are pictures of text


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendition:
    """Work that a job wants done on its documents: by whom, with which settings."""

    renderer: Renderer
    settings: str  # a digest of those that change what it makes
    if_pending: bool = False  # only of documents with pages that are pictures of text


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    settings: str  # a digest of those that change what is read
    large_bytes: int
    renditions: tuple[Rendition, ...] = ()  # in the order of the table of renderers

    def lane(self, size: int, task: TaskType = TaskType.EXTRACT_TEXT) -> Lane:
        return Lane.LARGE if size > self.large_bytes else KINDS[task].lane

    def to_render(
        self, content: ReadContent, made: Mapping[ArtifactKind, int], failed: Set[Tried] = frozenset()
    ) -> Iterator[Rendition]:
        """What can be made of a content now, from its own bytes or from what was `made` of it, with its amount.

        Of the rows for one goal the first that takes the content counts, whether it can begin yet or not; where that is
        among the `failed`, the first that stands in for it.
        """
        if content.outcome not in _RENDERED or content.task != TaskType.EXTRACT_TEXT:
            return
        served, lacking = set[Goal](), set[Goal]()
        for rendition in self.renditions:
            row = rendition.renderer
            if row.goal in served or not row.takes(content.media_type):
                continue
            if row.needs in _OF_READING and not made.get(row.needs):
                continue
            if row.instead != (row.goal in lacking):
                continue
            if (row.engine, rendition.settings) in failed:
                lacking.add(row.goal)
                continue
            served.add(row.goal)
            has_input = row.needs is None or row.needs in made
            if has_input and (content.is_pending or not rendition.if_pending):
                yield rendition
