"""What lies in a volume around its load files: names, sizes, first bytes. Reads, follows no link, leaves no root.

Windows wrote the paths, this may be Linux: backslashes, case and a stray beginning don't count.
"""

import os
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path

from redwell.core.errors import NotFound
from redwell.core.loadfiles.checks.files import VolumeFile
from redwell.core.loadfiles.formats.probe import load_file_kind
from redwell.core.loadfiles.path_index import Located, PathIndex
from redwell.core.loadfiles.paths import VolumePath
from redwell.core.loadfiles.records.record_files import LoadFile
from redwell.core.loadfiles.volume_document import BESIDE, SURE, load_files_among
from redwell.intake.untouched import open_untouched
from redwell.runtime.loadfiles.opened import Given, OpenedLoadFile

EXTENSIONS = frozenset({".dat", ".csv", ".tsv", ".opt", ".lfp", ".dii"})
_PROBED = 4096
_PICTURES = (".tif", ".tiff", ".jpg", ".jpeg", ".png", ".pdf")


def volume_root(load_file: Path) -> Path:
    """The folder that a load file speaks of: its own, or the one above where it lies among load files alone."""
    folder = load_file.resolve().parent
    return folder.parent if folder.name.casefold() in BESIDE else folder


def load_files(place: Path) -> list[Path]:
    """A file as it is, with the page file of the same name beside it; of a folder those that an import takes."""
    if place.is_file():
        others = sorted(place.parent.glob(f"{_escaped(place.stem)}.*"))
        beside = [other for other in others if other.suffix.lower() in (".opt", ".lfp") and other != place]
        return [place, *(beside if place.suffix.lower() not in (".opt", ".lfp") else [])]
    if not place.is_dir():
        raise NotFound(f"there is no file or folder {place}")
    place = only_folder(place)
    listed = load_files_among([path.relative_to(place).as_posix() for path in _files(place)])
    found = [name for name in listed if Path(name).suffix.lower() in SURE or has_load_file_head(place / name)]
    tables = (LoadFile(name, OpenedLoadFile(place / name, Given()).chunks) for name in listed if not found)
    found = found or [each.name for each in tables if each.could_be_one()]
    if not found:
        raise NotFound(f"{place} has no load file at its top; name one: redwell loadfile lint FILE")
    return [place / name for name in found]


def has_load_file_head(path: Path) -> bool:
    """Whether it is a load file by its first bytes."""
    try:
        with os.fdopen(open_untouched(os.fsencode(path)), "rb") as file:
            return load_file_kind(file.read(_PROBED)) is not None
    except OSError:
        return False


def only_folder(place: Path) -> Path:
    """A folder that holds nothing but one folder stands for that one."""
    inside = list(place.iterdir()) if place.is_dir() else []
    is_one = len(inside) == 1 and inside[0].is_dir() and not inside[0].is_symlink()
    return only_folder(inside[0]) if is_one else place


def _files(place: Path) -> Iterator[Path]:
    for folder, folders, names in os.walk(place, followlinks=False):
        folders.sort()
        paths = (Path(folder, name) for name in sorted(names))
        yield from (path for path in paths if path.is_file() and not path.is_symlink() and path.stat().st_size)


def _escaped(stem: str) -> str:
    return "".join(f"[{char}]" if char in "*?[" else char for char in stem)


class FolderVolume:
    """All files below a root, listed once when the first is asked for."""

    def __init__(self, root: Path, own: Iterable[Path]) -> None:
        self._root = root
        self._own = {str(path.resolve().relative_to(root)) for path in own if path.resolve().is_relative_to(root)}
        self._load_files = {os.path.basename(name): name for name in self._own}
        self._links: set[str] = set()

    @cached_property
    def _index(self) -> PathIndex:
        return PathIndex(self._listed, self._root.name, self._own)

    def leads_out(self, path: VolumePath) -> bool:
        return self._index.leads_out(path)

    def find(self, path: VolumePath, load_file: str = "", volume: str = "") -> VolumeFile | None:
        located = self._index.find(path, self._load_files.get(load_file, ""), volume)
        return self._file(located, path) if located else None

    def _file(self, located: Located, path: VolumePath) -> VolumeFile:
        place = located.place
        if place in self._links:
            return VolumeFile(place, 0, b"", True, "link", located.shortened)
        full = os.path.join(os.fsencode(self._root), os.fsencode(place))
        head = b""
        size = os.stat(full, follow_symlinks=False).st_size
        if size and place.lower().endswith(_PICTURES):
            with os.fdopen(open_untouched(full), "rb") as file:
                head = file.read(8)
        there = place.split("/")
        least = min(len(there), len(path.parts))
        exact = tuple(there[-least:]) == path.parts[-least:]
        return VolumeFile(place, size, head, exact, "file", located.shortened)

    def places(self) -> Iterator[str]:
        return (place for place in self._listed if not self._is_load_file(place))

    def _is_load_file(self, place: str) -> bool:
        """Those that were given, and any other that lies where load files lie."""
        *folders, name = place.casefold().split("/")
        at_top = not folders or (len(folders) == 1 and folders[0] in BESIDE)
        return place in self._own or (at_top and os.path.splitext(name)[1] in EXTENSIONS)

    @cached_property
    def _listed(self) -> list[str]:
        return list(self._walked())

    def _walked(self) -> Iterator[str]:
        for folder, folders, names in os.walk(self._root, followlinks=False):
            folders.sort()
            links = {name for name in folders if os.path.islink(os.path.join(folder, name))}
            folders[:] = [name for name in folders if name not in links]
            for name in sorted([*names, *links]):
                full = os.path.join(folder, name)
                place = os.path.relpath(full, self._root)
                if os.path.islink(full) or not os.path.isfile(full):
                    self._links.add(place)
                yield place
