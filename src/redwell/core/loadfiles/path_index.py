"""Finds a file of a volume by a path that a row gives, whatever slashes, case and beginning it has. Pure.

Used by the lint and by the import alike, so that both find the same. Where one path could mean several files, the one
nearest to the load file that names it is meant: two volumes of one delivery often use the same names.
"""

import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath
from typing import NamedTuple

from redwell.core.loadfiles.paths import VolumePath

_Parts = tuple[str, ...]


class Located(NamedTuple):
    place: str  # as it is called in the volume
    shortened: bool = False  # found without the beginning of its path, which the volume has not


class PathIndex:
    """All files of a volume. `name` is the volume's own; `load_files` lie in it."""

    def __init__(self, places: Iterable[str], name: str, load_files: Iterable[str]) -> None:
        self._exact = set(places)
        self._folded: dict[str, str] = {}
        for place in sorted(self._exact):
            self._folded.setdefault(_folded(place), place)
        self._tops = {place.partition("/")[0] for place in self._folded if "/" in place}
        self._name = _folded(name)
        self._folders = list(dict.fromkeys(PurePosixPath(path).parent.parts for path in sorted(load_files)))

    def leads_out(self, path: VolumePath) -> bool:
        """Whether `..` goes above the volume, wherever the load file lies."""
        return path.ups > max(map(len, self._folders), default=0)

    def find(self, path: VolumePath, load_file: str = "", volume: str = "") -> Located | None:
        """`load_file` names it; `volume` is what that says of the volume that the path lies in."""
        for parts, shortened in self._candidates(path, load_file, volume):
            asked = unicodedata.normalize("NFC", "/".join(parts))
            place = asked if asked in self._exact else self._folded.get(_folded(asked))
            if place is not None:
                return Located(place, shortened)
        return None

    def _candidates(self, path: VolumePath, load_file: str, volume: str) -> Iterator[tuple[_Parts, bool]]:
        parts = path.parts
        own = [PurePosixPath(load_file).parent.parts] if load_file else []
        folders = list(dict.fromkeys([*own, *self._folders]))
        if path.ups:
            yield from (
                ((*folder[: len(folder) - path.ups], *parts), False) for folder in folders if len(folder) >= path.ups
            )
            return
        for base in dict.fromkeys([*(base for folder in own for base in _upwards(folder)), ()]):
            if volume:
                yield (*base, volume, *parts), False
            yield (*base, *parts), False
        if _folded(parts[0]) == self._name:
            yield parts[1:], False
        yield from (((*base, *parts), False) for folder in folders for base in _upwards(folder))
        if path.absolute or _folded(parts[0]) not in self._tops:
            yield from ((parts[start:], True) for start in range(1, len(parts)))


def _upwards(folder: _Parts) -> Iterator[_Parts]:
    return (folder[:length] for length in range(len(folder), -1, -1))


def _folded(path: str) -> str:
    return unicodedata.normalize("NFC", path).casefold()
