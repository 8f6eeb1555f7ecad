"""Decrypts ZIP members as PKWARE's SecureZIP protects them with a password. Called by zip_crypto in a child.

A header before the packed bytes holds random data, encrypted with the password; these make the member's own key.
"""

import hashlib
import struct
import zlib
from collections.abc import Iterator
from typing import Any

from redwell.core.errors import InvalidFile, PasswordProtected, Unsupported
from redwell.handlers.detect.zip_directory import Entry

STRONG = 0x40  # of a member's flags
_FORMAT = 3
_KEY_BYTES = {0x660E: 16, 0x660F: 24, 0x6610: 32}
_WITH_PASSWORD = 1
_BLOCK = 16


def decrypted(entry: Entry, chunks: Iterator[bytes], password: bytes) -> Iterator[bytes]:
    """The member's packed bytes; raises `PasswordProtected` at once where the password does not fit."""
    first = next(chunks, b"")
    length = int.from_bytes(first[:2], "little")
    vector = first[2 : 2 + length] if length else struct.pack("<IQ", entry.crc, entry.size)
    start = 6 + length
    stop = start + int.from_bytes(first[start - 4 : start], "little")
    if len(first) < stop:
        raise InvalidFile("the member is cut off")
    engine = _cipher(_key(first[start:stop], vector, password), first[stop - _BLOCK : stop])  # it goes on from there
    held = engine.update(first[stop:])
    for chunk in chunks:
        clear = engine.update(chunk)
        if clear:
            yield held
            held = clear
    yield held[: -held[-1]] if held and held[-1] <= _BLOCK else held


def _key(header: bytes, vector: bytes, password: bytes) -> bytes:
    """The member's own key, proved by data that only the right one decrypts to what their checksum says."""
    try:
        form, algorithm, _, flags, length = struct.unpack_from("<5H", header)
        (reserved,) = struct.unpack_from("<I", header, 10 + length)
        (checked,) = struct.unpack_from("<H", header, 14 + length)
    except struct.error:
        raise InvalidFile("the member's header of encryption is damaged") from None
    size = _KEY_BYTES.get(algorithm)
    if form != _FORMAT or size is None or reserved:
        raise Unsupported("a kind of strong encryption that is not read")
    if not flags & _WITH_PASSWORD:
        raise Unsupported("encrypted for holders of a certificate; decrypt it with the recipient's key")
    random = _clear(_derived(hashlib.sha1(password), size), vector, header[10 : 10 + length])[:-_BLOCK]
    key = _derived(hashlib.sha1(vector + random), size)
    proof = _clear(key, vector, header[16 + length : 16 + length + checked])
    if len(proof) < 4 or zlib.crc32(proof[:-4]) != int.from_bytes(proof[-4:], "little"):
        raise PasswordProtected("the password does not fit")
    return key


def _derived(digest: Any, size: int) -> bytes:
    """As the Windows function CryptDeriveKey does."""
    start = digest.digest().ljust(64, b"\0")
    return b"".join(hashlib.sha1(bytes(byte ^ pad for byte in start)).digest() for pad in (0x36, 0x5C))[:size]


def _clear(key: bytes, vector: bytes, data: bytes) -> bytes:
    return bytes(_cipher(key, vector).update(data))


def _cipher(key: bytes, vector: bytes) -> Any:
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

    return Cipher(algorithms.AES(key), modes.CBC(vector[:_BLOCK].ljust(_BLOCK, b"\0"))).decryptor()
