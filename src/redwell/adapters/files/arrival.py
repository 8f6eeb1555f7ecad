"""Bytes of one uploaded file as they come: written at its end, counted, hashed on the way."""

import hashlib
import json
import os
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Any

from redwell.core.uploads.arrivals import Arriving, TooLong, WrongChecksum

PIECE = 1 << 20
_KEPT = 256


class Hashes:
    """Of files that are under way, as far as they have come; one that was forgotten is made again from the bytes."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, tuple[int, Any]] = OrderedDict()

    def take(self, part: Path, offset: int) -> Any:
        at, running = self._kept.pop(part.name, (0, hashlib.sha256()))
        return running if at == offset else digest_of(part, offset)

    def keep(self, part: Path, offset: int, running: Any) -> None:
        self._kept[part.name] = (offset, running)
        if len(self._kept) > _KEPT:
            self._kept.popitem(last=False)


def digest_of(part: Path, length: int) -> Any:
    running = hashlib.sha256()
    with open(part, "rb") as file:
        while length > 0 and (piece := file.read(min(PIECE, length))):
            running.update(piece)
            length -= len(piece)
    return running


class FileArrival:
    def __init__(
        self,
        place: Path,
        note: dict[str, Any],
        checksum: tuple[str, bytes] | None,
        hashes: Hashes,
        free: Callable[[], None],
    ) -> None:
        self._part, self._note_at = place.with_name(place.name + ".part"), place.with_name(place.name + ".json")
        self._note, self._checksum, self._hashes, self._free = note, checksum, hashes, free
        self._file = open(self._part, "r+b")
        self._began = self._file.seek(0, os.SEEK_END)
        self._offset = self._began
        self._whole = hashes.take(self._part, self._began)
        self._piece = hashlib.new(checksum[0], usedforsecurity=False) if checksum else None

    def write(self, piece: bytes) -> None:
        if self._offset + len(piece) > self._note["length"]:
            raise TooLong(f"the file was said to have {self._note['length']:,} bytes, and more have come")
        self._file.write(piece)
        self._whole.update(piece)
        if self._piece:
            self._piece.update(piece)
        self._offset += len(piece)

    def finish(self) -> Arriving:
        try:
            if self._checksum and self._piece and self._piece.digest() != self._checksum[1]:
                self._back_to(self._began)
                raise WrongChecksum("the bytes are not those of the checksum: send them again")
            self._file.flush()
            os.fsync(self._file.fileno())
            if self._offset == self._note["length"]:
                self._seal()
            else:
                self._hashes.keep(self._part, self._offset, self._whole)
        finally:
            self._end()
        return Arriving(
            id=self._part.stem,
            path=self._note["path"],
            length=self._note["length"],
            offset=self._offset,
            sha256=self._note["sha256"],
        )

    def break_off(self) -> None:
        try:
            if self._checksum:
                self._back_to(self._began)  # nobody can tell any more whether they are right
            else:
                self._file.flush()
                self._hashes.keep(self._part, self._offset, self._whole)
        finally:
            self._end()

    def _seal(self) -> None:
        """With the hash of the whole, which has to be the sender's, where it told one."""
        digest = self._whole.hexdigest()
        if self._note["wanted"] not in ("", digest):
            self._back_to(0)
            raise WrongChecksum("the file is not the one whose SHA-256 was told: send it again from its beginning")
        self._note["sha256"] = digest
        beside = self._note_at.with_suffix(".new")
        beside.write_text(json.dumps(self._note), encoding="utf-8")
        os.replace(beside, self._note_at)

    def _back_to(self, offset: int) -> None:
        self._file.flush()
        os.ftruncate(self._file.fileno(), offset)
        self._offset = offset

    def _end(self) -> None:
        self._file.close()
        self._free()
