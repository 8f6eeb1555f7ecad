"""What becomes of an exhibit: from the end of its content, and from the parts that are made of it later. Pure."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from redwell.core.outcomes import Code, Outcome
from redwell.core.reading import Problem, says
from redwell.core.type_hints import expected_types, is_own_type
from redwell.core.work.kinds import KINDS, Phase, TaskType

_ADDED_AT_THE_END = frozenset({Code.LIMIT_REACHED, Code.TYPE_MISMATCH})
_FINE = frozenset({Outcome.SUCCESS, Outcome.EMPTY, Outcome.FILTERED})  # a part that is so lacks nothing


class Ending(NamedTuple):
    """How the work on a content ended."""

    outcome: str
    detail: str
    media_type: str | None
    problems: str = "[]"  # as JSON: they are looked into for one code


class Part(NamedTuple):
    """Work beside the reading, as it ended; without an outcome it is open."""

    task: TaskType
    outcome: Outcome | None
    detail: str
    problems: tuple[Problem, ...] = ()


class Shown(NamedTuple):
    """How people see an exhibit."""

    outcome: Outcome
    problems: list[Problem]


def exhibit_end(
    name: str, problems: Sequence[Problem], content: Ending, limit: str | None = None
) -> tuple[str, list[Problem]]:
    """Its outcome and its own problems. `limit` kept the members of a container from being opened here.

    One that was reopened ends a second time: what its first end added is said anew or not at all.
    """
    outcome, told = content.outcome, [p for p in problems if p.code not in _ADDED_AT_THE_END]
    if outcome == Outcome.SUCCESS and says(content.problems, Code.OCR_PENDING):
        outcome = Outcome.PARTIAL.value  # it has pages that nobody can search yet
    if limit:
        outcome = Outcome.PARTIAL.value
        told.append(Problem(code=Code.LIMIT_REACHED, detail=f"{limit}: its members were not opened"))
    expected = expected_types(name)
    is_other = content.media_type and content.media_type not in expected and not is_own_type(content.media_type)
    if expected and outcome != Outcome.EMPTY and is_other:
        told.append(Problem(code=Code.TYPE_MISMATCH, detail=f"the content is {content.media_type}"))
    return outcome, told


def outcome_of_parts(reading: Outcome, parts: Iterable[Part]) -> Shown:
    """How an exhibit is shown, and what its parts add to its problems.

    A part that failed takes away from a success, unless the document stands without it (SPEC A17); it never hides how
    the reading itself ended.
    """
    outcome, told = reading, list[Problem]()
    for part in parts:
        if part.outcome is None:
            continue
        told += part.problems
        if part.outcome in _FINE:
            continue
        kind = KINDS[part.task]
        if not part.problems:
            told.append(Problem(code=kind.giving_up, detail=f"{part.task}: {part.detail or part.outcome}"))
        if reading is Outcome.SUCCESS and not kind.warns:
            outcome = Outcome.PARTIAL
    return Shown(outcome, told)


def shown_with_parts(reading: Outcome, read: Sequence[Problem], own: Sequence[Problem], parts: Sequence[Part]) -> Shown:
    """An exhibit whose content was read so and has these parts: its outcome, and all that is said of it.

    `read` are the problems of the content, `own` those of the exhibit. What was pending is over when all of it was
    recognised. Where nobody here can recognise anything it stays so, and says what is missing.
    """
    recognitions = [part for part in parts if KINDS[part.task].phase is Phase.OCR and not KINDS[part.task].warns]
    unable = [part for part in recognitions if part.outcome is Outcome.UNSUPPORTED]
    is_over = bool(recognitions) and not unable and all(part.outcome for part in recognitions)
    pending = [problem for problem in read if problem.code is Code.OCR_PENDING and not is_over]
    if unable:
        pending = [Problem(code=Code.OCR_PENDING, detail=unable[0].detail)]
    if any(problem.code is Code.LIMIT_REACHED for problem in own) and reading is Outcome.SUCCESS:
        reading = Outcome.PARTIAL
    outcome, more = outcome_of_parts(reading, [part for part in parts if part not in unable])
    if outcome is Outcome.SUCCESS and any(problem.code is Code.OCR_PENDING for problem in read) and not is_over:
        outcome = Outcome.PARTIAL
    told = [problem for problem in read if problem.code is not Code.OCR_PENDING]
    return Shown(outcome, [*told, *pending, *own, *more])
