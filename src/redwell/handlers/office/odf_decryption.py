"""Opens password-protected OpenDocument files with the passwords at hand. Called by the document handlers in a child.

Each part is encrypted by itself; the manifest says how. AES (since ODF 1.2) and Blowfish (before) are undone.
"""

import base64
import binascii
import hashlib
import io
import re
import zipfile
import zlib
from dataclasses import dataclass
from typing import BinaryIO

from redwell.core.errors import InvalidFile, PasswordProtected, TooLarge
from redwell.core.handler import Options, tell_opened
from redwell.handlers.structures.xml_text import leaves
from redwell.handlers.structures.zip_package import Package

_MANIFEST = "META-INF/manifest.xml"
_SAYS_ENCRYPTED = re.compile(rb"<(?:\w+:)?encryption-data\b.*?</(?:\w+:)?encryption-data>", re.DOTALL)
_MOST_ROUNDS = 5_000_000
_CHECKED = 1024  # the checksum covers the beginning alone


class _WrongKey(Exception):
    """What came out is not what the checksum promises."""


@dataclass(frozen=True, slots=True)
class _Lock:
    """How one part is encrypted."""

    algorithm: str
    vector: bytes
    salt: bytes
    rounds: int
    key_bytes: int
    start_hash: str
    checksum: bytes
    checksum_hash: str


def unlocked(file: BinaryIO, options: Options) -> BinaryIO:
    """The file itself, or the same package in the clear; raises `PasswordProtected` where no password fits."""
    package = Package(file, options)
    locks = _locks(package)
    if not locks:
        return file
    reason = "none of the passwords fits" if options.passwords else "the document's parts are encrypted"
    for password in options.passwords:
        try:
            clear = _clear(package, locks, password, options)
        except _WrongKey:
            continue
        except (ValueError, InvalidFile) as error:
            reason = f"the encryption cannot be undone: {error}"
        else:
            tell_opened(options.passwords)
            return clear
    raise PasswordProtected(reason)


def _locks(package: Package) -> dict[str, _Lock | None]:
    """By part; None where the manifest does not say enough. Elements come in the order of their ends."""
    found: dict[str, _Lock | None] = {}
    told: dict[str, dict[str, str]] = {}
    for name, attributes, _ in leaves(package.open(_MANIFEST)) if _MANIFEST in package else ():
        told[name] = attributes
        if name == "file-entry":
            if "encryption-data" in told:
                found[attributes.get("full-path", "")] = _lock(told)
            told = {}
    return found


def _lock(told: dict[str, dict[str, str]]) -> _Lock | None:
    data, way, key = (told.get(name, {}) for name in ("encryption-data", "algorithm", "key-derivation"))
    start = told.get("start-key-generation", {})
    try:
        return _Lock(
            algorithm=way["algorithm-name"].lower(),
            vector=base64.b64decode(way["initialisation-vector"]),
            salt=base64.b64decode(key["salt"]),
            rounds=min(int(key["iteration-count"]), _MOST_ROUNDS),
            key_bytes=int(key.get("key-size", "16")),
            start_hash=_hash_of(start.get("start-key-generation-name", "")),
            checksum=base64.b64decode(data.get("checksum", "")),
            checksum_hash=_hash_of(data.get("checksum-type", "")),
        )
    except (KeyError, ValueError, binascii.Error):
        return None


def _hash_of(name: str) -> str:
    return "sha256" if "sha256" in name.lower() else "sha1"


def _clear(package: Package, locks: dict[str, _Lock | None], password: str, options: Options) -> BinaryIO:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as target:
        for name in package.names():
            data = package.open(name).read()
            if name in locks:
                data = _part(data, locks[name], password, options.max_member_bytes)
            elif name == _MANIFEST:
                data = _SAYS_ENCRYPTED.sub(b"", data)
            target.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    out.seek(0)
    return out


def _part(data: bytes, lock: _Lock | None, password: str, most_bytes: int) -> bytes:
    if lock is None:
        raise ValueError("the manifest does not say how")
    start = hashlib.new(lock.start_hash, password.encode(), usedforsecurity=False).digest()
    key = hashlib.pbkdf2_hmac("sha1", start, lock.salt, lock.rounds, lock.key_bytes)
    packed = _deciphered(data, key, lock)
    if lock.checksum:
        found = hashlib.new(lock.checksum_hash, packed[:_CHECKED], usedforsecurity=False).digest()
        if found != lock.checksum:
            raise _WrongKey
    try:
        unpacker = zlib.decompressobj(-zlib.MAX_WBITS)
        clear = unpacker.decompress(packed, most_bytes)
    except zlib.error:
        raise _WrongKey from None
    if unpacker.unconsumed_tail:
        raise TooLarge("a part grows beyond max_member_mb")
    return clear


def _deciphered(data: bytes, key: bytes, lock: _Lock) -> bytes:
    from cryptography.hazmat.decrepit.ciphers.algorithms import Blowfish
    from cryptography.hazmat.decrepit.ciphers.modes import CFB
    from cryptography.hazmat.primitives.ciphers import Cipher
    from cryptography.hazmat.primitives.ciphers.algorithms import AES
    from cryptography.hazmat.primitives.ciphers.modes import CBC

    if "blowfish" in lock.algorithm:
        blowfish = Cipher(Blowfish(key), CFB(lock.vector)).decryptor()
        return blowfish.update(data) + blowfish.finalize()
    if not lock.algorithm.endswith("-cbc"):
        raise ValueError(f"{lock.algorithm.rpartition('#')[2]} is not known")
    aes = Cipher(AES(key), CBC(lock.vector)).decryptor()
    padded = aes.update(data) + aes.finalize()
    return padded[: -padded[-1]] if padded and 0 < padded[-1] <= AES.block_size // 8 else padded
