"""OLE compound files: safe opening, property sets, storages turned into files. Runs in a child."""

import struct
import uuid
from typing import BinaryIO

from redwell.core.errors import InvalidFile
from redwell.core.handler import MetaValue
from redwell.handlers.documents.compound_writer import Storage, write
from redwell.handlers.documents.property_sets import DOCUMENT_SUMMARY, SUMMARY, named

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


class Compound:
    """An open compound file; every damage is `InvalidFile`."""

    def __init__(self, file: BinaryIO) -> None:
        import olefile  # type: ignore[import-untyped]

        try:
            self._ole = olefile.OleFileIO(file)
            self._paths: list[list[str]] = self._ole.listdir(streams=True, storages=False)
        except OLE_ERRORS as error:
            raise InvalidFile(f"the compound file cannot be opened: {error}") from None
        self._by_path = {tuple(part.lower() for part in path): path for path in self._paths}

    def __contains__(self, path: str) -> bool:
        return tuple(path.lower().split("/")) in self._by_path

    def stream(self, path: str) -> bytes:
        """A stream's bytes; the path is found without regard to case."""
        stored = self._by_path.get(tuple(path.lower().split("/")))
        if stored is None:
            raise InvalidFile(f"stream {path!r} is missing")
        return self._read(stored)

    def _read(self, path: list[str]) -> bytes:
        try:
            with self._ole.openstream(path) as stream:
                data: bytes = stream.read()
                return data
        except OLE_ERRORS as error:
            raise InvalidFile(f"stream {path[-1]!r} is damaged: {error}") from None

    def folders(self, parent: str = "") -> list[str]:
        """The storages directly below `parent`, in the file's order."""
        above = parent.lower().split("/") if parent else []
        depth = len(above)
        found: dict[str, None] = {}  # in order, each once
        for path in self._paths:
            if len(path) > depth + 1 and [part.lower() for part in path[:depth]] == above:
                found["/".join(path[: depth + 1])] = None
        return list(found)

    def below(self, folder: str) -> dict[str, str]:
        """Streams directly in a storage: lower-case name to full path."""
        above = folder.lower().split("/") if folder else []
        return {
            path[-1].lower(): "/".join(path) for path in self._paths if [part.lower() for part in path[:-1]] == above
        }

    def extract(self, folder: str) -> bytes:
        """A storage as a compound file of its own."""
        return write(self._storage(folder.split("/")))

    def _storage(self, folder: list[str]) -> Storage:
        try:
            clsid = _clsid(self._ole.getclsid(folder))
        except OLE_ERRORS:
            clsid = bytes(16)
        storage = Storage(clsid=clsid)
        depth = len(folder)
        for path in self._paths:
            if path[:depth] != folder:
                continue
            if len(path) == depth + 1:
                storage.streams[path[-1]] = self._read(path)
            elif path[depth] not in storage.storages:
                storage.storages[path[depth]] = self._storage(path[: depth + 1])
        return storage

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


def kind_of(streams: dict[str, str]) -> str:
    """The usual extension of a compound file with these streams, or "ole"."""
    return next((extension for name, extension in _SIGNS.items() if name in streams), "ole")


def _clsid(text: str) -> bytes:
    return uuid.UUID(text).bytes_le if text else bytes(16)
