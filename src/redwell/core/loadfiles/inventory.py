"""The files of a volume that is imported, and which of them its rows name. Pure."""

from collections.abc import Sequence
from pathlib import PurePosixPath

from redwell.core.loadfiles.path_index import PathIndex
from redwell.core.loadfiles.paths import volume_path
from redwell.core.loadfiles.volume_document import VolumeFile


class Inventory:
    """`named` counts what was asked for and found; `find` answers with the place in the list of files."""

    def __init__(self, files: Sequence[VolumeFile], name: str, load_files: Sequence[str]) -> None:
        self.files = files
        self.named: set[int] = set()
        self.asked = self.found = 0
        self._places = {file.path: place for place, file in enumerate(files)}
        self._index = PathIndex(self._places, name, load_files)
        self._texts: dict[str, list[int]] | None = None

    def find(self, text: str, load_file: str = "", volume: str = "") -> int | None:
        """The file that a row names; None where it leads out of the volume, or is not there."""
        self.asked += 1
        place = self.look_up(text, load_file, volume)
        if place is not None:
            self.found += 1
            self.named.add(place)
        return place

    def look_up(self, text: str, load_file: str = "", volume: str = "") -> int | None:
        """The same, and nothing is counted."""
        path = volume_path(text)
        located = self._index.find(path, load_file, volume) if path else None
        return self._places[located.place] if located else None

    def text_called(self, number: str, but: int | None = None) -> int | None:
        """The one text file that is called like a record or one of its pages; None where there are several."""
        if self._texts is None:
            self._texts = {}
            for place, file in enumerate(self.files):
                if file.path[-4:].lower() == ".txt":
                    self._texts.setdefault(PurePosixPath(file.path).stem.casefold(), []).append(place)
        found = [place for place in self._texts.get(number.casefold(), ()) if place != but]
        return found[0] if len(found) == 1 else None
