"""Which files of a volume are in the store already: an import that was killed while it hashed goes on behind them.

Called by the reading thread. The notes are of one machine and may be lost or torn: what they don't say is read again.
A file that was read while it changed, or that looks otherwise than it did, is not believed.
"""

from collections.abc import Iterable
from pathlib import Path

from msgspec import DecodeError, Struct, ValidationError, json

from redwell.core.work.records import Found


class Note(Struct, frozen=True, array_like=True):
    path: str
    size: int  # as the walk found it
    modified: str
    sha256: str


def note_of(found: Found, sha256: str) -> Note:
    return Note(found.path, found.size or 0, found.dates.get("modified", ""), sha256)


class ReadNotes:
    def __init__(self, place: Path) -> None:
        self._place = place
        self._known: dict[str, Note] = {}
        for line in place.read_bytes().splitlines() if place.exists() else ():
            try:
                note = json.decode(line, type=Note)
            except (DecodeError, ValidationError):
                continue  # the kill came while it was written
            self._known[note.path] = note

    def sha256_of(self, found: Found) -> bytes | None:
        note = self._known.get(found.path)
        is_same = note is not None and note.modified and note == note_of(found, note.sha256)
        return bytes.fromhex(note.sha256) if note and is_same else None

    def add(self, notes: Iterable[Note]) -> None:
        """Their bytes are stored and synced, and their rows written."""
        with open(self._place, "ab") as file:
            file.write(b"".join(b"\n" + json.encode(note) for note in notes))

    def forget(self) -> None:
        """The volume as a whole was read."""
        self._place.unlink(missing_ok=True)


def notes_place(folder: Path, batch: int) -> Path:
    return folder / f"reading-{batch}.jsonl"
