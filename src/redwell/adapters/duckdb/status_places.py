"""Where the files of events lie: a folder of the home, or objects below a prefix of a bucket. Used by status_files."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol


class ObjectStore(Protocol):
    """As much as is needed of adapters.s3.objects."""

    def put_file(self, key: str, path: Path) -> None: ...
    def parts(self, key: str) -> Iterator[bytes]: ...
    def names(self, prefix: str) -> Iterator[tuple[str, int]]: ...
    def delete(self, key: str) -> None: ...


class Place(Protocol):
    def put(self, name: str, made: Path) -> None:
        """Move a finished file there; whoever looks sees the whole of it or nothing."""
        ...

    def names(self, prefix: str) -> list[str]: ...
    def delete(self, name: str) -> None: ...
    def at_hand(self) -> Path:
        """A folder of this machine with all of them as they are now."""
        ...


class FolderPlace:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def put(self, name: str, made: Path) -> None:
        target = self._folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        with made.open("rb") as file:
            os.fsync(file.fileno())
        made.replace(target)

    def names(self, prefix: str) -> list[str]:
        found = (self._folder / prefix).rglob("*")
        return [path.relative_to(self._folder).as_posix() for path in found if path.is_file()]

    def delete(self, name: str) -> None:
        (self._folder / name).unlink(missing_ok=True)

    def at_hand(self) -> Path:
        return self._folder


class BucketPlace:
    """`folder` keeps copies for whoever asks; a file is never changed under its name but by being written again."""

    def __init__(self, objects: ObjectStore, folder: Path) -> None:
        self._objects, self._copies = objects, FolderPlace(folder)

    def put(self, name: str, made: Path) -> None:
        self._objects.put_file(name, made)
        self._copies.delete(name)
        made.unlink()

    def names(self, prefix: str) -> list[str]:
        return [name for name, _ in self._objects.names(prefix)]

    def delete(self, name: str) -> None:
        self._objects.delete(name)
        self._copies.delete(name)

    def at_hand(self) -> Path:
        folder = self._copies.at_hand()
        wanted = dict(self._objects.names("statuses/"))
        for name in set(self._copies.names("statuses")) - set(wanted):
            self._copies.delete(name)
        for name, size in wanted.items():
            copy = folder / name
            if not copy.exists() or copy.stat().st_size != size:
                self._fetch(name, copy)
        return folder

    def _fetch(self, name: str, copy: Path) -> None:
        copy.parent.mkdir(parents=True, exist_ok=True)
        coming = copy.with_suffix(".part")
        with coming.open("wb") as file:
            file.writelines(self._objects.parts(name))
        coming.replace(copy)
