"""Finds the files that rows name among those of a volume, whatever slashes, case and beginning a path has. Pure."""

from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from redwell.core.loadfiles.paths import VolumePath, volume_path
from redwell.core.loadfiles.volume_document import VolumeFile


class Inventory:
    """`named` counts what was asked for and found; `find` answers with the place in the list of files."""

    def __init__(self, files: Sequence[VolumeFile], name: str, load_files: Sequence[str]) -> None:
        self.files = files
        self.named: set[int] = set()
        self.asked = self.found = 0
        self._by_path = {file.path.casefold(): place for place, file in enumerate(files)}
        self._name = name.casefold()
        folders = [PurePosixPath(path).parent for path in load_files]
        bases = [base.parts for folder in folders for base in (folder, folder.parent)]
        self._bases = [base for base in dict.fromkeys(bases) if base]

    def find(self, text: str) -> int | None:
        """The file that a row names; None where it leads out of the volume, or is not there."""
        self.asked += 1
        place = self.look_up(text)
        if place is not None:
            self.found += 1
            self.named.add(place)
        return place

    def look_up(self, text: str) -> int | None:
        """The same, and nothing is counted."""
        path = volume_path(text)
        if path is None:
            return None
        for parts in self._candidates(path):
            if (place := self._by_path.get("/".join(parts).casefold())) is not None:
                return place
        return None

    def _candidates(self, path: VolumePath) -> Iterator[tuple[str, ...]]:
        yield path.parts
        if path.parts[0].casefold() == self._name:
            yield path.parts[1:]
        for base in self._bases:
            yield (*base, *path.parts)
        for start in range(1, len(path.parts)) if path.absolute else ():
            yield path.parts[start:]
