"""The records of all load files of a volume, each with its files, pages and attachments. Used by the volume handler."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from msgspec import structs

from redwell.core.errors import BadInput
from redwell.core.handler import Trouble
from redwell.core.loadfiles.assembly import NATIVE, PAGE, TEXT, Part
from redwell.core.loadfiles.dates import Order
from redwell.core.loadfiles.family_tree import Member, Tree, family_tree
from redwell.core.loadfiles.inventory import Inventory
from redwell.core.loadfiles.record_document import RecordBody, RecordDocument
from redwell.core.loadfiles.record_fields import DateOrders, read_dates
from redwell.core.loadfiles.record_files import LoadFile, RawRecord
from redwell.core.loadfiles.volume_document import Told
from redwell.core.outcomes import Code
from redwell.handlers.loadfiles.page_documents import GivenPage, PageDocuments

_FAMILY = ("parentid", "begattach", "attachids", "attachrange", "familyid")
_MOST_PAGES = 20_000
_LONGEST_ROW = 4 << 20


@dataclass(slots=True)
class _Open:
    """A family whose records have not all come by."""

    left: int
    documents: dict[int, RecordDocument] = field(default_factory=dict)


class Records:
    """Iterated once: the records that are attached to nothing, each with what is attached to it."""

    def __init__(self, files: Sequence[LoadFile], inventory: Inventory, told: Told) -> None:
        self._inventory, self._told = inventory, told
        self._tables = [each for each in files if not each.has_pages]
        self._broken: list[str] = []
        self._pages = PageDocuments([each for each in files if each.has_pages], inventory, self._broken)
        headers = [header for each in self._tables if each.kind == "delimited" and (header := each.header())]
        for each in self._tables:
            if each.kind == "delimited":
                each.map_columns(headers, lambda value: inventory.look_up(value) is not None)
        self.rows = self.records = self.tops = self.page_documents = 0
        self._has_families = False
        self._orders = {each.name: DateOrders() for each in self._tables}
        self._tree, self._roots = self._first_look()

    def figures(self) -> dict[str, int]:
        return {
            "volume_rows": self.rows,
            "volume_page_documents": self.page_documents,
            "volume_records": self.records,
            "volume_rows_lost": self.rows + self.page_documents - self.records,
            "volume_families": len({root for at, root in enumerate(self._roots) if root != at}),
        }

    def troubles(self) -> Iterator[Trouble]:
        for detail in self._broken:
            yield Trouble(code=Code.FILE_MISSING_OR_INCOMPLETE, detail=detail)

    def _first_look(self) -> tuple[Tree, list[int]]:
        members: list[Member] = []
        for file, raw in self._raw(self._broken):
            values = raw.values
            self._orders[file.name].see(values, raw.row)
            self._has_families = self._has_families or any(values.get(name) for name in _FAMILY)
            attached = tuple(values.get("attachids", "").replace(",", ";").split(";"))
            names = _name(raw), values.get("begbates", ""), values.get("parentid", ""), values.get("begattach", "")
            members.append(Member(*names, attachids=attached if any(attached) else ()))
            self._pages.claim(members[-1].id, members[-1].begbates)
        self.rows = len(members)
        members += [Member(id=key, parentid=parent) for key, parent in self._pages.unclaimed()]
        self.page_documents = len(members) - self.rows
        tree = family_tree(members)
        return tree, _roots(tree.parents)

    def _raw(self, broken: list[str] | None = None) -> Iterator[tuple[LoadFile, RawRecord]]:
        """What can't be read on costs the rest of its own file."""
        for file in self._tables:
            try:
                for raw in file.records():
                    yield file, raw
            except BadInput as error:
                if broken is not None:
                    broken.append(f"{file.name} could not be read to its end: {error}")

    def __iter__(self) -> Iterator[RecordDocument]:
        counts: dict[int, int] = {}
        for root in self._roots:
            counts[root] = counts.get(root, 0) + 1
        orders = {name: each.found() for name, each in self._orders.items()}
        families: dict[int, _Open] = {}
        for at, document in enumerate(self._documents(orders)):
            self.records += 1
            if trouble := self._tree.troubles.get(at):
                document.body.troubles.append((Code.COUNT_MISMATCH.value, trouble))
            root = self._roots[at]
            family = families.setdefault(root, _Open(counts[root]))
            family.documents[at] = document
            family.left -= 1
            if not family.left:
                del families[root]
                self.tops += 1
                yield self._joined(root, family.documents)

    def _documents(self, orders: dict[str, dict[str, Order]]) -> Iterator[RecordDocument]:
        for file, raw in self._raw():
            dates = read_dates(raw.values, orders[file.name])
            yield self._document(file.name, raw, dates)
        for key, pages in self._pages.left():
            raw = RawRecord(pages[0].row, {"docid": key})
            yield self._document(pages[0].file, raw, {}, pages)

    def _joined(self, root: int, documents: dict[int, RecordDocument]) -> RecordDocument:
        for at in sorted(documents):
            parent = self._tree.parents[at]
            if parent is not None and at != root:
                documents[parent].body.attached.append(documents[at])
        return documents[root]

    def _document(
        self, file: str, raw: RawRecord, dates: dict[str, str], pages: Sequence[GivenPage] | None = None
    ) -> RecordDocument:
        values, name = raw.values, _name(raw)
        body = RecordBody(id=name, file=file, row=raw.row, values=values, others=raw.others, dates=dates)
        body.text, body.unpack = self._told.text, not self._has_families
        body.troubles = [(Code.FILE_MISSING_OR_INCOMPLETE.value, detail) for detail in raw.troubles]
        parts = [
            part
            for role, path in ((NATIVE, "nativepath"), (TEXT, "textpath"))
            for part in self._file(role, values.get(path, ""), body)
        ]
        parts += self._beside(raw.beside)
        given = pages if pages is not None else self._pages.of(name, values.get("begbates", ""))
        for at, page in enumerate(given[:_MOST_PAGES]):
            if at and page.path == given[at - 1].path and body.pages:  # the next page of the same file
                body.pages.append(structs.replace(body.pages[-1], number=page.offset, key=page.key, turn=page.turn))
            else:
                body.pages += self._page(page, body)
        for path in [] if given else [*raw.images, *filter(None, [values.get("imagepath")])]:
            body.pages += self._page(GivenPage(file, raw.row, path), body)
        if not parts and not body.pages and not body.troubles:
            body.troubles.append((Code.FILE_MISSING_OR_INCOMPLETE.value, "the row names no file"))
        return RecordDocument(name=values.get("filename") or name or f"row {raw.row}", parts=parts, body=body)

    def _beside(self, paths: Sequence[str]) -> list[Part]:
        """Texts that no row names and that lie where they should; one that does not is no defect of the row."""
        found = [path for path in paths if self._inventory.look_up(path) is not None]
        places = [self._inventory.find(path) for path in found]
        files = [self._inventory.files[place] for place in places if place is not None]
        return [Part(TEXT, file.path, file.sha256, file.size) for file in files if file.sha256]

    def _file(self, role: str, path: str, body: RecordBody) -> list[Part]:
        if not path:
            return []
        place = self._inventory.find(path)
        file = self._inventory.files[place] if place is not None else None
        if file is None or not file.sha256:
            why = file.why if file else "not in the volume"
            body.troubles.append((Code.FILE_MISSING_OR_INCOMPLETE.value, f"its {role} {path}: {why}"))
            return []
        return [Part(role, file.path, file.sha256, file.size)]

    def _page(self, page: GivenPage, body: RecordBody) -> list[Part]:
        return [
            Part(PAGE, part.name, part.sha256, part.size, page.offset, page.key, page.turn)
            for part in self._file(PAGE, page.path, body)
        ]


def _name(raw: RawRecord) -> str:
    return raw.values.get("docid") or raw.values.get("begbates") or ""


def _roots(parents: Sequence[int | None]) -> list[int]:
    roots = list(range(len(parents)))
    for at in range(len(parents)):
        top = at
        while (parent := parents[top]) is not None:
            top = parent
        roots[at] = top
    return roots
