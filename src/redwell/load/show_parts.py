"""How exhibits are shown by what was made of their contents since: a step of the load. Called by the loader."""

from collections.abc import Sequence

from redwell.core.case.rows import ToLoad
from redwell.load.loading import Loading


def show_parts(case: Loading, exhibits: Sequence[ToLoad]) -> None:
    """Outcome, problems and recognised pages; nothing is written for those that are shown right already."""
    if looks := {exhibit.id: exhibit.look for exhibit in exhibits if exhibit.look is not None}:
        case.queue.show(looks)
