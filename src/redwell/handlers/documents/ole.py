"""OLE compound files: safe opening, property sets, storages turned into files. Runs in a child."""

import datetime
import uuid
from typing import Any, BinaryIO

from redwell.core.errors import InvalidFile
from redwell.core.handler import MetaValue
from redwell.handlers.documents.compound_writer import Storage, write
from redwell.handlers.documents.dates import iso

# what olefile lets through on damaged files, beside its own error (an OSError)
OLE_ERRORS = (OSError, ValueError, IndexError, KeyError, TypeError, AttributeError, OverflowError, RecursionError)
_TEXTS = {
    "title": "title",
    "subject": "subject",
    "author": "author",
    "keywords": "keywords",
    "comments": "comments",
    "last_saved_by": "last_modified_by",
    "revision_number": "revision",
    "template": "template",
    "creating_application": "application",
    "category": "category",
    "manager": "manager",
    "company": "company",
    "language": "language",
}
_DATES = {"create_time": "created", "last_saved_time": "modified", "last_printed": "last_printed"}
_COUNTS = {"num_pages": "stated_pages", "num_words": "stated_words", "slides": "stated_slides"}
_UNSET_YEAR = 1601  # FILETIME zero
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
        """The summary property sets in Redwell's names."""
        try:
            found = self._ole.get_metadata()
        except OLE_ERRORS as error:
            raise InvalidFile(f"the property sets are damaged: {error}") from None
        return _named(found)


def kind_of(streams: dict[str, str]) -> str:
    """The usual extension of a compound file with these streams, or "ole"."""
    return next((extension for name, extension in _SIGNS.items() if name in streams), "ole")


def _clsid(text: str) -> bytes:
    return uuid.UUID(text).bytes_le if text else bytes(16)


def _named(found: Any) -> dict[str, MetaValue]:
    values: dict[str, MetaValue] = {}
    for theirs, ours in _TEXTS.items():
        value = getattr(found, theirs, None)
        text = _decoded(value, found.codepage) if isinstance(value, bytes) else str(value or "")
        if text := text.replace("\0", "").strip():
            values[ours] = text
    for theirs, ours in _DATES.items():
        value = getattr(found, theirs, None)
        if isinstance(value, datetime.datetime) and value.year > _UNSET_YEAR:
            values[ours] = iso(value.replace(tzinfo=datetime.UTC))
    for theirs, ours in _COUNTS.items():
        value = getattr(found, theirs, None)
        if isinstance(value, int) and value > 0:
            values[ours] = value
    return values


def _decoded(raw: bytes, codepage: int | None) -> str:
    names = {65001: "utf-8", 1200: "utf-16-le", 10000: "mac-roman", 10001: "shift_jis", 10007: "mac-cyrillic"}
    number = (codepage or 1252) & 0xFFFF
    try:
        return raw.decode(names.get(number, f"cp{number}"), "replace")
    except LookupError:
        return raw.decode("cp1252", "replace")
