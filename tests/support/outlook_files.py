"""Makes Outlook message files and TNEF streams for tests, by the published layouts and without the code under test."""

import struct
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from redwell.handlers.structures.compound_writer import Storage, write

Value = str | bytes | int | float | bool | datetime | Storage | list[str]
Named = tuple[str, int | str]  # set and key of a named property
Properties = Mapping[int | Named, Value]

_KINDS = {bool: 0x0B, int: 0x03, float: 0x05, datetime: 0x40, str: 0x1F, bytes: 0x102, Storage: 0x0D, list: 0x101F}


@dataclass
class Sample:
    """A message: its properties, and those of its recipients and attachments."""

    properties: Properties
    recipients: Sequence[Properties] = ()
    attachments: Sequence[Properties] = ()
    code_page: str = ""  # texts are in it instead of Unicode
    declared: int | None = None
    names: dict[Named, int] = field(default_factory=dict)

    def storage(self, header: int = 32) -> Storage:
        declared = len(self.attachments) if self.declared is None else self.declared
        head = struct.pack("<8sIIII", b"", len(self.recipients), declared, len(self.recipients), declared)
        root = self._folder(self.properties, head.ljust(header, b"\0"))
        for prefix, members in (("recip", self.recipients), ("attach", self.attachments)):
            for number, each in enumerate(members):
                root.storages[f"__{prefix}_version1.0_#{number:08X}"] = self._folder(each, bytes(8))
        return root

    def file(self) -> bytes:
        root = self.storage()
        root.storages["__nameid_version1.0"] = self._names()
        return write(root)

    def _folder(self, properties: Properties, head: bytes) -> Storage:
        folder, listed = Storage(), bytearray(head)
        for key, value in properties.items():
            number = key if isinstance(key, int) else self.names.setdefault(key, 0x8000 + len(self.names))
            kind = 0x1E if self.code_page and isinstance(value, str) else _KINDS[type(value)]
            listed += struct.pack("<HHI", kind, number, 6) + fixed(value).ljust(8, b"\0")
            self._store(folder, f"__substg1.0_{number:04X}{kind:04X}", value)
        folder.streams["__properties_version1.0"] = bytes(listed)
        return folder

    def _store(self, folder: Storage, name: str, value: Value) -> None:
        if isinstance(value, Storage):
            folder.storages[name] = value
        elif isinstance(value, list):
            folder.streams[name] = bytes(4 * len(value))
            for number, each in enumerate(value):
                folder.streams[f"{name}-{number:08X}"] = each.encode("utf-16-le")
        elif isinstance(value, str | bytes):
            folder.streams[name] = encoded(value, self.code_page)

    def _names(self) -> Storage:
        sets = [uuid.UUID(space) for space in dict.fromkeys(space for space, _ in self.names)]
        entries, texts = bytearray(), bytearray()
        for (space, key), number in self.names.items():
            where = (sets.index(uuid.UUID(space)) + 3) << 1 | isinstance(key, str)
            entries += struct.pack("<IHH", len(texts) if isinstance(key, str) else key, where, number - 0x8000)
            if isinstance(key, str):
                raw = key.encode("utf-16-le")
                texts += struct.pack("<I", len(raw)) + raw + bytes(-len(raw) % 4)
        parts = {2: b"".join(each.bytes_le for each in sets), 3: bytes(entries), 4: bytes(texts)}
        return Storage(streams={f"__substg1.0_{number:04X}0102": data for number, data in parts.items()})


def encoded(value: str | bytes, code_page: str = "") -> bytes:
    return value if isinstance(value, bytes) else value.encode(code_page or "utf-16-le")


def fixed(value: Value) -> bytes:
    """The eight bytes of a value that lies in the list itself."""
    if isinstance(value, bool):
        return struct.pack("<?", value)
    if isinstance(value, int):
        return struct.pack("<i", value)
    if isinstance(value, float):
        return struct.pack("<d", value)
    if isinstance(value, datetime):
        return struct.pack("<Q", int((value - datetime(1601, 1, 1, tzinfo=UTC)).total_seconds()) * 10_000_000)
    return b""


def attribute(level: int, name: int, data: bytes, *, checksum: int | None = None) -> bytes:
    """One attribute of a TNEF stream."""
    total = sum(data) & 0xFFFF if checksum is None else checksum
    return struct.pack("<BII", level, name, len(data)) + data + struct.pack("<H", total)


def tnef(*attributes: bytes) -> bytes:
    return struct.pack("<IH", 0x223E9F78, 1) + b"".join(attributes)


def tnef_values(properties: Properties) -> bytes:
    """A list of properties as TNEF has it; `Storage` values are not for it."""
    out = bytearray(struct.pack("<I", len(properties)))
    for number, (key, value) in enumerate(properties.items(), 0x8000):
        kind = _KINDS[type(value)]
        out += struct.pack("<HH", kind, key if isinstance(key, int) else number)
        if not isinstance(key, int):
            out += uuid.UUID(key[0]).bytes_le + _tnef_name(key[1])
        if isinstance(value, list):
            out += struct.pack("<I", len(value)) + b"".join(_sized(each + "\0") for each in value)
        elif isinstance(value, str | bytes):
            out += struct.pack("<I", 1) + _sized(value + "\0" if isinstance(value, str) else value)
        else:
            raw = fixed(value)
            out += raw.ljust(4 if len(raw) <= 4 else 8, b"\0")
    return bytes(out)


def _tnef_name(key: int | str) -> bytes:
    return struct.pack("<II", 0, key) if isinstance(key, int) else struct.pack("<I", 1) + _sized(key + "\0")


def _sized(value: str | bytes) -> bytes:
    raw = encoded(value)
    return struct.pack("<I", len(raw)) + raw + bytes(-len(raw) % 4)
