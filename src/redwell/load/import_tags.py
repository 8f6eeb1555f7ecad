"""Tags that a volume brings for its records: a step of the load. Called by the loader."""

from collections.abc import Sequence

from redwell.core.case.rows import ToLoad
from redwell.core.review.imported_tags import FIELD, tags_of
from redwell.load.loading import Loading


def import_tags(case: Loading, exhibits: Sequence[ToLoad]) -> None:
    """Nothing is asked or written where none has any."""
    told = [each for each in exhibits if FIELD in each.metadata]
    if wanted := {each.id: tags for each in told if (tags := tags_of(each.metadata))}:
        case.queue.tag(wanted)
