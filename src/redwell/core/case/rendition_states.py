"""How far the renditions of an exhibit are, for people: made, pending, unavailable, lazy or none. Pure."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any

from redwell.core.case.exhibit_look import MadePart
from redwell.core.outcomes import Outcome
from redwell.core.work.kinds import TaskType
from redwell.core.work.renderers import Goal, goal_of
from redwell.core.work.transitions import Work


class RenditionState(StrEnum):
    MADE = "made"
    PENDING = "pending"
    UNAVAILABLE = "unavailable"  # it was tried, and could not be made
    LAZY = "lazy"  # it is made when somebody asks for it
    NONE = "none"


_MADE = frozenset({Outcome.SUCCESS, Outcome.PARTIAL, Outcome.EMPTY})


def rendition_states(parts: Sequence[MadePart], settings: Mapping[str, Any]) -> dict[str, str]:
    """Of each goal, by the works on a content and the settings of the batch that it came with."""
    return {goal.value: _state(goal, parts, settings).value for goal in (Goal.PDF, Goal.PAGES, Goal.OCR)}


def _state(goal: Goal, parts: Sequence[MadePart], settings: Mapping[str, Any]) -> RenditionState:
    mine = [part for part in parts if goal_of(TaskType(part.task)) is goal]
    if not mine:
        return RenditionState.LAZY if settings.get(goal, "none") == "lazy" else RenditionState.NONE
    if any(part.state != Work.DONE for part in mine):
        return RenditionState.PENDING
    is_made = all(part.outcome in _MADE for part in mine)
    return RenditionState.MADE if is_made else RenditionState.UNAVAILABLE
