"""What stored contents are, for whoever may not look into them."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from redwell.core.blobs import Location


class Content(NamedTuple):
    """Bytes in the blob store, and the name that they came under."""

    sha256: bytes
    location: Location
    name: str


class Seen(NamedTuple):
    """A media type, and the kind of handler that takes it. Both empty: nobody can tell, a child died of it."""

    media_type: str
    kind: str


class Unanswered(Exception):
    """The work ends before there was an answer."""


class ContentTypes(Protocol):
    def of(self, contents: Sequence[Content]) -> list[Seen]:
        """What each of them is. Takes as long as others' documents before it; Unanswered when the work ends."""
        ...
