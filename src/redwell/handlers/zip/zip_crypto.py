"""Decrypts ZIP members: the old stream cipher, and AES as WinZip, 7-Zip and PKWARE write it. By zip_data in a child."""

import hashlib
import hmac
from collections.abc import Iterator

from redwell.core.errors import InvalidFile, PasswordProtected, Unsupported
from redwell.handlers.detect.zip_directory import SIZES_FOLLOW, Entry, extra_field
from redwell.handlers.zip import zip_strong

AES_METHOD = 99
_AES_FIELD = 0x9901
_STREAM_HEADER = 12
_KEY_BYTES = {1: 16, 2: 24, 3: 32}
_CODE_BYTES = 10
_ITERATIONS = 1000
_BLOCK = 16


def packing_method(entry: Entry) -> int:
    """How the member is compressed, below its encryption where it has one."""
    field = extra_field(entry.extra, _AES_FIELD) if entry.method == AES_METHOD else b""
    return int.from_bytes(field[5:7], "little") if len(field) >= 7 else entry.method


def has_checksum(entry: Entry) -> bool:
    """AE-2 members leave the checksum out; their authentication code stands for it."""
    return not (entry.method == AES_METHOD and extra_field(entry.extra, _AES_FIELD)[:2] == b"\x02\x00")


def decrypted(entry: Entry, chunks: Iterator[bytes], password: bytes) -> Iterator[bytes]:
    """The member's bytes in the clear; raises `PasswordProtected` at once where the password does not fit."""
    if entry.method == AES_METHOD:
        return _aes(entry, chunks, password)
    if entry.flags & zip_strong.STRONG:
        return zip_strong.decrypted(entry, chunks, password)
    return _stream(entry, chunks, password)


def _stream(entry: Entry, chunks: Iterator[bytes], password: bytes) -> Iterator[bytes]:
    cipher = _StreamCipher(password)
    first = next(chunks, b"")
    if len(first) < _STREAM_HEADER:
        raise InvalidFile("the member is cut off")
    check = entry.dos_time >> 8 & 0xFF if entry.flags & SIZES_FOLLOW else entry.crc >> 24
    if cipher.decrypt(first[:_STREAM_HEADER])[-1] != check:
        raise PasswordProtected("the password does not fit")
    yield cipher.decrypt(first[_STREAM_HEADER:])
    for chunk in chunks:
        yield cipher.decrypt(chunk)


def _crc_table() -> tuple[int, ...]:
    table = []
    for value in range(256):
        for _ in range(8):
            value = value >> 1 ^ 0xEDB88320 if value & 1 else value >> 1
        table.append(value)
    return tuple(table)


_TABLE = _crc_table()


class _StreamCipher:
    """The cipher of PKZIP 2: three keys that every clear byte changes. Weak, and slow in Python, but all there is."""

    def __init__(self, password: bytes) -> None:
        self._keys = (0x12345678, 0x23456789, 0x34567890)
        for byte in password:
            self._take(byte)

    def _take(self, byte: int) -> None:
        key0, key1, key2 = self._keys
        key0 = key0 >> 8 ^ _TABLE[(key0 ^ byte) & 0xFF]
        key1 = ((key1 + (key0 & 0xFF)) * 134_775_813 + 1) & 0xFFFFFFFF
        self._keys = key0, key1, key2 >> 8 ^ _TABLE[(key2 ^ key1 >> 24) & 0xFF]

    def decrypt(self, data: bytes) -> bytes:
        clear = bytearray(len(data))
        for at, byte in enumerate(data):
            mask = self._keys[2] | 2
            clear[at] = byte ^ (mask * (mask ^ 1) >> 8 & 0xFF)
            self._take(clear[at])
        return bytes(clear)


def _aes(entry: Entry, chunks: Iterator[bytes], password: bytes) -> Iterator[bytes]:
    field = extra_field(entry.extra, _AES_FIELD)
    size = _KEY_BYTES.get(field[4] if len(field) >= 7 else 0)
    if size is None:
        raise Unsupported("an unknown kind of AES encryption")
    head, salt = size // 2 + 2, size // 2
    rest = next(chunks, b"")
    if len(rest) < head:
        raise InvalidFile("the member is cut off")
    keys = hashlib.pbkdf2_hmac("sha1", password, rest[:salt], _ITERATIONS, size * 2 + 2)
    if keys[-2:] != rest[salt:head]:
        raise PasswordProtected("the password does not fit")
    cipher, rest = _CounterCipher(keys[:size], keys[size : size * 2]), rest[head:]
    for chunk in chunks:
        rest += chunk
        whole = max(0, len(rest) - _CODE_BYTES) // _BLOCK * _BLOCK
        yield cipher.decrypt(rest[:whole])
        rest = rest[whole:]
    last = max(0, len(rest) - _CODE_BYTES)
    yield cipher.decrypt(rest[:last])
    if rest[last:] != cipher.code():
        raise InvalidFile("the authentication code does not fit the member's bytes")


class _CounterCipher:
    """AES in counter mode with a little-endian counter, which no library offers as such."""

    def __init__(self, key: bytes, code_key: bytes) -> None:
        from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

        self._blocks = Cipher(algorithms.AES(key), modes.ECB()).encryptor()
        self._code = hmac.new(code_key, digestmod="sha1")
        self._counter = 1

    def decrypt(self, data: bytes) -> bytes:
        """All chunks but the last must be whole blocks."""
        self._code.update(data)
        stop = self._counter + -(-len(data) // _BLOCK)
        counters = b"".join(count.to_bytes(_BLOCK, "little") for count in range(self._counter, stop))
        mask = self._blocks.update(counters)[: len(data)]
        self._counter = stop
        return (int.from_bytes(data, "little") ^ int.from_bytes(mask, "little")).to_bytes(len(data), "little")

    def code(self) -> bytes:
        return self._code.digest()[:_CODE_BYTES]
