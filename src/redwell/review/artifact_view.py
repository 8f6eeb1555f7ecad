"""Pages out of the artifacts of an exhibit's content: the built-in way of ports.viewing.view.View."""

from collections.abc import Callable

import msgspec

from redwell.core import page_words
from redwell.core.artifacts import ArtifactKind
from redwell.core.page_words import PageWords
from redwell.ports.blob_store import BlobReader
from redwell.ports.case_reader import CaseReader
from redwell.ports.viewing.view import PageImage


class ArtifactView:
    """`blobs` is asked when bytes are needed."""

    def __init__(self, rows: CaseReader, blobs: Callable[[], BlobReader]) -> None:
        self._rows, self._blobs = rows, blobs

    def pages(self, exhibit: int) -> int:
        return self._rows.last_page_image(exhibit)

    def image(self, exhibit: int, page: int) -> PageImage | None:
        found = self._bytes(exhibit, ArtifactKind.PAGE_IMAGE, page)
        return PageImage(media_type=found[1], data=found[0]) if found else None

    def words(self, exhibit: int, page: int) -> PageWords | None:
        found = self._bytes(exhibit, ArtifactKind.WORD_BOXES, page)
        try:
            return page_words.decode(found[0]) if found else None
        except msgspec.MsgspecError:
            return None  # as if there were none: the image can be read all the same

    def _bytes(self, exhibit: int, kind: ArtifactKind, page: int) -> tuple[bytes, str] | None:
        wanted = (made for made in self._rows.artifacts(exhibit, page) if made.kind == kind and made.number == page)
        made = next(wanted, None)
        place = self._rows.known_blobs([made.sha256]).get(made.sha256) if made else None
        return (self._blobs().read(made.sha256, place), made.media_type) if made and place else None
