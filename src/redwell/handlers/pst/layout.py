"""Where things lie in each of the three kinds of store: ANSI, Unicode, and Unicode with 4 KB pages. Runs in a child."""

import struct
from dataclasses import dataclass

from redwell.core.errors import InvalidFile, PasswordProtected

HEADER_BYTES = 564
_LARGE_PAGES = 36
_UNICODE = 23
_ANSI = (14, 15)
_CIPHERS = (0, 1, 2)
_PROTECTED = 0x10


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Sizes and places; entries are unpacked as tuples in the order that the specification names them."""

    kind: str
    page_bytes: int
    counts: struct.Struct  # of a page: entries, most entries, bytes of an entry, level
    counts_at: int
    trailer_at: int
    crc_at: int
    reference: struct.Struct  # of an inner page: key, block, place
    node: struct.Struct  # key, data, subnodes, parent
    block: struct.Struct  # key, place, bytes, bytes when unpacked
    block_id: struct.Struct
    subnode: struct.Struct  # key, data, subnodes
    subnode_page: struct.Struct  # key, block
    list_at: int  # where the entries of a subnode block begin
    block_trailer: struct.Struct | None = None  # checksum
    heap_index_bits: int = 11


UNICODE = Layout(
    kind="Unicode",
    page_bytes=512,
    counts=struct.Struct("<BBBB"),
    counts_at=488,
    trailer_at=496,
    crc_at=500,
    reference=struct.Struct("<QQQ"),
    node=struct.Struct("<I4xQQI4x"),
    block=struct.Struct("<QQH6x"),
    block_id=struct.Struct("<Q"),
    subnode=struct.Struct("<I4xQQ"),
    subnode_page=struct.Struct("<I4xQ"),
    list_at=8,
    block_trailer=struct.Struct("<4xI8x"),
)
LARGE_PAGES = Layout(
    kind="Unicode, 4 KB pages",
    page_bytes=4096,
    counts=struct.Struct("<HHBB"),
    counts_at=4056,
    trailer_at=4072,
    crc_at=4076,
    reference=UNICODE.reference,
    node=UNICODE.node,
    block=struct.Struct("<QQHH4x"),
    block_id=UNICODE.block_id,
    subnode=UNICODE.subnode,
    subnode_page=UNICODE.subnode_page,
    list_at=8,
    heap_index_bits=14,
)
ANSI = Layout(
    kind="ANSI",
    page_bytes=512,
    counts=struct.Struct("<BBBB"),
    counts_at=496,
    trailer_at=500,
    crc_at=508,
    reference=struct.Struct("<III"),
    node=struct.Struct("<IIII"),
    block=struct.Struct("<IIH2x"),
    block_id=struct.Struct("<I"),
    subnode=struct.Struct("<III"),
    subnode_page=struct.Struct("<II"),
    list_at=4,
    block_trailer=struct.Struct("<8xI"),
)


@dataclass(frozen=True, slots=True)
class Header:
    layout: Layout
    is_offline: bool  # OST
    cipher: int
    nodes_at: int
    blocks_at: int


def read_header(data: bytes) -> Header:
    if len(data) < HEADER_BYTES or data[:4] != b"!BDN":
        raise InvalidFile("the store's header is cut off or missing")
    (version,) = struct.unpack_from("<H", data, 10)
    if version < _UNICODE and version not in _ANSI:
        raise InvalidFile(f"the header names version {version}, which no store has")
    is_offline = data[8:10] == b"SO"
    if version in _ANSI:
        (nodes_at,), (blocks_at,), cipher = (*(struct.unpack_from("<I", data, at) for at in (188, 196)), data[461])
        layout = ANSI
    else:
        (nodes_at,), (blocks_at,), cipher = (*(struct.unpack_from("<Q", data, at) for at in (224, 240)), data[513])
        layout = LARGE_PAGES if version >= _LARGE_PAGES else UNICODE
    if cipher == _PROTECTED:
        raise PasswordProtected("the store is sealed by Windows Information Protection")
    if cipher not in _CIPHERS:
        cipher = 1  # a damaged header; this is what Outlook writes by itself
    return Header(layout, is_offline, cipher, nodes_at, blocks_at)
