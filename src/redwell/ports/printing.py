"""Work on what goes out that only a sandboxed child may do: pages drawn, PDFs joined, pictures read."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Protocol

from redwell.core.outcomes import Outcome
from redwell.core.reading import Problem
from redwell.core.work.kinds import Profile, TaskType


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """`length` bytes at `offset` of the file at `path`, for the handler called `engine`."""

    key: tuple[int, int]  # of whoever asks
    path: Path
    offset: int = 0
    length: int
    engine: str
    order: str = ""
    first_page: int = 1
    task: TaskType = TaskType.RENDER_PAGE_IMAGES
    profile: Profile = Profile.PARSER
    is_large: bool = False


class MadeFile(NamedTuple):
    kind: str
    number: int
    media_type: str
    data: bytes
    amount: int


class Answer(NamedTuple):
    key: tuple[int, int]
    outcome: Outcome
    detail: str
    problems: Sequence[Problem]
    made: Sequence[MadeFile]


class Printing(Protocol):
    def each(self, asked: Iterable[Asked]) -> Iterator[Answer]:
        """One answer for each, as they end, whatever becomes of the children; at most a few are held."""
        ...
