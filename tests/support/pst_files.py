"""Makes small Outlook stores of every kind after the format's specification; libpff reads them, too."""

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from uuid import UUID

from tests.support.pst_blocks import Blocks

_EPOCH = datetime(1601, 1, 1, tzinfo=UTC)
INTEGER, BOOLEAN, OBJECT, STRING8, UNICODE, TIME, BINARY = 0x03, 0x0B, 0x0D, 0x1E, 0x1F, 0x40, 0x102
NAMED = (  # property 0x8000, 0x8001, ...
    ("00062002-0000-0000-c000-000000000046", 0x820D),
    ("00062002-0000-0000-c000-000000000046", 0x8208),
    ("00062004-0000-0000-c000-000000000046", 0x8083),
)
_ROOT, _STORE, _NAMES = 0x122, 0x21, 0x61
_IN_HEAP = 400

Value = int | bool | str | bytes | datetime


@dataclass(frozen=True)
class Item:
    """`properties` by id; `recipients` as (kind, name, address); attachments as (name, bytes) or items."""

    properties: Mapping[int, Value]
    recipients: Sequence[tuple[int, str, str]] = ()
    attachments: Sequence["tuple[str, bytes] | Item"] = ()


@dataclass(frozen=True)
class Folder:
    name: str
    items: Sequence[Item] = ()
    folders: Sequence["Folder"] = ()


def mail(subject: str, body: str = "", **more: Value) -> Item:
    told: dict[int, Value] = {0x001A: "IPM.Note", 0x0037: subject, 0x1000: body}
    return Item(told | {int(key[1:], 16): value for key, value in more.items()})


@dataclass
class _Heap:
    """One heap block: allocations behind a header, a map of them at the end."""

    kind: int
    parts: list[bytes] = field(default_factory=list)

    def add(self, data: bytes) -> int:
        self.parts.append(data)
        return len(self.parts) << 5

    def done(self, root: int) -> bytes:
        starts = [12]
        for part in self.parts:
            starts.append(starts[-1] + len(part))
        end = starts[-1] + starts[-1] % 2
        body = struct.pack("<HBBII", end, 0xEC, self.kind, root, 0) + b"".join(self.parts)
        return body.ljust(end, b"\0") + struct.pack(f"<HH{len(starts)}H", len(self.parts), 0, *starts)

    def map(self, key_bytes: int, records: Mapping[int, bytes]) -> int:
        leaf = b"".join(key.to_bytes(key_bytes, "little") + value for key, value in sorted(records.items()))
        width = len(next(iter(records.values()), b"\0\0\0\0"))
        return self.add(struct.pack("<BBBBI", 0xB5, key_bytes, width, 0, self.add(leaf) if leaf else 0))


class Store(Blocks):
    """`add` what it shall hold, then take `data`."""

    def __init__(self, *, ansi: bool = False, large: bool = False, method: int = 1) -> None:
        super().__init__(ansi=ansi, large=large, method=method)
        self._next_folder, self._next_item = 0x400, 0x10001

    def with_folders(self, *folders: Folder) -> "Store":
        self._put(_STORE, 0, self._properties({0x3001: "Store"}))
        self._put(_NAMES, 0, self._properties(_names()))
        self._folder(_ROOT, _ROOT, Folder("", folders=folders))
        return self

    def _folder(self, nid: int, parent: int, folder: Folder) -> None:
        below = [(self._new_folder(), each) for each in folder.folders]
        items = [(self._new_item(), each) for each in folder.items]
        told: dict[int, Value] = {0x3001: folder.name, 0x3602: len(items), 0x360A: bool(below)}
        self._put(nid, parent, self._properties(told))
        index = nid & ~0x1F
        self._put(index | 0x0D, 0, self._table({0x3001: UNICODE}, {n: {0x3001: f.name} for n, f in below}))
        subjects = {n: {0x0037: each.properties.get(0x0037, "")} for n, each in items}
        self._put(index | 0x0E, 0, self._table({0x0037: UNICODE}, subjects))
        self._put(index | 0x0F, 0, self._table({0x0037: UNICODE}, {}))
        for number, each in items:
            self._put(number, nid, self._item(each))
        for number, each_folder in below:
            self._folder(number, nid, each_folder)

    def _item(self, item: Item) -> tuple[int, int]:
        below: dict[int, tuple[int, int]] = {}
        if item.recipients:
            columns = {0x0C15: INTEGER, 0x3001: UNICODE, 0x3003: UNICODE}
            rows = {n: {0x0C15: k, 0x3001: name, 0x3003: who} for n, (k, name, who) in enumerate(item.recipients)}
            below[0x692] = self._table(columns, rows)
        for number, each in enumerate(item.attachments):
            below[0x8025 + 32 * number] = self._attachment(each)
        return self._properties(item.properties, below)

    def _attachment(self, attachment: "tuple[str, bytes] | Item") -> tuple[int, int]:
        if isinstance(attachment, tuple):
            return self._properties({0x3705: 1, 0x3707: attachment[0], 0x3701: attachment[1]})
        inner, nid = self._item(attachment), 0x9004
        return self._properties({0x3705: 5, 0x3701: _Object(struct.pack("<II", nid, 0))}, {nid: inner})

    def _properties(
        self,
        told: Mapping[int, Value],
        below: Mapping[int, tuple[int, int]] = {},
    ) -> tuple[int, int]:
        heap, nodes, records = _Heap(0xBC), dict(below), dict[int, bytes]()
        for key, value in told.items():
            kind, raw = self._stored(value)
            if kind in (INTEGER, BOOLEAN):
                place = raw.ljust(4, b"\0")
            elif len(raw) > _IN_HEAP:
                nid = 0x1001F + 32 * len(nodes)
                nodes[nid] = (self._add(raw), 0)
                place = struct.pack("<I", nid)
            else:
                place = struct.pack("<I", heap.add(raw) if raw else 0)
            records[key] = struct.pack("<H", kind) + place
        return self._add(heap.done(heap.map(2, records))), self._subnodes(nodes)

    def _table(self, columns: Mapping[int, int], rows: Mapping[int, Mapping[int, Value]]) -> tuple[int, int]:
        heap, wide = _Heap(0x7C), {0x67F2: INTEGER, 0x67F3: INTEGER, **columns}
        end, body = 4 * len(wide), b""
        for nid, row in rows.items():
            body += struct.pack("<II", nid, 1)
            for key in columns:
                kind, raw = self._stored(row[key])
                body += raw if kind == INTEGER else struct.pack("<I", heap.add(raw) if raw else 0)
            body += b"\xff"
        form = "<H" if self.ansi else "<I"
        index = heap.map(4, {nid: struct.pack(form, number) for number, nid in enumerate(rows)})
        nodes = {}
        place = heap.add(body) if body else 0
        if len(body) > _IN_HEAP:
            place, nodes[0x2001F] = 0x2001F, (self._add(body), 0)
        kinds = {key: (STRING8 if self.ansi and kind == UNICODE else kind) for key, kind in wide.items()}
        described = b"".join(struct.pack("<HHHBB", kinds[key], key, 4 * n, 4, n) for n, key in enumerate(wide))
        head = struct.pack("<BBHHHHIII", 0x7C, len(wide), end, end, end, end + 1, index, place, 0)
        return self._add(heap.done(heap.add(head + described))), self._subnodes(nodes)

    def _stored(self, value: Value) -> tuple[int, bytes]:
        match value:
            case _Object():
                return OBJECT, bytes(value)
            case bool():
                return BOOLEAN, bytes((value,))
            case int():
                return INTEGER, struct.pack("<i", value)
            case str():
                return (STRING8, value.encode("cp1252")) if self.ansi else (UNICODE, value.encode("utf-16-le"))
            case datetime():
                return TIME, struct.pack("<Q", round((value - _EPOCH).total_seconds() * 10_000_000))
        return BINARY, value

    def _new_folder(self) -> int:
        self._next_folder += 1
        return self._next_folder << 5 | 2

    def _new_item(self) -> int:
        self._next_item += 1
        return self._next_item << 5 | 4


def _names() -> dict[int, Value]:
    """The map of named properties: those of NAMED in order, then one that is known by a text."""
    sets = sorted({each[0] for each in NAMED})
    entries = [(number, sets.index(which) + 3 << 1, n) for n, (which, number) in enumerate(NAMED)]
    entries.append((0, 2 << 1 | 1, len(NAMED)))
    text = "Keywords".encode("utf-16-le")
    return {
        0x01: 251,
        0x02: b"".join(UUID(each).bytes_le for each in sets),
        0x03: b"".join(struct.pack("<IHH", *each) for each in entries),
        0x04: struct.pack("<I", len(text)) + text,
    }


class _Object(bytes):
    """A value that lies in a node below: its id and size."""
