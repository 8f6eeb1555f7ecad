"""What lies in a volume around its load files: names, sizes, first bytes. Reads, follows no link, leaves no root.

Windows wrote the paths, this may be Linux: backslashes, case and a stray beginning don't count.
"""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from redwell.core.errors import NotFound
from redwell.core.loadfiles.checks.files import VolumeFile
from redwell.core.loadfiles.paths import VolumePath
from redwell.intake.untouched import open_untouched

_BESIDE = frozenset({"data", "loadfiles", "loadfile", "load", "load files"})  # folders of load files inside a volume
EXTENSIONS = frozenset({".dat", ".csv", ".tsv", ".opt", ".lfp", ".dii"})
_PICTURES = (".tif", ".tiff", ".jpg", ".jpeg", ".png", ".pdf")


def volume_root(load_file: Path) -> Path:
    """The folder that a load file speaks of: its own, or the one above where it lies among load files alone."""
    folder = load_file.resolve().parent
    return folder.parent if folder.name.casefold() in _BESIDE else folder


def load_files(place: Path) -> list[Path]:
    """A file as it is, with the page file of the same name beside it; of a folder those that lie at its top."""
    if place.is_file():
        others = sorted(place.parent.glob(f"{_escaped(place.stem)}.*"))
        beside = [other for other in others if other.suffix.lower() in (".opt", ".lfp") and other != place]
        return [place, *(beside if place.suffix.lower() not in (".opt", ".lfp") else [])]
    if not place.is_dir():
        raise NotFound(f"there is no file or folder {place}")
    folders = [place, *(each for each in sorted(place.iterdir()) if each.name.casefold() in _BESIDE and each.is_dir())]
    found = [each for folder in folders for each in sorted(folder.iterdir()) if each.suffix.lower() in EXTENSIONS]
    if not found:
        raise NotFound(f"{place} has no load file at its top; name one: redwell loadfile lint FILE")
    return [each for each in found if each.is_file()]


def _escaped(stem: str) -> str:
    return "".join(f"[{char}]" if char in "*?[" else char for char in stem)


class FolderVolume:
    """All files below a root, listed once when the first is asked for."""

    def __init__(self, root: Path, own: Iterable[Path]) -> None:
        self._root = root
        self._own = {str(path.resolve().relative_to(root)) for path in own if path.resolve().is_relative_to(root)}
        self._folders = {str(Path(name).parent) for name in self._own} - {"."}
        self._by_spelling: dict[str, str] | None = None
        self._links: set[str] = set()

    def find(self, path: VolumePath) -> VolumeFile | None:
        known = self._listed()
        for parts in self._candidates(path):
            asked = "/".join(parts)
            place = known.get(asked.casefold())
            if place is not None:
                return self._file(place, asked)
        return None

    def _candidates(self, path: VolumePath) -> Iterator[tuple[str, ...]]:
        yield path.parts
        if path.parts[0].casefold() == self._root.name.casefold():
            yield path.parts[1:]
        for folder in self._folders:
            yield (*Path(folder).parts, *path.parts)
        for start in range(1, len(path.parts)) if path.absolute else ():
            yield path.parts[start:]

    def _file(self, place: str, asked: str) -> VolumeFile:
        if place in self._links:
            return VolumeFile(place, 0, b"", True, "link")
        full = os.path.join(os.fsencode(self._root), os.fsencode(place))
        head = b""
        size = os.stat(full, follow_symlinks=False).st_size
        if size and asked.lower().endswith(_PICTURES):
            with os.fdopen(open_untouched(full), "rb") as file:
                head = file.read(8)
        return VolumeFile(place, size, head, place == asked)

    def places(self) -> Iterator[str]:
        return (place for place in self._listed().values() if not self._is_load_file(place))

    def _is_load_file(self, place: str) -> bool:
        """Those that were given, and any other that lies where load files lie."""
        *folders, name = place.casefold().split("/")
        at_top = not folders or (len(folders) == 1 and folders[0] in _BESIDE)
        return place in self._own or (at_top and os.path.splitext(name)[1] in EXTENSIONS)

    def _listed(self) -> dict[str, str]:
        if self._by_spelling is None:
            self._by_spelling = {place.casefold(): place for place in self._walked()}
        return self._by_spelling

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
