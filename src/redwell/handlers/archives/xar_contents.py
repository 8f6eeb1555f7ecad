"""The table of contents of a XAR archive, which is XML. Used by the xar handler in a child."""

import base64
import binascii
from collections.abc import Iterable
from dataclasses import dataclass
from xml.parsers import expat

from redwell.core.errors import InvalidFile, TooLarge

_DEEPEST = 200
_BEYOND = 1 << 62  # farther than any file goes; what is added to it is still a place
_XML_ERRORS = (expat.ExpatError, LookupError, ValueError)


@dataclass(slots=True)
class XarFile:
    """One entry; `offset` counts from the start of the heap, `length` is packed and `size` is not."""

    folder: "XarFile | None"
    name: str = ""
    kind: str = "file"
    modified: str = ""
    offset: int = 0
    length: int = 0
    size: int = 0
    packing: str = "application/octet-stream"
    checksum: tuple[str, str] = ("", "")  # of the unpacked bytes: which, and the digits

    @property
    def path(self) -> str:
        names, entry = [self.name], self.folder
        while entry is not None:
            names.append(entry.name)
            entry = entry.folder
        return "/".join(reversed(names))


def contents(chunks: Iterable[bytes], most: int) -> list[XarFile]:
    """Every entry in the order of the table."""
    reader = _Reader(most)
    try:
        for chunk in chunks:
            reader.parser.Parse(chunk, False)
        reader.parser.Parse(b"", True)
    except _XML_ERRORS as error:
        raise InvalidFile(f"the table of contents is damaged: {error}") from None
    return reader.files


class _Reader:
    def __init__(self, most: int) -> None:
        self.files: list[XarFile] = []
        self._most = most
        self._open: list[XarFile] = []
        self._names: list[str] = []
        self._attributes: dict[str, str] = {}
        self._text = ""
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._data

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._text, self._attributes = "", attributes
        if len(self._names) > _DEEPEST:
            raise InvalidFile("folders are too deep")
        if name == "file":
            if len(self.files) >= self._most:
                raise TooLarge(f"over {self._most} members (setting max_members)")
            self.files.append(XarFile(self._open[-1] if self._open else None))
            self._open.append(self.files[-1])
        elif name == "encoding" and self._open and self._names[-1] == "data":
            self._open[-1].packing = attributes.get("style", "")
        self._names.append(name)

    def _data(self, text: str) -> None:
        self._text += text

    def _end(self, name: str) -> None:
        self._names.pop()
        if name == "file":
            self._open.pop()
        elif self._open and self._names[-1] == "file":
            self._of_file(self._open[-1], name)
        elif self._open and self._names[-1] == "data":
            self._of_data(self._open[-1], name)

    def _of_file(self, file: XarFile, name: str) -> None:
        if name == "name":
            file.name = _decoded(self._text) if self._attributes.get("enctype") == "base64" else self._text
        elif name == "type":
            file.kind = self._text.strip()
        elif name == "mtime":
            file.modified = self._text.strip()

    def _of_data(self, file: XarFile, name: str) -> None:
        if name in ("offset", "length", "size"):
            setattr(file, name, min(max(0, int(self._text)), _BEYOND))
        elif name == "extracted-checksum":
            file.checksum = self._attributes.get("style", "").lower(), self._text.strip().lower()


def _decoded(text: str) -> str:
    try:
        return base64.b64decode(text).decode("utf-8", "replace")
    except binascii.Error:
        return text
