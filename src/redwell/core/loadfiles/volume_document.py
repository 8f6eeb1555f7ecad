"""A volume as one document: what was asked for, and every file that lies in it, with its hash. Pure.

Written by intake, which reads the files, and taken apart in a child. The same files, told the same way, give the same
bytes: a volume that comes a second time is known by its hash. Behind the files and an empty line are the rows, where a
child has read them while the files were (core.loadfiles.records.rows_read).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from pathlib import PurePosixPath
from typing import Any

import msgspec

from redwell.core.loadfiles.assembly import LOAD_FILE, ROWS, VOLUME, Part, assembled

RECORDS = frozenset({".dat", ".csv", ".tsv", ".dii", ".xml", ".txt", ".log"})
PAGE_FILES = frozenset({".opt", ".lfp"})
SURE = frozenset({".dat", ".dii", ".opt", ".lfp"})  # what else lies there is looked at before it is believed
BESIDE = frozenset({"data", "loadfiles", "loadfile", "load", "load files"})  # folders of load files inside a volume
_MOST_LOAD_FILES = 500


class VolumeFile(msgspec.Struct, frozen=True, gc=False, array_like=True):
    path: str  # below the volume, with slashes
    size: int
    sha256: str  # empty where it could not be read
    why: str = ""  # it could not


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """What a person said with the import."""

    name: str  # of the volume
    text: str = "given"  # or extracted
    files: tuple[str, ...] = ()  # its load files; none: those that lie where load files do
    mapping: dict[str, Any] | None = None


def volume_document(told: Told, files: Sequence[VolumeFile]) -> bytes:
    """In the order of the paths; the load files among them are its parts."""
    return _document(VOLUME, told, files)


def rows_order(told: Told, files: Sequence[VolumeFile]) -> bytes:
    """What a child needs to read the rows before the files are: their names, and the hashes of the load files."""
    return _document(ROWS, told, files)


def _document(kind: str, told: Told, files: Sequence[VolumeFile]) -> bytes:
    listed = sorted(files, key=lambda file: file.path)
    among = set(load_files_among([file.path for file in listed], told.files))
    chosen = [file for file in listed if file.sha256 and file.size and file.path in among]
    parts = [Part(LOAD_FILE, file.path, file.sha256, file.size) for file in chosen[:_MOST_LOAD_FILES]]
    lines = [msgspec.json.encode(told), *map(msgspec.json.encode, listed)]
    return assembled(kind, parts, b"\n".join(lines) + b"\n")


def read_volume(lines: Iterable[bytes]) -> tuple[Told, list[VolumeFile]]:
    """Of its lines, each with its end. No further than the last file is read."""
    reading = iter(lines)
    next(reading)  # its header
    file = msgspec.json.Decoder(VolumeFile)
    told = msgspec.json.decode(next(reading), type=Told)
    return told, [file.decode(line) for line in takewhile(bytes.strip, reading)]


def rows_of(lines: Iterable[bytes]) -> Iterator[bytes]:
    """What stands behind the empty line."""
    reading = iter(lines)
    for line in reading:
        if not line.strip():
            break
    return reading


def load_files_among(paths: Sequence[str], named: Sequence[str] = ()) -> list[str]:
    """Those that were named; else what lies at the top or in a folder of load files; else at the top of a folder."""
    if named:
        return [path for path in paths if path in named]
    candidates = [path for path in paths if _has_suffix(path)]
    beside = [path for path in candidates if _is_beside(path)]
    if any(map(_is_sure, beside)):
        return beside
    return [path for path in candidates if _is_beside(path) or len(PurePosixPath(path).parts) == 2]


def _has_suffix(path: str) -> bool:
    return PurePosixPath(path).suffix.lower() in RECORDS | PAGE_FILES


def _is_beside(path: str) -> bool:
    """At the top, or in a folder for load files, wherever that is."""
    folder = PurePosixPath(path).parent
    return folder == PurePosixPath(".") or folder.name.casefold() in BESIDE


def _is_sure(path: str) -> bool:
    return PurePosixPath(path).suffix.lower() in {*SURE, ".csv", ".tsv"}


def figures(metadata: Mapping[str, Any]) -> Iterator[str]:
    """How a volume adds up, in words, of what its reading counted."""
    count = {name: int(metadata.get(name, 0)) for name in COUNTS}
    rows = f"{count['volume_rows']:,} rows"
    if count["volume_page_documents"]:
        rows += f" + {count['volume_page_documents']:,} documents of page files alone"
    yield f"{rows} = {count['volume_records']:,} records + {count['volume_rows_lost']:,} exceptions"
    yield (
        f"{count['volume_files']:,} files = {count['volume_load_files']:,} load files"
        f" + {count['volume_files_named']:,} named + {count['volume_files_not_named']:,} not named"
    )
    yield (
        f"{count['volume_paths']:,} paths that rows name = {count['volume_paths_found']:,} found"
        f" + {count['volume_paths_missing']:,} not found"
    )


COUNTS = (
    "volume_rows",
    "volume_page_documents",
    "volume_records",
    "volume_rows_lost",
    "volume_files",
    "volume_load_files",
    "volume_files_named",
    "volume_files_not_named",
    "volume_paths",
    "volume_paths_found",
    "volume_paths_missing",
)


def balances(metadata: Mapping[str, Any]) -> bool:
    count = {name: int(metadata.get(name, 0)) for name in COUNTS}
    return (
        count["volume_rows"] + count["volume_page_documents"] == count["volume_records"] + count["volume_rows_lost"]
        and count["volume_files"]
        == count["volume_load_files"] + count["volume_files_named"] + count["volume_files_not_named"]
        and count["volume_paths"] == count["volume_paths_found"] + count["volume_paths_missing"]
    )
