"""RAR archives as WinRAR writes them, made by the tests: stored or ready-packed members, encrypted or not."""

import hashlib
import hmac
import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

NUMBERS = b"".join(b"%03d\n" % number for number in range(512))
# NUMBERS as RAR 5 and RAR 3 pack it; nothing free can pack so
PACKED_5 = bytes.fromhex(
    "c4aa34443424fa32eb47fac44d7dbde60580820a8cc1032a95ca229b501a93dd40fc00400200d4600436ed15f9b754832a644ecd7c1fe0"
)
PACKED_3 = bytes.fromhex(
    "0cccccfe8cdeafffec5f3575920765e26696e556482c5746403c42e19006ad874002080002223a5e03348301d84e905e12ecdba7d482b6b2"
    "89d02eb9c2d922989c7eee0010f7903fed7dd615eea9b7df851c8dbed2d0dbedb940"
)
_MARK_5, _MARK_3 = b"Rar!\x1a\x07\x01\x00", b"Rar!\x1a\x07\x00"
_SALT, _IV, _ROUNDS = bytes(range(16)), bytes(range(16, 32)), 4


@dataclass
class Member:
    name: str
    content: bytes = b""
    packed: bytes | None = None  # else it is stored
    redirected: tuple[int, str] | None = None
    split: int = 0
    solid: bool = False
    mtime: int = 1_600_000_000
    part: bytes | None = None  # what of it lies in this volume
    part_crc: int | None = None

    @property
    def stored(self) -> bytes:
        return self.part if self.part is not None else self.content if self.packed is None else self.packed

    @property
    def crc(self) -> int:
        return self.part_crc if self.part_crc is not None else zlib.crc32(self.content)


@dataclass
class Locked:
    password: str
    names: bool = False
    keys: dict[int, bytes] = field(default_factory=dict)

    def key(self, more: int) -> bytes:
        return hashlib.pbkdf2_hmac("sha256", self.password.encode(), _SALT, (1 << _ROUNDS) + more)

    @property
    def check(self) -> bytes:
        told = self.key(32)
        value = bytes(told[n] ^ told[n + 8] ^ told[n + 16] ^ told[n + 24] for n in range(8))
        return value + hashlib.sha256(value).digest()[:4]

    def encrypt(self, data: bytes) -> bytes:
        engine = Cipher(algorithms.AES(self.key(0)), modes.CBC(_IV)).encryptor()
        return engine.update(data + bytes(-len(data) % 16))

    def sealed(self, crc: int) -> int:
        digest, value = hmac.digest(self.key(16), crc.to_bytes(4, "little"), "sha256"), 0
        for at in range(0, 32, 4):
            value ^= int.from_bytes(digest[at : at + 4], "little")
        return value


def rar5(
    members: Sequence[Member], locked: Locked | None = None, *, volume: bool = False, goes_on: bool = False
) -> bytes:
    out = _MARK_5
    if locked and locked.names:
        out += _block(4, 0, _numbers(0, 1, _ROUNDS)[:-1] + bytes((_ROUNDS,)) + _SALT + locked.check)
    out += _hidden(_block(1, 0, _numbers(int(volume))), locked)
    for member in members:
        out += _member(member, locked)
    return out + _hidden(_block(5, 0, _numbers(int(goes_on))), locked)


def _hidden(block: bytes, locked: Locked | None) -> bytes:
    return _IV + locked.encrypt(block) if locked and locked.names else block


def _member(member: Member, locked: Locked | None) -> bytes:
    data, crc, extra = member.stored, member.crc, b""
    if locked:
        data, crc = locked.encrypt(data), locked.sealed(crc)
        extra += _record(1, _numbers(0, 3) + bytes((_ROUNDS,)) + _SALT + _IV + locked.check)
    if member.redirected:
        kind, target = member.redirected
        extra += _record(5, _numbers(kind, 0, len(target.encode())) + target.encode())
        data, crc = b"", 0
    packing = (0x40 if member.solid else 0) | (3 << 7 if member.packed is not None else 0)
    name = member.name.encode()
    fields = _numbers(*([len(extra)] if extra else []), len(data), 2 | 4, len(member.content), 0o100644)
    fields += struct.pack("<II", member.mtime, crc) + _numbers(packing, 1, len(name)) + name + extra
    flags = 2 | (1 if extra else 0) | member.split
    return _hidden(_block(2, flags, fields), locked) + data


def _record(kind: int, data: bytes) -> bytes:
    body = _numbers(kind) + data
    return _numbers(len(body)) + body


def _block(kind: int, flags: int, fields: bytes) -> bytes:
    body = _numbers(kind, flags) + fields
    block = _numbers(len(body)) + body
    return struct.pack("<I", zlib.crc32(block)) + block


def _numbers(*values: int) -> bytes:
    out = bytearray()
    for value in values:
        while value > 0x7F:
            out.append(value & 0x7F | 0x80)
            value >>= 7
        out.append(value)
    return bytes(out)


def rar3(
    members: Sequence[Member],
    *,
    version: int = 29,
    volume: bool = False,
    goes_on: bool = False,
    comment: Member | None = None,
    locked: bool = False,
) -> bytes:
    """`locked` only says so: nothing is encrypted."""
    out = _MARK_3 + _old_block(0x73, int(volume), bytes(6))
    if comment:
        out += _old_member(0x7A, comment, version, 0)
    for member in members:
        out += _old_member(0x74, member, version, 4 if locked else 0)
    return out + _old_block(0x7B, 0x4000 | goes_on, b"")


def _old_member(kind: int, member: Member, version: int, flags: int) -> bytes:
    data = member.stored
    method, name = 0x30 if member.packed is None else 0x33, member.name.encode()
    time = (2020 - 1980 << 9 | 7 << 5 | 26) << 16 | 22 << 11 | 11 << 5 | 21
    sizes = (len(data), len(member.content), 3, member.crc, time, version, method, len(name))
    fields = struct.pack("<IIBIIBBHI", *sizes, 0o100644) + name
    return _old_block(kind, 0x8020 | (0x10 if member.solid else 0) | member.split | flags, fields) + data


def _old_block(kind: int, flags: int, fields: bytes) -> bytes:
    block = struct.pack("<BHH", kind, flags, len(fields) + 7) + fields
    return struct.pack("<H", zlib.crc32(block) & 0xFFFF) + block


def packed_literally(content: bytes, *, tables: bool) -> bytes:
    """As RAR 3 packs, without a match: with the tables of codes in front, or in a solid run with those in force.

    Bytes up to 254 have codes of eight bits; 255, and 256 which ends the member, of nine. Two zeros keep the tables.
    """
    bits = ""
    if tables:
        lengths = {8: "0001", 9: "0010", 19: "0010"}
        bits = "00" + "".join(lengths.get(symbol, "0000") for symbol in range(20))
        bits += "0" * 255 + "10" * 2 + f"11{125:07b}" + f"11{0:07b}"  # eight, nine, and no code for any match
    bits += "".join(f"{byte:08b}" if byte < 255 else f"{510:09b}" for byte in content) + f"{511:09b}" + "00"
    bits += "0" * (-len(bits) % 8)
    return int(bits, 2).to_bytes(len(bits) // 8, "big")


def packed_by_rar_2(content: bytes) -> bytes:
    """The same as RAR 2.0 packs: bytes up to 254 have codes of eight bits, 255 and the code for new tables of nine."""
    bits = "00" + "".join("0010" if symbol in (8, 9, 17, 18) else "0000" for symbol in range(19))
    bits += "00" * 255 + "01" + f"11{13 - 11:07b}" + "01" + f"11{104 - 11:07b}"
    bits += "".join(f"{byte:08b}" if byte < 255 else f"{510:09b}" for byte in content)
    bits += "0" * (-len(bits) % 8 + 16)
    return int(bits, 2).to_bytes(len(bits) // 8, "big")
