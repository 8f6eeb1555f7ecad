"""Where stored bytes lie and how they are identified."""

import hashlib

import msgspec

NOTHING = hashlib.sha256(b"").digest()  # the identity of no bytes


class Location(msgspec.Struct, frozen=True, gc=False):
    """`length` bytes at `offset` of a pack file, or a loose file of its own (pack is empty)."""

    pack: str
    offset: int
    length: int


class Digests(msgspec.Struct, frozen=True, gc=False):
    """The three hashes that litigation asks for; SHA-256 is the identity."""

    sha256: bytes
    sha1: bytes
    md5: bytes

    @classmethod
    def of(cls, data: bytes | memoryview) -> "Digests":
        return cls(
            hashlib.sha256(data).digest(),
            hashlib.sha1(data, usedforsecurity=False).digest(),
            hashlib.md5(data, usedforsecurity=False).digest(),
        )

    @classmethod
    def identity_of(cls, data: bytes | memoryview) -> "Digests":
        """Of bytes that Redwell made itself, such as a text: nobody asks for their other hashes."""
        return cls(hashlib.sha256(data).digest(), b"", b"")


class Hashing:
    """The digests of bytes that come in parts; of identities only the SHA-256."""

    def __init__(self, *, identity: bool = False) -> None:
        self.size = 0
        self._sha256 = hashlib.sha256()
        self._others = () if identity else (hashlib.sha1(usedforsecurity=False), hashlib.md5(usedforsecurity=False))

    def add(self, part: bytes) -> None:
        self._sha256.update(part)
        for each in self._others:
            each.update(part)
        self.size += len(part)

    @property
    def digests(self) -> Digests:
        sha1, md5 = (each.digest() for each in self._others) if self._others else (b"", b"")
        return Digests(self._sha256.digest(), sha1, md5)


class Stored(msgspec.Struct, frozen=True, gc=False):
    digests: Digests
    size: int
    location: Location
