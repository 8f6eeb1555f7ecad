"""The records of all load files of a volume, each with the files that it names, pages and attachments. In a child.

What the files hold is not asked: they may be hashed at the same time (core.loadfiles.records.hashed).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from msgspec import structs

from redwell.core.errors import BadInput
from redwell.core.loadfiles.assembly import NATIVE, PAGE, TEXT, Part
from redwell.core.loadfiles.bates import parse_range
from redwell.core.loadfiles.dates import Order
from redwell.core.loadfiles.family_tree import Member, Tree, family_tree, unsure_ids
from redwell.core.loadfiles.inventory import Inventory
from redwell.core.loadfiles.paths import is_words
from redwell.core.loadfiles.records.record_document import RecordBody, RecordDocument
from redwell.core.loadfiles.records.record_fields import DateOrders, missing_pages, read_dates, told_pages
from redwell.core.loadfiles.records.record_files import LoadFile, RawRecord, usual_headers
from redwell.core.loadfiles.volume_document import Told
from redwell.core.outcomes import Code
from redwell.handlers.loadfiles.page_documents import GivenPage, PageDocuments
from redwell.handlers.loadfiles.repeated import without_repeats

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
        self.broken: list[str] = []
        self._pages = PageDocuments([each for each in files if each.has_pages], inventory, self.broken)
        headers = usual_headers(self._tables)
        for each in self._tables:
            if each.kind == "delimited":
                each.map_columns(headers, lambda value: inventory.look_up(value) is not None)
        self._tables, self.repeated = without_repeats(self._tables)
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

    def _first_look(self) -> tuple[Tree, list[int]]:
        members: list[Member] = []
        for file, raw in self._raw(self.broken):
            values = raw.values
            self._orders[file.name].see(values, raw.row)
            self._has_families = self._has_families or any(values.get(name) for name in _FAMILY)
            members.append(_member(raw))
            self._pages.claim(members[-1].id, members[-1].begbates)
        self.rows = len(members)
        self._unsure = dict(unsure_ids(members))
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
            if trouble := self._unsure.get(at):
                document.body.troubles.append((Code.FILE_MISSING_OR_INCOMPLETE.value, trouble))
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
        parts = self._file(NATIVE, values.get("nativepath", ""), body) + self._texts(raw, body)
        parts += self._beside(raw.beside, file)
        given = pages if pages is not None else self._pages.of(name, values.get("begbates", ""))
        self._add_pages(given, raw, body)
        if not any(part.role == TEXT for part in parts) and not body.said and not values.get("textpath"):
            parts += self._called_like_it(body, parts)
        body.troubles += [(Code.COUNT_MISMATCH.value, detail) for detail in missing_pages(values, len(body.pages))]
        if not parts and not body.pages and not body.troubles and not body.said:
            body.notes.append((Code.FILE_MISSING_OR_INCOMPLETE.value, "the row names no file"))
        return RecordDocument(name=values.get("filename") or name or f"row {raw.row}", parts=parts, body=body)

    def _add_pages(self, given: Sequence[GivenPage], raw: RawRecord, body: RecordBody) -> None:
        for at, page in enumerate(given[:_MOST_PAGES]):
            if at and page.path == given[at - 1].path and body.pages:  # the next page of the same file
                body.pages.append(structs.replace(body.pages[-1], number=page.offset, key=page.key, turn=page.turn))
            else:
                body.pages += self._page(page, body)
        for path in [] if given else [*raw.images, *filter(None, [raw.values.get("imagepath")])]:
            body.pages += _each_page(self._page(GivenPage(body.file, raw.row, path), body), told_pages(raw.values))

    def _texts(self, raw: RawRecord, body: RecordBody) -> list[Part]:
        """The file that its row names; a value that is no path is the text itself."""
        told = raw.values.get("textpath", "")
        if told and is_words(told) and self._inventory.look_up(told, body.file) is None:
            body.said = raw.values.pop("textpath")
            return []
        body.said = "" if told else raw.said
        return self._file(TEXT, told, body)

    def _called_like_it(self, body: RecordBody, parts: Sequence[Part]) -> list[Part]:
        """Texts that no row names: one for each page, or one for the record, called by its number."""
        keys = [page.key for page in body.pages if page.key]
        found = [self._text_called(key, parts) for key in keys] if len(keys) > 1 else []
        if all(place is None for place in found):
            found = [self._text_called(name, parts) for name in _names(body)]
        places = list(dict.fromkeys(place for place in found if place is not None))
        self._inventory.named.update(places)
        body.text_by_name = bool(places)
        files = [self._inventory.files[place] for place in places]
        return [Part(TEXT, file.path, "", file.size) for file in files]

    def _text_called(self, name: str, parts: Sequence[Part]) -> int | None:
        place = self._inventory.text_called(name) if name else None
        return place if place is not None and self._inventory.files[place].path not in {p.name for p in parts} else None

    def _beside(self, paths: Sequence[str], load_file: str) -> list[Part]:
        """Texts that no row names and that lie where they should; one that does not is no defect of the row."""
        found = [path for path in paths if self._inventory.look_up(path, load_file) is not None]
        places = [self._inventory.find(path, load_file) for path in found]
        files = [self._inventory.files[place] for place in places if place is not None]
        return [Part(TEXT, file.path, "", file.size) for file in files]

    def _file(self, role: str, path: str, body: RecordBody, page: GivenPage | None = None) -> list[Part]:
        if not path:
            return []
        load_file, volume = (page.file, page.volume) if page else (body.file, "")
        place = self._inventory.find(path, load_file, volume or body.values.get("volume", ""))
        file = self._inventory.files[place] if place is not None else None
        if file is None:
            body.troubles.append((Code.FILE_MISSING_OR_INCOMPLETE.value, f"its {role} {path}: not in the volume"))
            return []
        return [Part(role, file.path, "", file.size)]

    def _page(self, page: GivenPage, body: RecordBody) -> list[Part]:
        return [
            Part(PAGE, part.name, "", part.size, page.offset, page.key, page.turn)
            for part in self._file(PAGE, page.path, body, page)
        ]


def _each_page(whole: list[Part], count: int) -> list[Part]:
    """A PDF that no page file lists has as many pages as the record says."""
    if count < 2 or not all(part.name.lower().endswith(".pdf") for part in whole):
        return whole
    return [structs.replace(part, number=number) for part in whole for number in range(1, count + 1)]


def _names(body: RecordBody) -> list[str]:
    return list(dict.fromkeys(filter(None, [body.id, body.values.get("begbates", "")])))


def _member(raw: RawRecord) -> Member:
    values = raw.values
    attached = tuple(values.get("attachids", "").replace(",", ";").split(";"))
    family = values.get("begattach") or (parse_range(values.get("attachrange", "")) or ("",))[0]
    return Member(
        *(_name(raw), values.get("begbates", ""), values.get("parentid", ""), family),
        attachids=attached if any(attached) else (),
        familyid=values.get("familyid", ""),
    )


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
