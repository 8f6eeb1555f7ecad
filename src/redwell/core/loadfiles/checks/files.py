"""Is every file there that rows name, once, and is every file of the volume named? Called by the lint. Pure.

What lies in the volume is asked through `Volume`; whoever implements it reads names, sizes and first bytes, no more.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol

from redwell.core.loadfiles.pages import Page
from redwell.core.loadfiles.paths import VolumePath, is_words, volume_path
from redwell.core.loadfiles.records.record import Record
from redwell.core.loadfiles.rules import Finding

PATHS = ("nativepath", "textpath", "imagepath")
_MAGIC = {
    "tif": (b"II*\0", b"MM\0*", b"II+\0", b"MM\0+"),
    "tiff": (b"II*\0", b"MM\0*", b"II+\0", b"MM\0+"),
    "jpg": (b"\xff\xd8\xff",),
    "jpeg": (b"\xff\xd8\xff",),
    "png": (b"\x89PNG",),
    "pdf": (b"%PDF",),
}


class VolumeFile(NamedTuple):
    place: str  # relative to the volume, as it is there
    size: int
    head: bytes  # the first bytes of pictures and PDFs
    exact: bool  # found in the spelling that was asked for
    kind: Literal["file", "link"] = "file"
    shortened: bool = False  # found without the beginning of the path


class Named(NamedTuple):
    """A path as a row gives it."""

    text: str
    file: str  # the load file
    row: int
    volume: str = ""  # that the row says it lies in
    once: bool = True  # no other row may name it


class Volume(Protocol):
    def leads_out(self, path: VolumePath) -> bool: ...
    def find(self, path: VolumePath, load_file: str = "", volume: str = "") -> VolumeFile | None: ...
    def places(self) -> Iterator[str]:
        """Every file but the load files themselves, in order."""
        ...


@dataclass(slots=True)
class Balance:
    """Paths that rows name = found + not found; files of the volume = named + not named."""

    paths: int = 0
    paths_found: int = 0
    files: int = 0
    files_named: int = 0

    @property
    def paths_not_found(self) -> int:
        return self.paths - self.paths_found

    @property
    def files_not_named(self) -> int:
        return self.files - self.files_named


class FileCheck:
    """Shared by all load files of a volume; `unnamed` is asked when all were seen."""

    def __init__(self, volume: Volume) -> None:
        self._volume = volume
        self._named: dict[str, tuple[str, int]] = {}  # place: load file and row
        self._paged: set[str] = set()  # those that a record names as its pages, which a page file names again
        self.balance = Balance()

    def see(self, record: Record) -> Iterator[Finding]:
        given = [field for field in PATHS if self._is_named(record, field)]
        for field in given:
            named = Named(record.values[field], record.file, record.row, record.values.get("volume", ""))
            for finding in self.named(named):
                yield record.finding(finding[0], field, finding[1])
            if field == "imagepath" and (found := self._found(named)):
                self._paged.add(found.place)
        for path in record.images:
            for code, detail in self.named(Named(path, record.file, record.row)):
                yield record.finding(code, "", detail, path)
        for path in record.beside:
            if found := self._found(Named(path, record.file, record.row)):
                self._named.setdefault(found.place, (record.file, record.row))
        withheld = record.values.get("withheld", "").upper() in ("Y", "YES", "TRUE", "1", "WITHHELD")
        for field in (field for field in given if withheld and field != "imagepath"):
            yield record.finding("text-of-withheld", field)

    def _is_named(self, record: Record, field: str) -> bool:
        """A text may stand in its column itself: then no file is meant."""
        value = record.values.get(field, "")
        if field != "textpath" or not is_words(value):
            return bool(value)
        return self._found(Named(value, record.file, record.row)) is not None

    def _found(self, named: Named) -> VolumeFile | None:
        path = volume_path(named.text)
        return self._volume.find(path, named.file, named.volume) if path else None

    def end(self) -> Iterator[Finding]:
        return iter(())

    def pages(self, page: Page, file: str, column: int) -> Iterator[Finding]:
        """The file of a page; pages of one file (its offsets) name it many times."""
        named = Named(page.path, file, page.row, page.volume, once=not page.offset)
        for code, detail in self.named(named) if page.path else ():
            yield Finding(
                code=code,
                file=file,
                row=page.row,
                line=page.row,
                column=column,
                field="path",
                value=page.path,
                detail=detail,
            )

    def named(self, named: Named) -> Iterator[tuple[str, str]]:
        """Codes and details of what is wrong with a path that a row names."""
        path = volume_path(named.text)
        self.balance.paths += 1
        if path is None or self._volume.leads_out(path):
            yield "file-outside", ""
            return
        if path.absolute:
            yield "path-absolute", ""
        found = self._volume.find(path, named.file, named.volume)
        if found is None:
            yield "file-missing", ""
            return
        self.balance.paths_found += 1
        if found.shortened and not path.absolute:
            yield "path-shortened", found.place
        place = named.file, named.row
        earlier = self._named.setdefault(found.place, place)
        is_again = earlier[0] != named.file and found.place in self._paged
        if named.once and earlier != place and not is_again:
            yield "file-twice", f"row {earlier[1]} of {earlier[0]}"
        yield from _contents(found, path)

    def unnamed(self) -> Iterator[Finding]:
        for place in self._volume.places():
            self.balance.files += 1
            self.balance.files_named += place in self._named
            if place not in self._named:
                yield Finding(code="file-unnamed", file=place)


def _contents(found: VolumeFile, path: VolumePath) -> Iterator[tuple[str, str]]:
    if found.kind == "link":
        yield "file-link", found.place
        return
    if not found.exact:
        yield "file-case", found.place
    if not found.size:
        yield "file-empty", ""
        return
    expected = _MAGIC.get(path.parts[-1].rpartition(".")[2].lower())
    if expected and not found.head.startswith(expected):
        yield "file-kind", ""
