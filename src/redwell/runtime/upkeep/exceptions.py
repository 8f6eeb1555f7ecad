"""What needs a person: one row per problem, with what to do about it. Called by the command line."""

from collections.abc import Iterable, Iterator, Mapping

from redwell.core.case.rows import OPEN, Exhibit, Wanted
from redwell.core.command_lines import command_line
from redwell.core.outcomes import NOTES, Outcome
from redwell.core.reading import Problem
from redwell.core.remedies import remedy
from redwell.runtime.upkeep.completeness import LookedAt

FIELDS = ("control_number", "path", "source", "stage", "outcome", "code", "reason", "remedy", "resolved")


def exceptions(case: LookedAt) -> Iterator[dict[str, str]]:
    """One row per problem; an outcome that names no problem is a row of its own."""
    yield from rows_of(case, case.rows.exhibits(Wanted(troubled=True)))


def rows_of(case: LookedAt, exhibits: Iterable[Exhibit]) -> Iterator[dict[str, str]]:
    resolved = case.rows.resolved_files()
    for exhibit in exhibits:
        yield from exceptions_of(case.name, exhibit, resolved)


def exceptions_of(case: str, exhibit: Exhibit, resolved: Mapping[int, int]) -> Iterator[dict[str, str]]:
    problems: list[Problem | None] = [problem for problem in exhibit.problems if problem.code not in NOTES]
    if exhibit.outcome in (Outcome.SUCCESS, Outcome.FILTERED) and not problems:
        return
    for problem in problems or [None]:
        yield _row(case, exhibit, problem, _resolved(exhibit, resolved))


def _row(case: str, exhibit: Exhibit, problem: Problem | None, resolved: str) -> dict[str, str]:
    outcome = Outcome(exhibit.outcome) if exhibit.outcome else None
    code, detail = (str(problem.code), problem.detail) if problem else ("", "")
    reason = detail or exhibit.detail or exhibit.media_type or ""
    resume = command_line("resume", case, exhibit.batch)
    what_to_do = remedy(case, outcome, code, reason) if outcome else resume
    return {
        "control_number": exhibit.control_number,
        "path": exhibit.path,
        "source": exhibit.source,
        "stage": _stage(exhibit),
        "outcome": outcome or OPEN,
        "code": code,
        "reason": reason,
        "remedy": "" if resolved else what_to_do,
        "resolved": resolved,
    }


def _resolved(exhibit: Exhibit, files: Mapping[int, int]) -> str:
    """By which batch. What was cancelled inside of a file came out of the file's later reading."""
    key = exhibit.root if exhibit.outcome == Outcome.CANCELLED else exhibit.id
    return f"batch {files[key]}" if key in files else ""


def _stage(exhibit: Exhibit) -> str:
    if exhibit.document is not None:
        return "extract"
    return "unpack" if exhibit.depth > 0 else "intake"
