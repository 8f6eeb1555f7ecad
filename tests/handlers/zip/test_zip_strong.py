"""ZIP members as SecureZIP protects them with a password."""

import hashlib
import struct
import zlib
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from tests.support.pieces import Pieces, read

from redwell.core.outcomes import Outcome
from redwell.handlers.zip import zip as archive

pytestmark = pytest.mark.requirement("A7", "A20")

NOTE = b"the settlement is four million\n" * 30
VECTOR, RANDOM, PROOF = bytes(range(16)), bytes(range(128)), bytes(range(50, 50 + 108))


def padded(data: bytes) -> bytes:
    count = 16 - len(data) % 16
    return data + bytes((count,)) * count


def encrypted(data: bytes, key: bytes, vector: bytes) -> bytes:
    return Cipher(algorithms.AES(key), modes.CBC(vector)).encryptor().update(data)


def derived(secret: bytes, size: int) -> bytes:
    digest = hashlib.sha1(secret).digest().ljust(64, b"\0")
    halves = (hashlib.sha1(bytes(byte ^ pad for byte in digest)).digest() for pad in (0x36, 0x5C))
    return b"".join(halves)[:size]


def sealed(data: bytes, password: bytes, *, bits: int = 256, flags: int = 1) -> bytes:
    random = encrypted(padded(RANDOM), derived(password, bits // 8), VECTOR)
    key = derived(VECTOR + RANDOM, bits // 8)
    proof = encrypted(PROOF + struct.pack("<I", zlib.crc32(PROOF)), key, VECTOR)
    algorithm = {128: 0x660E, 192: 0x660F, 256: 0x6610}[bits]
    header = struct.pack("<5H", 3, algorithm, bits, flags, len(random)) + random
    header += struct.pack("<IH", 0, len(proof)) + proof
    return (
        struct.pack("<H", 16)
        + VECTOR
        + struct.pack("<I", len(header))
        + header
        + encrypted(padded(data), key, proof[-16:])
    )


def zipped(content: bytes, *, method: int, **how: int) -> bytes:
    packer = zlib.compressobj(wbits=-15)
    packed = packer.compress(content) + packer.flush() if method else content
    data, name = sealed(packed, b"correct", **how), b"note.txt"
    fields = (51, 0x41, method, 0, 0, zlib.crc32(content), len(data), len(content), len(name))
    local = struct.pack("<4s5H3L2H", b"PK\x03\x04", *fields, 0) + name + data
    central = struct.pack("<4s6H3L5H2L", b"PK\x01\x02", 51, *fields, 0, 0, 0, 0, 0, 0) + name
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 1, 1, len(central), len(local), 0)
    return local + central + end


def taken(data: bytes, tmp_path: Path, *passwords: str) -> Pieces:
    return read(archive, data, tmp_path, passwords=passwords)


@pytest.mark.parametrize("method", [0, 8])
@pytest.mark.parametrize("bits", [128, 192, 256])
def test_the_password_opens_a_member(method: int, bits: int, tmp_path: Path) -> None:
    pieces = taken(zipped(NOTE, method=method, bits=bits), tmp_path, "wrong", "correct")
    assert pieces.contents == {"0": NOTE} and pieces.error is None


@pytest.mark.parametrize("passwords", [(), ("wrong",)])
def test_without_it_the_member_is_named(passwords: tuple[str, ...], tmp_path: Path) -> None:
    pieces = taken(zipped(NOTE, method=8), tmp_path, *passwords)
    assert pieces.lost["0"].outcome is Outcome.PASSWORD_PROTECTED and not pieces.contents


def test_what_was_encrypted_for_a_certificate_says_so(tmp_path: Path) -> None:
    pieces = taken(zipped(NOTE, method=8, flags=2), tmp_path, "correct")
    assert pieces.lost["0"].outcome is Outcome.UNSUPPORTED and "certificate" in pieces.lost["0"].detail


def test_a_damaged_header_never_gives_other_bytes(tmp_path: Path) -> None:
    data = zipped(NOTE, method=8)
    for at in range(38, 80):
        assert taken(data[:at] + b"\xff" + data[at + 1 :], tmp_path, "correct").contents in ({}, {"0": NOTE})
