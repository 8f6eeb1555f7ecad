"""OLE compound files: safe opening, property sets, storages turned into files. Runs in a child."""

import struct
import uuid
from dataclasses import dataclass, field
from functools import cache
from typing import Any, BinaryIO

from redwell.core.errors import InvalidFile
from redwell.core.handler import MetaValue
from redwell.handlers.structures.compound_writer import Storage, write
from redwell.handlers.structures.property_sets import DOCUMENT_SUMMARY, SUMMARY, named

# what olefile lets through on damaged files, beside its own error (an OSError)
OLE_ERRORS = (OSError, ValueError, IndexError, KeyError, TypeError, AttributeError, OverflowError, RecursionError)
_SIGNS = {
    "worddocument": "doc",
    "workbook": "xls",
    "book": "xls",
    "powerpoint document": "ppt",
    "visiodocument": "vsd",
    "quill": "pub",
    "__properties_version1.0": "msg",
}


@dataclass(slots=True)
class _Folder:
    """What lies directly in a storage: lower-case names to full paths, in the file's order."""

    path: list[str]
    streams: dict[str, list[str]] = field(default_factory=dict)
    storages: dict[str, list[str]] = field(default_factory=dict)


class Compound:
    """An open compound file; every damage is `InvalidFile`."""

    def __init__(self, file: BinaryIO) -> None:
        try:
            self._ole = _reader()(file)
            paths: list[list[str]] = self._ole.listdir(streams=True, storages=False)
        except OLE_ERRORS as error:
            raise InvalidFile(f"the compound file cannot be opened: {error}") from None
        self._folders: dict[tuple[str, ...], _Folder] = {(): _Folder([])}
        for path in paths:
            key = _key(path)
            self._folder(path[:-1], key[:-1]).streams[key[-1]] = path

    def _folder(self, path: list[str], key: tuple[str, ...]) -> _Folder:
        """The folder of this path, hung under its parents where it is new."""
        found = self._folders.get(key)
        if found is None:
            self._folder(path[:-1], key[:-1]).storages[key[-1]] = path
            found = self._folders[key] = _Folder(path)
        return found

    def _at(self, folder: str) -> _Folder:
        return self._folders.get(_key(folder.split("/")) if folder else (), _Folder([]))

    def __contains__(self, path: str) -> bool:
        above, _, name = path.rpartition("/")
        return name.lower() in self._at(above).streams

    def stream(self, path: str) -> bytes:
        """A stream's bytes; the path is found without regard to case."""
        above, _, name = path.rpartition("/")
        stored = self._at(above).streams.get(name.lower())
        if stored is None:
            raise InvalidFile(f"stream {path!r} is missing")
        return self._read(stored)

    def _read(self, path: list[str]) -> bytes:
        try:
            entry = self._ole.root
            for step in path:  # olefile's own look-up tries every name of a folder
                entry = entry.kids_dict[step.lower()]
            with self._ole._open(entry.isectStart, entry.size) as stream:
                data: bytes = stream.read()
                return data
        except OLE_ERRORS as error:
            raise InvalidFile(f"stream {path[-1]!r} is damaged: {error}") from None

    def folders(self, parent: str = "") -> list[str]:
        """The storages directly below `parent`, in the file's order."""
        return ["/".join(path) for path in self._at(parent).storages.values()]

    def below(self, folder: str) -> dict[str, str]:
        """Streams directly in a storage: lower-case name to full path."""
        return {name: "/".join(path) for name, path in self._at(folder).streams.items()}

    def extract(self, folder: str) -> bytes:
        """A storage as a compound file of its own."""
        return write(self.storage(folder))

    def storage(self, folder: str) -> Storage:
        """A storage with everything in it."""
        return self._storage(self._at(folder))

    def _storage(self, folder: _Folder) -> Storage:
        try:
            clsid = _clsid(self._ole.getclsid(folder.path))
        except OLE_ERRORS:
            clsid = bytes(16)
        streams = {path[-1]: self._read(path) for path in folder.streams.values()}
        inner = {path[-1]: self._storage(self._folders[_key(path)]) for path in folder.storages.values()}
        return Storage(clsid=clsid, streams=streams, storages=inner)

    def properties(self) -> dict[str, MetaValue]:
        """The summary property sets in Redwell's names; raises `InvalidFile` where one is damaged."""
        values: dict[str, MetaValue] = {}
        for name in (SUMMARY, DOCUMENT_SUMMARY):
            if name in self:
                values |= self.property_set(name)
        return values

    def property_set(self, name: str) -> dict[str, MetaValue]:
        try:
            return named(self.stream(name), document=name == DOCUMENT_SUMMARY)
        except struct.error:
            raise InvalidFile(f"the property set {name[1:]} is cut off") from None


@cache
def _reader() -> Any:
    import olefile  # type: ignore[import-untyped]

    class Reader(olefile.OleFileIO):  # type: ignore[misc]
        def loadfat(self, header: bytes) -> None:
            """Its last act is to check how the list of tables ends; some writers end it wrongly, and lose nothing."""
            try:
                super().loadfat(header)
            except OSError:
                if not len(self.fat or ()):
                    raise

        def _check_duplicate_stream(self, first_sect: int, minifat: bool = False) -> None:
            """Only logs, and takes a time that grows with the square of the number of streams."""

    return Reader


def kind_of(streams: dict[str, str]) -> str:
    """The usual extension of a compound file with these streams, or "ole"."""
    return next((extension for name, extension in _SIGNS.items() if name in streams), "ole")


def _key(path: list[str]) -> tuple[str, ...]:
    return tuple(step.lower() for step in path)


def _clsid(text: str) -> bytes:
    return uuid.UUID(text).bytes_le if text else bytes(16)
