"""One item of a store: its properties, its recipients, its attachments and the messages among them. Runs in a child."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from redwell.handlers.pst.nodes import Database, Node
from redwell.handlers.pst.properties import OBJECT, Keeper, Properties
from redwell.handlers.pst.tree import Damaged

_RECIPIENTS = 0x692
_ATTACHMENT_KIND = 5
_METHOD, _DATA, _FILE_NAME, _LONG_FILE_NAME, _DISPLAY_NAME = 0x3705, 0x3701, 0x3704, 0x3707, 0x3001
_PATH, _LONG_PATH = 0x3708, 0x370D
_EMBEDDED = 5
_DEEPEST = 20
_MOST_INSIDE = 1_000  # messages inside one item: a node that holds itself twice would be a million


@dataclass(frozen=True, slots=True)
class Attachment:
    name: str
    properties: Properties
    size: int
    item: "Item | None" = None
    node: int = 0  # of an object, the data block of its bytes
    database: Database | None = None

    def runs(self) -> Iterator[bytes]:
        return self.database.data(self.node) if self.database else self.properties.runs(_DATA)


@dataclass(slots=True)
class Item:
    properties: Properties
    names: dict[tuple[str, int], int]
    recipients: list[Properties] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    references: list[str] = field(default_factory=list)  # attachments that lie elsewhere
    missing: list[str] = field(default_factory=list)  # what is damaged, in words

    @property
    def size(self) -> int:
        return sum(each.item.size if each.item else each.size for each in self.attachments)

    def lacks(self) -> Iterator[str]:
        """What is missing here and in the messages inside."""
        yield from self.missing
        for each in self.attachments:
            if each.item:
                yield from (f"{each.name or 'a message inside'}: {lack}" for lack in each.item.lacks())


class Reader:
    def __init__(self, database: Database, names: dict[tuple[str, int], int]) -> None:
        self._database, self._names = database, names
        self._inside = self._bytes = 0  # messages and bytes of attachments in the item at hand

    def read(self, node: Node) -> Item:
        """Raise Damaged where not even the properties can be read."""
        self._inside = self._bytes = 0
        return self._item(node, 0)

    def _item(self, node: Node, depth: int) -> Item:
        unsound = self._database.unsound
        keeper = Keeper(self._database, node)
        item = Item(keeper.properties(), self._names)
        self._add_recipients(keeper, item)
        attachments = sorted(nid for nid, below in keeper.subnodes.items() if below.kind == _ATTACHMENT_KIND)
        for number, nid in enumerate(attachments, 1):
            try:
                self._attach(keeper.subnodes[nid], item, depth)
            except Damaged as error:
                item.missing.append(f"attachment {number}: {error}")
        if damaged := self._database.unsound - unsound:
            item.missing.append(f"{damaged} of its blocks have changed since they were written")
        return item

    def _add_recipients(self, keeper: Keeper, item: Item) -> None:
        table = keeper.subnodes.get(_RECIPIENTS)
        try:
            if table:
                item.recipients += Keeper(self._database, table).rows(item.properties.code_page)
        except Damaged as error:
            item.missing.append(f"recipients: {error}")

    def _attach(self, node: Node, item: Item, depth: int) -> None:
        keeper = Keeper(self._database, node)
        told = keeper.properties(item.properties.code_page)
        name = told.text(_LONG_FILE_NAME) or told.text(_FILE_NAME) or told.text(_DISPLAY_NAME)
        if told.kind(_DATA) == OBJECT:
            item.attachments.append(self._object(keeper, told, name, depth))
        elif told.kind(_DATA):
            item.attachments.append(Attachment(name, told, self._size(told.runs(_DATA))))
        else:
            where = told.text(_LONG_PATH) or told.text(_PATH)
            item.references.append(" ".join(f"{name} {where}".split()) or "an attachment without bytes")

    def _object(self, keeper: Keeper, told: Properties, name: str, depth: int) -> Attachment:
        nid = int.from_bytes(told.data(_DATA)[:4], "little")
        below = keeper.subnodes.get(nid)
        if below is None:
            raise Damaged("its bytes are missing")
        if told.number(_METHOD) != _EMBEDDED:
            size = self._size(self._database.data(below.data))
            return Attachment(name, told, size, node=below.data, database=self._database)
        self._inside += 1
        if depth >= _DEEPEST or self._inside > _MOST_INSIDE:
            raise Damaged(f"a message inside {_DEEPEST} others, or one of {_MOST_INSIDE} in one item")
        return Attachment(name, told, 0, item=self._item(below, depth + 1))

    def _size(self, runs: Iterator[bytes]) -> int:
        """A look at all of it: what is damaged shows before it is promised. Nothing is larger than the store."""
        size = 0
        for run in runs:
            size += len(run)
            self._bytes += len(run)
            if self._bytes > self._database.most_bytes:
                raise Damaged("the attachments of one item are larger than the store")
        return size
