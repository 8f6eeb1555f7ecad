"""What a source is, by a look at its names and first bytes: for `--type manual`. Called by the command line."""

import os
from pathlib import Path

from redwell.core.errors import NotFound
from redwell.core.loadfiles.probe import load_file_kind
from redwell.core.loadfiles.volume_document import PAGE_FILES, RECORDS
from redwell.intake.untouched import open_untouched
from redwell.runtime.loadfiles.importing import volume_place
from redwell.runtime.loadfiles.volume import load_files

_HEAD = 4096


def volume_at(source: str) -> str:
    """The load file that makes a source a volume; empty where it is a file or folder like any other."""
    place = volume_place(Path(source))
    try:
        candidates = [place] if place.is_file() else load_files(place)
    except NotFound:
        return ""
    for path in candidates:
        if path.suffix.lower() in RECORDS | PAGE_FILES and _is_load_file(path):
            return str(path)
    return ""


def _is_load_file(path: Path) -> bool:
    try:
        with os.fdopen(open_untouched(os.fsencode(path)), "rb") as file:
            return load_file_kind(file.read(_HEAD)) is not None
    except OSError:
        return False
