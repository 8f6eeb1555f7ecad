"""What the folder of a case says of it: where its rows and its bytes lie, and which machine keeps it.

Part of bootstrap's joining. The folder says it, so that a setting which changes later misleads nobody.
"""

from pathlib import Path
from typing import TypeVar

import msgspec

from redwell.adapters.files.notes import noted, renoted
from redwell.core.errors import UserError

T = TypeVar("T")
LEDGER_FILE = "case.sqlite"
_LEDGER = "case.json"  # of a case in PostgreSQL
_BLOBS = "blobs.json"  # of a case whose bytes are in a bucket


class Note(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the folder of a case in PostgreSQL says of it; where the database is, only the setting knows."""

    name: str
    uid: str
    keeper: str = ""  # the machine that has its index; empty: this one
    keeping: int = 0  # raised whenever another machine becomes the keeper

    @property
    def schema(self) -> str:
        return f"redwell_case_{self.uid.replace('-', '')}"


class _BlobsNote(msgspec.Struct, frozen=True, kw_only=True):
    url: str


def note_of(folder: Path) -> Note | None:
    """None: its ledger is a file in the folder, or there is no case."""
    return _read(folder / _LEDGER, Note)


def note_ledger(folder: Path, note: Note) -> Note:
    """The note that is in the folder now: this one, or that of somebody who was first."""
    noted(folder, _LEDGER, msgspec.json.encode(note))
    return note_of(folder) or note


def note_keeper(folder: Path, note: Note, keeper: str, keeping: int) -> None:
    """From now on that machine keeps the case."""
    renoted(folder, _LEDGER, msgspec.json.encode(msgspec.structs.replace(note, keeper=keeper, keeping=keeping)))


def note_name(folder: Path, note: Note, name: str) -> None:
    renoted(folder, _LEDGER, msgspec.json.encode(msgspec.structs.replace(note, name=name)))


def has_ledger(folder: Path) -> bool:
    return (folder / _LEDGER).exists() or (folder / LEDGER_FILE).exists()


def place_of(folder: Path) -> str:
    """Where the bytes are; empty: in the folder."""
    note = _read(folder / _BLOBS, _BlobsNote)
    return note.url if note else ""


def note_blobs(folder: Path, url: str) -> None:
    """The bytes are there from now on; a folder that says something else already keeps to it."""
    noted(folder, _BLOBS, msgspec.json.encode(_BlobsNote(url=url)))


def is_shared(folder: Path) -> bool:
    """Whether rows and bytes can be reached from elsewhere."""
    return note_of(folder) is not None and bool(place_of(folder))


def keeper_of(folder: Path) -> str:
    """The machine that keeps the case, as far as the folder knows; empty: this one."""
    note = note_of(folder)
    return note.keeper if note else ""


def _read(path: Path, kind: type[T]) -> T | None:
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except FileNotFoundError:
        return None
    except msgspec.MsgspecError as error:
        raise UserError(f"{path} is damaged: {error}; restore it from a copy") from None
