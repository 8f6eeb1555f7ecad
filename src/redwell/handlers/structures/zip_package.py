"""ZIP packages of parts (OOXML, ODF, Visio, XPS, iWork): safe opening, part by part. Runs in a child."""

import posixpath
import struct
import zipfile
import zlib
from functools import cached_property
from typing import IO, BinaryIO
from urllib.parse import unquote

from redwell.core.errors import InvalidFile, TooLarge
from redwell.core.handler import Options
from redwell.handlers.structures.xml_text import Readable, leaves

# what zipfile raises on damaged, encrypted or exotic members
ZIP_ERRORS = (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, OSError, ValueError, LookupError, struct.error)
_FREE_BYTES = 64 << 20  # a part this small is never a bomb, whatever its ratio


class _CappedStream:
    """Reads a part and stops at the limit, whatever size the package declares for it."""

    def __init__(self, stream: IO[bytes], limit: int, name: str) -> None:
        self._stream, self._left, self._name = stream, limit, name

    def read(self, size: int = -1, /) -> bytes:
        try:
            data = self._stream.read(size if size >= 0 else self._left + 1)
        except ZIP_ERRORS as error:
            raise InvalidFile(f"part {self._name} is damaged: {error}") from None
        self._left -= len(data)
        if self._left < 0:
            raise TooLarge(f"part {self._name} grows beyond max_member_mb or max_ratio")
        return data


class Package:
    """Parts by name, without regard to case, as OPC wants it."""

    def __init__(self, file: BinaryIO, options: Options) -> None:
        try:
            self._zip = zipfile.ZipFile(file)
        except ZIP_ERRORS as error:
            raise InvalidFile(f"the package cannot be opened: {error}") from None
        self._options = options
        names = ((_canonical(info.filename), info) for info in self._zip.infolist())
        self._infos = {name: info for name, info in names if name and not name.endswith("/")}

    def __contains__(self, name: str) -> bool:
        return _canonical(name) in self._infos

    def names(self) -> list[str]:
        """Part names as stored, in the package's own order."""
        return [info.filename.replace("\\", "/").lstrip("/") for info in self._infos.values()]

    def open(self, name: str) -> Readable:
        """A part's bytes; raises `InvalidFile` where it is missing or damaged, `TooLarge` where it swells."""
        info = self._infos.get(_canonical(name))
        if info is None:
            raise InvalidFile(f"part {name} is missing")
        limit = min(self._options.max_member_bytes, max(_FREE_BYTES, info.compress_size * self._options.max_ratio))
        try:
            return _CappedStream(self._zip.open(info), limit, name)
        except ZIP_ERRORS as error:
            raise InvalidFile(f"part {name} is damaged: {error}") from None

    @cached_property
    def content_types(self) -> dict[str, str]:
        """Part name to content type, from the package's own list."""
        defaults: dict[str, str] = {}
        found: dict[str, str] = {}
        for kind, attributes, _ in leaves(self.open("[Content_Types].xml")):
            if kind == "Override":
                found[_canonical(attributes.get("PartName", ""))] = attributes.get("ContentType", "")
            elif kind == "Default":
                defaults[attributes.get("Extension", "").lower()] = attributes.get("ContentType", "")
        types = {}
        for name in self.names():
            extension = name.rpartition(".")[2].lower()
            types[name] = found.get(_canonical(name), defaults.get(extension, ""))
        return types

    def relationships(self, part: str) -> dict[str, tuple[str, str]]:
        """Relationship id to (type's last word, target part) of one part; links outside are left out."""
        folder, _, base = part.rpartition("/")
        name = f"{folder}/_rels/{base}.rels".lstrip("/")
        if name not in self:
            return {}
        found = {}
        for kind, attributes, _ in leaves(self.open(name)):
            if kind == "Relationship" and attributes.get("TargetMode") != "External":
                target = posixpath.normpath(posixpath.join("/" + folder, unquote(attributes.get("Target", "")))).lstrip(
                    "/"
                )
                found[attributes.get("Id", "")] = (attributes.get("Type", "").rpartition("/")[2], target)
        return found


def _canonical(name: str) -> str:
    return name.replace("\\", "/").lstrip("/").lower()
