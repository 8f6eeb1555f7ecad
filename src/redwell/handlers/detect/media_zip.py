"""Tells the formats that are ZIP files apart by the names inside. Called by `detect`."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import islice
from typing import BinaryIO

from redwell.handlers.detect.zip_directory import Entry, data_offset, entries, find_end

PLAIN = "application/zip"
_OOXML = "application/vnd.openxmlformats-officedocument."
_MOST_NAMES = 2_000  # enough to know a format; an archive of a million members is not read through
_MOST_DIRECTORY = 1 << 20  # and one with names of 64 KB each is not held in memory
_LONGEST_TYPE = 100

_CONTENT_TYPES = "[content_types].xml"
_OFFICE: tuple[tuple[str, str], ...] = (
    ("word/vbaproject.bin", "application/vnd.ms-word.document.macroenabled.12"),
    ("word/", _OOXML + "wordprocessingml.document"),
    ("xl/workbook.bin", "application/vnd.ms-excel.sheet.binary.macroenabled.12"),
    ("xl/vbaproject.bin", "application/vnd.ms-excel.sheet.macroenabled.12"),
    ("xl/", _OOXML + "spreadsheetml.sheet"),
    ("ppt/vbaproject.bin", "application/vnd.ms-powerpoint.presentation.macroenabled.12"),
    ("ppt/", _OOXML + "presentationml.presentation"),
    ("visio/", "application/vnd.ms-visio.drawing"),
    ("fixeddoc", "application/vnd.ms-xpsdocument"),
    ("documents/", "application/vnd.ms-xpsdocument"),
    ("3d/", "model/3mf"),
)
_OTHERS: tuple[tuple[str, str], ...] = (
    ("AndroidManifest.xml", "application/vnd.android.package-archive"),
    ("META-INF/container.xml", "application/epub+zip"),
    ("META-INF/MANIFEST.MF", "application/java-archive"),
    ("doc.kml", "application/vnd.google-earth.kmz"),
)
_IWORK = {
    "key": "application/vnd.apple.keynote",
    "numbers": "application/vnd.apple.numbers",
    "pages": "application/vnd.apple.pages",
}
_DOCUMENTS = (
    *("application/vnd.oasis.opendocument.", "application/vnd.sun.xml."),
    *("application/epub+zip", "application/hwp+zip"),
)
_SAME = {"application/x-ibooks+zip": "application/epub+zip"}
_IWORK_MARKS = ("Index/Document.iwa", "Index.zip", "buildVersionHistory.plist", "Metadata/BuildVersionHistory.plist")


def media_type(file: BinaryIO, size: int, head: bytes, extension: str) -> str:
    """The document format that a ZIP is, or plain `application/zip`."""
    told = _declared_type(head)
    if told:
        return told
    end = find_end(file, size)
    part = replace(end, stop=min(end.stop, end.directory + _MOST_DIRECTORY)) if end else None
    members = list(islice(entries(file, part), _MOST_NAMES)) if part else []
    names = [_in_slashes(entry.name) for entry in members] or local_names(head + file_part(file))
    if "mimetype" in names and members:
        told = _stored_type(file, members[names.index("mimetype")])
    return told or by_names(names, extension)


def by_names(names: list[str], extension: str) -> str:
    """The format that these member names stand for."""
    if any(name.lower() == _CONTENT_TYPES for name in names):  # names of parts have no case
        return _first([name.lower() for name in names], _OFFICE) or "application/x-ooxml"
    if "index.apxl" in names or "Index/Slide.iwa" in names or any(name.startswith("Index/Slide-") for name in names):
        return _IWORK["key"]
    if any(mark in names for mark in _IWORK_MARKS):
        return _IWORK.get(extension, "application/vnd.apple.iwork")
    if "content.xml" in names and "META-INF/manifest.xml" in names:
        return _open_document(extension)
    if any("com.microsoft.__Messages" in name for name in names):
        return "application/x-olm"
    exact = set(names)
    return next((kind for name, kind in _OTHERS if name in exact), PLAIN)


def _in_slashes(name: bytes) -> str:
    """Some packers of Windows write backslashes."""
    return name.decode("latin-1").replace("\\", "/")


def _first(names: Iterable[str], rules: tuple[tuple[str, str], ...]) -> str | None:
    return next((kind for prefix, kind in rules if any(name.startswith(prefix) for name in names)), None)


def _open_document(extension: str) -> str:
    """Writers before ODF left the `mimetype` member out; the name must say which program it was."""
    sun = {"sxw": "writer", "sxc": "calc", "sxi": "impress", "sxd": "draw"}
    oasis = {"ods": "spreadsheet", "odp": "presentation", "odg": "graphics"}
    if extension in sun:
        return "application/vnd.sun.xml." + sun[extension]
    return "application/vnd.oasis.opendocument." + oasis.get(extension, "text")


def _declared_type(head: bytes) -> str | None:
    """ODF and EPUB write their type uncompressed as the first member."""
    if head[30:38] != b"mimetype" or head[8:10] != b"\0\0":
        return None
    extras, length = int.from_bytes(head[28:30], "little"), int.from_bytes(head[22:26], "little")
    start = 38 + extras
    text = head[start : start + length] if length else head[start : start + _LONGEST_TYPE].split(b"PK", 1)[0]
    return _clean(text)


def _stored_type(file: BinaryIO, entry: Entry) -> str | None:
    start = data_offset(file, entry)
    if entry.method or start is None or entry.size > _LONGEST_TYPE:
        return None
    file.seek(start)
    return _clean(file.read(entry.size))


def _clean(text: bytes) -> str | None:
    """The type if it is one of documents; packages of other programs are archives, by the names inside."""
    told = text.decode("latin-1").strip()
    told = _SAME.get(told, told)
    return told if told.startswith(_DOCUMENTS) and told.isprintable() and len(told) <= _LONGEST_TYPE else None


def file_part(file: BinaryIO) -> bytes:
    """The bytes behind the head, for an archive that has lost its directory."""
    file.seek(4096)
    return file.read(1 << 16)


def local_names(data: bytes) -> list[str]:
    """Member names from the local headers in this run of bytes."""
    names, at = [], data.find(b"PK\x03\x04")
    while at >= 0:
        length = int.from_bytes(data[at + 26 : at + 28], "little")
        names.append(_in_slashes(data[at + 30 : at + 30 + length]))
        at = data.find(b"PK\x03\x04", at + 30)
    return names
