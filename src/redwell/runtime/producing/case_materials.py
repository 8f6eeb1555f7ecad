"""The materials of a case's exhibits, out of its rows and blobs: a ports.materials.Materials."""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from redwell.core import page_words
from redwell.core.artifacts import ArtifactKind
from redwell.core.blobs import Location
from redwell.core.case.rows import Exhibit, MadeArtifact
from redwell.core.errors import UserError
from redwell.core.page_words import PageWords
from redwell.load.texts import one_text
from redwell.ports.blob_store import BlobReader, BlobStore
from redwell.ports.case_reader import CaseReader
from redwell.ports.materials import PdfPlace
from redwell.runtime.loadfiles.given import native_hash
from redwell.runtime.upkeep.rendering import PDF_TYPE, READABLE

_PART = 1 << 20


class CaseMaterials:
    """With `blobs` that can only be read, a PDF has pages and no place."""

    def __init__(self, rows: CaseReader, blobs: BlobReader, places: BlobStore | None = None) -> None:
        self._rows, self._blobs, self._places = rows, blobs, places

    def native(self, exhibit: Exhibit) -> Iterator[bytes]:
        sha256 = native_hash(self._rows, exhibit)
        if sha256 is None:
            return
        with self._blobs.open(sha256, self._location(sha256)) as file:
            while part := file.read(_PART):
                yield part

    def text(self, exhibit: Exhibit) -> str:
        return one_text(exhibit, self._rows, self._blobs)

    def pdf(self, exhibit: Exhibit) -> PdfPlace | None:
        found = self._pdf(exhibit)
        if found is None or self._places is None:
            return None
        sha256, pages = found
        location = self._location(sha256)
        path, offset = self._places.place(sha256, location)
        return PdfPlace(Path(path), offset, location.length, pages)

    def pages(self, exhibit: Exhibit) -> int:
        found = self._pdf(exhibit)
        return found[1] if found else 0

    def words(self, exhibit: Exhibit) -> dict[int, PageWords]:
        """Of two for one page the one of recognition is newer, and comes last."""
        found = dict[int, PageWords]()
        for made in self._rows.artifacts(exhibit.id):
            if made.kind == ArtifactKind.WORD_BOXES:
                try:
                    data = self._blobs.read(made.sha256, self._location(made.sha256))
                    found[made.number] = page_words.decode(data)
                except msgspec.MsgspecError:
                    continue
        return found

    def _pdf(self, exhibit: Exhibit) -> tuple[bytes, int] | None:
        made = {each.kind: each for each in self._rows.artifacts(exhibit.id)}
        best: MadeArtifact | None = made.get(ArtifactKind.FLATTENED_PDF) or made.get(ArtifactKind.PDF)
        if best is not None:
            return best.sha256, best.amount or exhibit.pages or 0
        own = native_hash(self._rows, exhibit) if exhibit.media_type == PDF_TYPE else None
        if own and exhibit.outcome in READABLE and exhibit.pages:
            return own, exhibit.pages
        return None

    def _location(self, sha256: bytes) -> Location:
        found = self._rows.known_blobs([sha256]).get(sha256)
        if found is None:
            raise UserError(f"the case has no bytes {sha256.hex()}; `redwell verify` says what is missing")
        return found
