"""Pages to look at as the server shows them: what was made of a document, and where that lacks, its PDF drawn now."""

from collections.abc import Callable

import msgspec

from redwell.core import page_words
from redwell.core.artifacts import ArtifactKind
from redwell.core.case.rows import Exhibit
from redwell.core.page_words import PageWords
from redwell.ports.blob_store import BlobReader
from redwell.ports.case_reader import CaseReader
from redwell.ports.viewing.view import PageImage, View
from redwell.runtime.loadfiles.given import native_hash
from redwell.runtime.serving.page_drawer import Drawn, PageDrawer, Sheet
from redwell.runtime.upkeep.rendering import PDF_TYPE, READABLE


class DrawnView:
    """Keeps the promises of ports.viewing.view.View."""

    def __init__(self, made: View, rows: CaseReader, blobs: Callable[[], BlobReader], drawer: PageDrawer) -> None:
        self._made, self._rows, self._blobs, self._drawer = made, rows, blobs, drawer

    def pages(self, exhibit: int) -> int:
        pdf = self._pdf(exhibit)
        return max(self._made.pages(exhibit), pdf[1] if pdf else 0)

    def image(self, exhibit: int, page: int) -> PageImage | None:
        if made := self._made.image(exhibit, page):
            return made
        drawn = self._drawn(exhibit, page).get(ArtifactKind.PAGE_IMAGE)
        return PageImage(media_type=drawn.media_type, data=drawn.data) if drawn else None

    def words(self, exhibit: int, page: int) -> PageWords | None:
        """Those of recognition count, where it was asked for; of the PDF's own layer else."""
        if made := self._made.words(exhibit, page):
            return made
        drawn = self._drawn(exhibit, page).get(ArtifactKind.WORD_BOXES)
        try:
            return page_words.decode(drawn.data) if drawn else None
        except msgspec.MsgspecError:
            return None

    def _drawn(self, exhibit: int, page: int) -> Drawn:
        pdf = self._pdf(exhibit)
        if pdf is None or page > pdf[1]:
            return {}
        sha256 = pdf[0]
        place = self._rows.known_blobs([sha256]).get(sha256)
        return self._drawer.page(Sheet(sha256, page), lambda: self._blobs().open(sha256, place)) if place else {}

    def _pdf(self, exhibit: int) -> tuple[bytes, int] | None:
        """What there is of it as a PDF, and how many pages that has; its own where none was made."""
        made = {each.kind: each for each in self._rows.artifacts(exhibit, 0)}
        found = self._rows.some([exhibit]).get(exhibit)
        if found is None:
            return None
        if pdf := made.get(ArtifactKind.PDF):
            return pdf.sha256, pdf.amount or found.pages or 0
        return self._own(found) if ArtifactKind.PAGE_LIST not in made else None

    def _own(self, exhibit: Exhibit) -> tuple[bytes, int] | None:
        sha256 = native_hash(self._rows, exhibit) if exhibit.media_type == PDF_TYPE else None
        return (sha256, exhibit.pages) if sha256 and exhibit.pages and exhibit.outcome in READABLE else None
