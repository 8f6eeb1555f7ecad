"""What a source is, by a look at its names and first bytes: for `--type manual`. Called by the command line."""

from pathlib import Path

from redwell.core.errors import NotFound
from redwell.core.loadfiles.volume_document import PAGE_FILES, RECORDS
from redwell.runtime.loadfiles.volume import has_load_file_head, load_files, only_folder, volume_root


def volume_at(source: str) -> str:
    """The load file that makes a source a volume; empty where it is a file or folder like any other."""
    place = only_folder(Path(source))
    try:
        candidates = [place] if place.is_file() else load_files(place)
    except NotFound:
        return ""
    for path in candidates:
        is_deep = place.is_dir() and volume_root(path) != place.resolve()
        if not is_deep and path.suffix.lower() in RECORDS | PAGE_FILES and has_load_file_head(path):
            return str(path)
    return ""
