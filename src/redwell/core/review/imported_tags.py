"""Tags that come with a load file, in its field `reviewtags`. Pure; a step of the load asks here."""

from collections.abc import Mapping
from typing import Any

from redwell.core.review.values import LONGEST_NAME

IMPORTER = "import"  # who has set them, in the log and in the history of a document
FIELD = "reviewtags"


def tags_of(metadata: Mapping[str, Any]) -> tuple[str, ...]:
    """Each once, however it is written; as people could have named them."""
    told = metadata.get(FIELD) or ()
    names = dict[str, str]()
    for each in [told] if isinstance(told, str) else told:
        shown = "".join(letter if letter.isprintable() else " " for letter in str(each))
        name = " ".join(shown.split())[:LONGEST_NAME].strip()
        if name:
            names.setdefault(name.casefold(), name)
    return tuple(names.values())
