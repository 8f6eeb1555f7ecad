"""What becomes of an exhibit: from the end of its content, and from the parts that are made of it later. Pure."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from redwell.core.outcomes import Code, Outcome
from redwell.core.reading import Problem
from redwell.core.type_hints import expected_types
from redwell.core.work.kinds import KINDS, TaskType

_ADDED_AT_THE_END = frozenset({Code.LIMIT_REACHED, Code.TYPE_MISMATCH})
_FINE = frozenset({Outcome.SUCCESS, Outcome.EMPTY, Outcome.FILTERED})  # a part that is so lacks nothing


class Ending(NamedTuple):
    """How the work on a content ended."""

    outcome: str
    detail: str
    media_type: str | None


class Part(NamedTuple):
    """Work beside the reading, as it ended."""

    task: TaskType
    outcome: Outcome
    detail: str


def exhibit_end(
    name: str, problems: Sequence[Problem], content: Ending, limit: str | None = None
) -> tuple[str, list[Problem]]:
    """Its outcome and its own problems. `limit` kept the members of a container from being opened here.

    One that was reopened ends a second time: what its first end added is said anew or not at all.
    """
    outcome, told = content.outcome, [p for p in problems if p.code not in _ADDED_AT_THE_END]
    if limit:
        outcome = Outcome.PARTIAL.value
        told.append(Problem(code=Code.LIMIT_REACHED, detail=f"{limit}: its members were not opened"))
    expected = expected_types(name)
    if expected and outcome != Outcome.EMPTY and content.media_type and content.media_type not in expected:
        told.append(Problem(code=Code.TYPE_MISMATCH, detail=f"the content is {content.media_type}"))
    return outcome, told


def outcome_of_parts(reading: Outcome, parts: Iterable[Part]) -> tuple[Outcome, list[Problem]]:
    """How an exhibit is shown, and what its parts add to its problems.

    A part that failed takes away from a success, unless the document stands without it (SPEC A17); it never hides how
    the reading itself ended.
    """
    outcome, told = reading, list[Problem]()
    for part in parts:
        if part.outcome in _FINE:
            continue
        kind = KINDS[part.task]
        told.append(Problem(code=kind.giving_up, detail=f"{part.task}: {part.detail or part.outcome}"))
        if reading is Outcome.SUCCESS and not kind.warns:
            outcome = Outcome.PARTIAL
    return outcome, told
