"""The properties of an item, and the rows of a table, with their values as Python has them. Runs in a child."""

import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise

from redwell.handlers.pst.heap import Heap
from redwell.handlers.pst.nodes import Database, Node
from redwell.handlers.pst.tree import Damaged
from redwell.handlers.structures import code_pages
from redwell.handlers.structures.charset import decode

OBJECT, STRING8, UNICODE, TIME, BINARY = 0x0D, 0x1E, 0x1F, 0x40, 0x102
_MULTIPLE = 0x1000
_IN_PLACE = {0x02: "<h2x", 0x03: "<i", 0x04: "<f", 0x0A: "<I", 0x0B: "<?3x"}
_FIXED = {0x05: "<d", 0x06: "<q", 0x07: "<d", 0x14: "<q", TIME: "<Q"}
_EPOCH = datetime(1601, 1, 1, tzinfo=UTC)
_MESSAGE_CODE_PAGE, _INTERNET_CODE_PAGE = 0x3FFD, 0x3FDE
_MOST_VALUES = 10_000
_HEAP_KIND = 0
_TABLE = 0x7C

Value = str | int | float | bool | bytes | datetime | list["Value"]


@dataclass(frozen=True, slots=True)
class _Stored:
    kind: int
    raw: bytes  # the value itself, or four bytes that say where it lies


class Properties(Mapping[int, Value]):
    """Properties by id. A value is read when it is asked for: a damaged one costs no other."""

    def __init__(self, stored: Mapping[int, _Stored], keeper: "Keeper", code_page: int = 0) -> None:
        self._stored, self._keeper, self.code_page = stored, keeper, code_page
        self.code_page = self.number(_MESSAGE_CODE_PAGE) or self.number(_INTERNET_CODE_PAGE) or code_page or 1252

    def __getitem__(self, key: int) -> Value:
        stored = self._stored[key]
        return _value(stored.kind, self._raw(stored), self.code_page)

    def __iter__(self) -> Iterator[int]:
        return iter(self._stored)

    def __len__(self) -> int:
        return len(self._stored)

    def kind(self, key: int) -> int:
        return self._stored[key].kind if key in self._stored else 0

    def text(self, key: int) -> str:
        found = self.sound(key)
        return found.replace("\0", "") if isinstance(found, str) else ""

    def number(self, key: int) -> int:
        found = self.sound(key)
        return found if isinstance(found, int) else 0

    def moment(self, key: int) -> datetime | None:
        found = self.sound(key)
        return found if isinstance(found, datetime) else None

    def data(self, key: int) -> bytes:
        """The bytes of a binary value, or of a text as it is stored."""
        stored = self._stored.get(key)
        return self._raw(stored) if stored and stored.kind in (BINARY, STRING8, UNICODE, OBJECT) else b""

    def runs(self, key: int) -> Iterator[bytes]:
        """The same, a run at a time."""
        stored = self._stored.get(key)
        return self._keeper.runs(stored.raw) if stored else iter(())

    def raw_values(self, key: int, longest: int) -> tuple[int, list[bytes]]:
        """The kind of a property, and its values as they are stored; none where they are longer than that."""
        stored = self._stored[key]
        raw = self._raw(stored)
        kind = stored.kind & ~_MULTIPLE
        if len(raw) > longest:
            return kind, []
        return kind, _split(kind, raw) if stored.kind & _MULTIPLE else [raw]

    def sound(self, key: int) -> Value | None:
        """The value, or nothing where it is missing or damaged."""
        try:
            return self.get(key)
        except Damaged:
            return None

    def _raw(self, stored: _Stored) -> bytes:
        return stored.raw if stored.kind in _IN_PLACE else b"".join(self._keeper.runs(stored.raw))


class Keeper:
    """One node with its heap and the nodes below it: where values lie that are not in place."""

    def __init__(self, database: Database, node: Node) -> None:
        self._database = database
        self.subnodes = database.subnodes(node.subnodes)
        self.heap = Heap(list(database.data(node.data)), database.layout.heap_index_bits)

    def runs(self, place: bytes) -> Iterator[bytes]:
        """Of a value in the heap, or in a node of its own; longer ones of table rows are the value itself."""
        if len(place) != 4:
            yield place
            return
        where = int.from_bytes(place, "little")
        if where & 0x1F == _HEAP_KIND:
            yield self.heap.get(where)
        elif where in self.subnodes:
            yield from self._database.data(self.subnodes[where].data)
        else:
            raise Damaged(f"the node {where:#x} of a value is missing")

    def properties(self, code_page: int = 0) -> Properties:
        stored = {key: _Stored(int.from_bytes(raw[:2], "little"), raw[2:6]) for key, raw in self._records()}
        return Properties(stored, self, code_page)

    def rows(self, code_page: int) -> Iterator[Properties]:
        """Of a table. A row that its index does not name was deleted."""
        head = self._table_head()
        columns, bitmap_at, width = head[1], *struct.unpack_from("<4xHH", head, 2)
        rows = head[14:18]
        layout = [struct.unpack_from("<HHHBB", head, 22 + 8 * n) for n in range(min(columns, (len(head) - 22) // 8))]
        named = {int.from_bytes(value, "little") for _, value in self._index(head)}
        for number, row in enumerate(_cut(self.runs(rows), width)):
            if number in named:
                yield Properties(_cells(row, layout, row[bitmap_at:]), self, code_page)

    def row_ids(self) -> set[int]:
        """Of a table: in those of folders, the ids of the items that it lists."""
        return {key for key, _ in self._index(self._table_head())}

    def _table_head(self) -> bytes:
        head = self.heap.get(self.heap.root)
        if len(head) < 22 or head[0] != _TABLE:
            raise Damaged("a table has no header")
        return head

    def _index(self, head: bytes) -> Iterator[tuple[int, bytes]]:
        return self.heap.records(struct.unpack_from("<I", head, 10)[0])

    def _records(self) -> Iterator[tuple[int, bytes]]:
        return self.heap.records(self.heap.root)


def _cut(runs: Iterator[bytes], width: int) -> Iterator[bytes]:
    """Rows never cross from one run into the next."""
    if not width:
        raise Damaged("a table's rows have no width")
    for run in runs:
        yield from (run[at : at + width] for at in range(0, len(run) - width + 1, width))


def _cells(row: bytes, layout: list[tuple[int, ...]], bitmap: bytes) -> dict[int, _Stored]:
    found = {}
    for kind, key, at, width, bit in layout:
        if bit >> 3 < len(bitmap) and bitmap[bit >> 3] & 0x80 >> (bit & 7):
            cell = row[at : at + width]
            found[key] = _Stored(kind, cell.ljust(4, b"\0") if kind in _IN_PLACE else cell)
    return found


def _value(kind: int, raw: bytes, code_page: int) -> Value:
    try:
        if kind in _IN_PLACE:
            return struct.unpack(_IN_PLACE[kind], raw[:4])[0]  # type: ignore[no-any-return]
        if kind in _FIXED:
            (number,) = struct.unpack(_FIXED[kind], raw[:8])
            return _moment(number) if kind == TIME else number
    except struct.error:
        raise Damaged("a value is cut off") from None
    if kind == UNICODE:
        return raw.decode("utf-16-le", "replace")
    if kind == STRING8:
        return decode(raw, code_pages.label(code_page))[0]
    return _values(kind & ~_MULTIPLE, raw, code_page) if kind & _MULTIPLE else raw


def _values(kind: int, raw: bytes, code_page: int) -> list[Value]:
    return [_value(kind, each.ljust(4, b"\0") if kind in _IN_PLACE else each, code_page) for each in _split(kind, raw)]


def _split(kind: int, raw: bytes) -> list[bytes]:
    """Several values of one kind: a run of equal lengths, or a count, where each begins, and their bytes."""
    form = _IN_PLACE.get(kind, _FIXED.get(kind, "")).replace("2x", "").replace("3x", "")
    if form:
        width = struct.calcsize(form)
        return [raw[at : at + width] for at in range(0, len(raw), width)]
    if len(raw) < 8:
        return []
    count = min(int.from_bytes(raw[:4], "little"), len(raw) // 4 - 1, _MOST_VALUES)
    return [raw[start:end] for start, end in pairwise([*struct.unpack_from(f"<{count}I", raw, 4), len(raw)])]


def _moment(ticks: int) -> datetime:
    try:
        return _EPOCH + timedelta(microseconds=ticks // 10)
    except OverflowError:
        raise Damaged("a date that no calendar has") from None
