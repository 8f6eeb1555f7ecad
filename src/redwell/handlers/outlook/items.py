"""One item of a store: its properties, its recipients, its attachments and the messages among them. Runs in a child."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from redwell.handlers.outlook.nodes import Database, Node
from redwell.handlers.outlook.properties import OBJECT, Keeper, Properties
from redwell.handlers.outlook.tree import Damaged

_RECIPIENTS = 0x692
_ATTACHMENT_KIND = 5
_METHOD, _DATA, _FILE_NAME, _LONG_FILE_NAME, _DISPLAY_NAME = 0x3705, 0x3701, 0x3704, 0x3707, 0x3001
_PATH, _LONG_PATH = 0x3708, 0x370D
_EMBEDDED = 5
_DEEPEST = 20


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


class Reader:
    def __init__(self, database: Database, names: dict[tuple[str, int], int]) -> None:
        self._database, self._names = database, names

    def read(self, node: Node, depth: int = 0) -> Item:
        """Raise Damaged where not even the properties can be read."""
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
            size = sum(map(len, told.runs(_DATA)))  # a look at all of it: what is damaged shows before it is promised
            item.attachments.append(Attachment(name, told, size))
        else:
            where = told.text(_LONG_PATH) or told.text(_PATH)
            item.references.append(" ".join(f"{name} {where}".split()) or "an attachment without bytes")

    def _object(self, keeper: Keeper, told: Properties, name: str, depth: int) -> Attachment:
        nid = int.from_bytes(told.data(_DATA)[:4], "little")
        below = keeper.subnodes.get(nid)
        if below is None:
            raise Damaged("its bytes are missing")
        if told.number(_METHOD) != _EMBEDDED:
            size = sum(map(len, self._database.data(below.data)))
            return Attachment(name, told, size, node=below.data, database=self._database)
        if depth >= _DEEPEST:
            raise Damaged(f"a message inside {_DEEPEST} others")
        return Attachment(name, told, 0, item=self.read(below, depth + 1))
