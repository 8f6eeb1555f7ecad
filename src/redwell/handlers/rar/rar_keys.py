"""The encryption of RAR archives: keys from passwords, bytes in the clear, checksums. Used by rar_data in a child."""

import hashlib
import hmac
import zlib
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Protocol

from redwell.core.errors import InvalidFile, PasswordProtected

_BLOCK = 16
_HAS_CHECK, _SEALED_SUMS = 1, 2  # of a RAR 5 member's encryption
_PASSWORD_FLAG = 4


class Checksum(Protocol):
    def update(self, data: bytes) -> None: ...
    def verify(self) -> None: ...


def is_encrypted(info: Any) -> bool:
    return bool(info.flags & _PASSWORD_FLAG)


def decrypted(info: Any, chunks: Iterator[bytes], password: str) -> Iterator[bytes]:
    """The member's packed bytes, and the cipher's padding; `PasswordProtected` where a wrong password shows."""
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

    key, iv = _new_key(info, password) if info.extract_version >= 50 else _old_key(info, password)
    engine, rest = Cipher(algorithms.AES(key), modes.CBC(iv)).decryptor(), b""
    for chunk in chunks:
        rest += chunk
        whole = len(rest) // _BLOCK * _BLOCK
        yield engine.update(rest[:whole])
        rest = rest[whole:]


def _new_key(info: Any, password: str) -> tuple[bytes, bytes]:
    _, flags, rounds, salt, iv, check = info.file_encryption
    if flags & _HAS_CHECK:
        told = _stretched(password, salt, (1 << rounds) + 32)
        folded = bytes(a ^ b ^ c ^ d for a, b, c, d in zip(told[:8], told[8:16], told[16:24], told[24:], strict=True))
        if folded != check[:8]:
            raise PasswordProtected("the password does not fit")
    return _stretched(password, salt, 1 << rounds), iv


@lru_cache(maxsize=64)
def _stretched(password: str, salt: bytes, rounds: int) -> bytes:
    return hashlib.pbkdf2_hmac("sha256", password.encode(), salt, rounds)


@lru_cache(maxsize=64)
def _old_stretched(password: str, salt: bytes) -> tuple[bytes, bytes]:
    import rarfile

    return rarfile.rar3_s2k(password, salt)  # type: ignore[no-any-return]


def _old_key(info: Any, password: str) -> tuple[bytes, bytes]:
    return _old_stretched(password, info.salt or b"")


def checksum_of(info: Any, password: str | None) -> Checksum:
    """What the member's bytes must come to; an encrypted one may hold its sum sealed with the password."""
    seal = None
    if password is not None and info.extract_version >= 50 and info.file_encryption[1] & _SEALED_SUMS:
        _, _, rounds, salt, _, _ = info.file_encryption
        seal = _stretched(password, salt, (1 << rounds) + 16)
    return _Crc(info.CRC, seal) if info.CRC is not None else _Blake2(info.blake2sp_hash, seal)


class _Crc:
    def __init__(self, expected: int, seal: bytes | None) -> None:
        self._expected, self._seal, self._value = expected, seal, 0

    def update(self, data: bytes) -> None:
        self._value = zlib.crc32(data, self._value)

    def verify(self) -> None:
        value = self._value
        if self._seal is not None:
            sealed = hmac.digest(self._seal, value.to_bytes(4, "little"), "sha256")
            value = 0
            for at in range(0, len(sealed), 4):
                value ^= int.from_bytes(sealed[at : at + 4], "little")
        if value != self._expected:
            raise InvalidFile("the checksum does not fit the member's bytes")


class _Blake2:
    """A member may have no sum at all; then there is nothing to hold against it."""

    def __init__(self, expected: bytes | None, seal: bytes | None) -> None:
        import rarfile

        self._expected, self._seal, self._sum = expected, seal, rarfile.Blake2SP()

    def update(self, data: bytes) -> None:
        self._sum.update(data)

    def verify(self) -> None:
        digest = self._sum.digest()
        if self._seal is not None:
            digest = hmac.digest(self._seal, digest, "sha256")
        if self._expected is not None and digest != self._expected:
            raise InvalidFile("the checksum does not fit the member's bytes")
