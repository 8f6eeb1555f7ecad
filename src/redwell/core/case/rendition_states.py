"""How far the renditions of an exhibit are, for people: made, pending, unavailable, lazy or none. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any

from redwell.core.case.exhibit_look import MADE, MadePart
from redwell.core.work.kinds import KINDS, Phase, TaskType
from redwell.core.work.renderers import Goal, goal_of
from redwell.core.work.transitions import Work


class RenditionState(StrEnum):
    MADE = "made"
    PENDING = "pending"
    UNAVAILABLE = "unavailable"  # it was tried, and could not be made
    LAZY = "lazy"  # it is made when somebody asks for it
    NONE = "none"


def rendition_states(parts: Sequence[MadePart], settings: Mapping[str, Any]) -> dict[str, str]:
    """Of each goal, by the works on a content and the settings of the batch that it came with."""
    return {goal.value: _state(goal, parts, settings).value for goal in (Goal.PDF, Goal.PAGES, Goal.OCR)}


def counted(parts: Iterable[tuple[str, str, int]], phase: Phase) -> dict[str, int]:
    """Of kind of work, outcome and number: how many of a phase were made, could not be, and are open."""
    found = {RenditionState.MADE.value: 0, RenditionState.UNAVAILABLE.value: 0, RenditionState.PENDING.value: 0}
    for task, outcome, count in parts:
        if KINDS[TaskType(task)].phase is phase:
            state = RenditionState.MADE if outcome in MADE else RenditionState.UNAVAILABLE
            found[state if outcome else RenditionState.PENDING] += count
    return found


def _state(goal: Goal, parts: Sequence[MadePart], settings: Mapping[str, Any]) -> RenditionState:
    mine = [part for part in parts if goal_of(TaskType(part.task)) is goal]
    if not mine:
        return RenditionState.LAZY if settings.get(goal, "none") == "lazy" else RenditionState.NONE
    if any(part.state != Work.DONE for part in mine):
        return RenditionState.PENDING
    is_made = all(part.is_made for part in mine)
    return RenditionState.MADE if is_made else RenditionState.UNAVAILABLE
