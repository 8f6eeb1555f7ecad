"""Pages of OPT and LFP files by the document that they belong to. Used while a volume is read, in a child."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from redwell.core.errors import BadInput
from redwell.core.loadfiles.assembly import MOST_PARTS
from redwell.core.loadfiles.inventory import Inventory
from redwell.core.loadfiles.pages import Boundary, Page, documents
from redwell.core.loadfiles.records.record_files import LoadFile


class GivenPage(NamedTuple):
    file: str  # the load file
    row: int
    path: str
    key: str = ""
    offset: int = 0
    turn: int = 0
    volume: str = ""


class PageDocuments:
    """Known by the key of the first page; the second file with the same document is passed over."""

    def __init__(self, files: Sequence[LoadFile], inventory: Inventory, broken: list[str]) -> None:
        self._by_key: dict[str, list[GivenPage]] = {}
        self._parents: dict[str, str] = {}
        self._claimed: set[str] = set()
        for file in files:
            try:
                for pages in documents(file.pages()):
                    self._add(file.name, pages)
            except BadInput as error:
                broken.append(f"{file.name} could not be read to its end: {error}")

    def _add(self, file: str, pages: list[Page]) -> None:
        given = [GivenPage(file, p.row, p.path, p.key, p.offset, p.rotate, p.volume) for p in pages if p.path]
        if len(given) == 1 and not given[0].offset and 1 < (pages[0].count or 0) <= MOST_PARTS:
            given = [given[0]._replace(offset=number) for number in range(1, (pages[0].count or 0) + 1)]
        key = pages[0].key.strip()
        if not given or key.casefold() in self._by_key:
            return
        if pages[0].boundary is Boundary.CHILD:
            self._parents[key.casefold()] = self._last
        else:
            self._last = key
        self._by_key[key.casefold()] = given

    _last = ""

    def claim(self, *names: str) -> None:
        """A record has these names: the pages are its own."""
        self._claimed.update(name.casefold() for name in names if name)

    def of(self, *names: str) -> list[GivenPage]:
        return next((self._by_key[key] for name in names if (key := name.casefold()) in self._by_key and name), [])

    def unclaimed(self) -> Iterator[tuple[str, str]]:
        """Documents that no record is: key, and the one they are attached to."""
        for key, pages in self._by_key.items():
            if key not in self._claimed:
                yield pages[0].key, self._parents.get(key, "")

    def left(self) -> Iterator[tuple[str, list[GivenPage]]]:
        return ((pages[0].key, pages) for key, pages in self._by_key.items() if key not in self._claimed)
