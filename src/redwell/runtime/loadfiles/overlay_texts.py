"""The texts that the rows of an overlay name: found in its volume, read, and kept as blobs. Used by overlaying.

A text is characters by pure rules, as the load file itself (ADR 71): nothing of it is interpreted.
"""

import os
from pathlib import Path
from typing import NamedTuple

from redwell.core.blobs import Digests, Stored
from redwell.core.case.rows import Exhibit
from redwell.core.errors import BadInput
from redwell.core.loadfiles.given_text import FIELD, GivenText, text_of
from redwell.core.loadfiles.overlay import NewValue
from redwell.core.loadfiles.paths import volume_path
from redwell.intake.untouched import open_untouched
from redwell.ports.blob_store import BlobStore
from redwell.ports.case_reader import CaseReader
from redwell.runtime.loadfiles.volume import FolderVolume, volume_root

_SHOWN = 200  # characters of a path that is no path
_WIDEST = 4  # bytes of a character


class Keeping(NamedTuple):
    """Where texts are kept; none of it is touched by a preview."""

    rows: CaseReader
    blobs: BlobStore
    most_chars: int


class OverlayTexts:
    def __init__(self, load_file: Path, keeping: Keeping, *, preview: bool) -> None:
        self._root = volume_root(load_file)
        self._volume = FolderVolume(self._root, [load_file])
        self._keeping, self._preview = keeping, preview
        self._stored: dict[bytes, Stored] = {}

    def change(self, exhibit: Exhibit, path: str) -> list[NewValue]:
        """Its text before and after, kept; nothing where it has this text. BadInput says why it can't be had."""
        text = self._read(path)
        data = text.encode()
        digests = Digests.identity_of(data)
        if exhibit.text == digests.sha256 and exhibit.ocr is None:
            return []
        if not self._preview:
            self._keep(digests, data)
        had = GivenText(exhibit.text, exhibit.text_chars).told() if exhibit.text or exhibit.ocr else None
        return [NewValue(FIELD, had, GivenText(digests.sha256, len(text)).told())]

    def kept(self) -> list[Stored]:
        """Those since the last time, durable: rows may name them now."""
        stored, self._stored = list(self._stored.values()), {}
        if stored:
            self._keeping.blobs.sync()
        return stored

    def _keep(self, digests: Digests, data: bytes) -> None:
        if digests.sha256 in self._stored:
            return
        blobs, place = self._keeping.blobs, self._keeping.rows.known_blobs([digests.sha256]).get(digests.sha256)
        if place is None:
            is_small = len(data) <= blobs.small_bytes
            place = blobs.append(digests.sha256, data) if is_small else blobs.spill([data]).location
        self._stored[digests.sha256] = Stored(digests, len(data), place)

    def _read(self, path: str) -> str:
        named = volume_path(path)
        found = self._volume.find(named) if named else None
        if found is None or found.kind == "link":
            why = "a link, or no file" if found else f"not below {self._root}"
            raise BadInput(f"its text {path[:_SHOWN]}: {why}")
        most = self._keeping.most_chars
        data = self._bytes(found.place, most * _WIDEST + 1)
        text = text_of(data) if len(data) <= most * _WIDEST else ""
        if len(data) > most * _WIDEST or len(text) > most:
            raise BadInput(f"its text {path[:_SHOWN]}: longer than max_text_chars={most}")
        return text

    def _bytes(self, place: str, most: int) -> bytes:
        full = os.path.join(os.fsencode(self._root), os.fsencode(place))
        try:
            with os.fdopen(open_untouched(full), "rb") as file:
                return file.read(most)
        except OSError as error:
            raise BadInput(f"its text {place}: {error.strerror or error}") from error
