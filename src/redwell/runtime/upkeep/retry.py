"""A retry as its user sees it: what was chosen, how it stood before, and what has changed since."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from redwell.core.errors import UserError
from redwell.core.jobs.job import NewJob
from redwell.core.work.kinds import KINDS, Profile, Purpose
from redwell.core.work.records import Selection
from redwell.core.work.renderers import RENDERERS
from redwell.runtime.bootstrap.open_case import Case

_OPEN = "OPEN"  # the retry was interrupted; resume goes on with it


@dataclass(frozen=True, slots=True)
class Begun:
    contents: int
    standing: Mapping[int, str]  # the outcome of each exhibit that is read again
    counts: Mapping[str, int]  # of the whole case


def can_be_done(case: Case, chosen: Selection, *, outdated: bool) -> Selection:
    """What was chosen, with the handlers there are where only what others made is meant; UserError for a kind of
    work that none of them does."""
    task = chosen.task
    if task and KINDS[task].purpose is not Purpose.READ:
        rows = [row for row in RENDERERS if row.task is task]
        if not any(row.profile in (Profile.PARSER, *case.other_children) for row in rows):
            raise UserError(f"{task}: no handler that is installed does this kind of work")
        made_by = tuple(row.engine for row in rows)
    else:
        made_by = tuple(f"{each.name}/{each.version}" for each in case.equipment.hello.handlers) if outdated else ()
    return msgspec.structs.replace(chosen, made_by_others_than=made_by) if outdated else chosen


def begin(case: Case, chosen: Selection, job: NewJob) -> Begun:
    """Open what was chosen; from here on a kill leaves it to `redwell resume`."""
    standing, counts = case.store.concerned(chosen), case.rows.counts()
    contents = case.store.reopen(chosen, job)
    if contents:
        case.announce()
    return Begun(contents, standing, counts)


def begin_parked(case: Case, keys: Sequence[int], job: NewJob) -> Begun:
    """The same of what was given up: those that are named, or all."""
    standing, counts = case.store.concerned_by_parked(keys), case.rows.counts()
    return Begun(case.store.retry_parked(keys, job), standing, counts)


def summary(case: Case, begun: Begun) -> dict[str, Any]:
    now, counts = case.store.outcomes_of(begun.standing), case.rows.counts()
    moves = Counter((before, now[key] or _OPEN) for key, before in begun.standing.items())
    changed = [
        {"before": before, "after": after, "count": count}
        for (before, after), count in sorted(moves.items())
        if before != after
    ]
    return {
        "case": case.name,
        "contents": begun.contents,
        "exhibits": len(begun.standing),
        "changed": changed,
        "unchanged": sum(count for (before, after), count in moves.items() if before == after),
        "new": sum(counts.values()) - sum(begun.counts.values()),
        "before": dict(sorted(begun.counts.items())),
        "after": dict(sorted(counts.items())),
    }
