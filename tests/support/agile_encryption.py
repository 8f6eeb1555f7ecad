"""Encrypts a package as Office 2010 did: agile encryption with SHA-1 (MS-OFFCRYPTO 2.3.4.10)."""

import base64
import hashlib
import struct

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from redwell.handlers.structures.compound_writer import Storage, write

_SALT, _KEY, _VERIFIER, _SPIN = bytes(range(16)), bytes(range(16, 32)), bytes(range(32, 48)), 1_000
_INPUT, _HASH, _KEY_BLOCK = (
    bytes.fromhex(block) for block in ("fea7d2763b4b9e79", "d7aa0f6d3061344e", "146e0be7abacd0d6")
)
_DESCRIPTION = (
    '<encryption xmlns="http://schemas.microsoft.com/office/2006/encryption" '
    'xmlns:p="http://schemas.microsoft.com/office/2006/keyEncryptor/password">'
    '<keyData saltSize="16" blockSize="16" keyBits="128" hashSize="20" cipherAlgorithm="AES" '
    'cipherChaining="ChainingModeCBC" hashAlgorithm="SHA1" saltValue="{salt}"/>'
    '<dataIntegrity encryptedHmacKey="{salt}" encryptedHmacValue="{salt}"/><keyEncryptors>'
    '<keyEncryptor uri="http://schemas.microsoft.com/office/2006/keyEncryptor/password">'
    '<p:encryptedKey spinCount="{spin}" saltSize="16" blockSize="16" keyBits="128" hashSize="20" '
    'cipherAlgorithm="AES" cipherChaining="ChainingModeCBC" hashAlgorithm="SHA1" saltValue="{salt}" '
    'encryptedVerifierHashInput="{input}" encryptedVerifierHashValue="{hash}" encryptedKeyValue="{key}"/>'
    "</keyEncryptor></keyEncryptors></encryption>"
)


def locked(package: bytes, password: str) -> bytes:
    """A compound file around the encrypted package."""
    spun = _sha(_SALT + password.encode("utf-16-le"))
    for count in range(_SPIN):
        spun = _sha(struct.pack("<I", count) + spun)
    sealed = {
        "input": _aes(_sha(spun + _INPUT)[:16], _SALT, _VERIFIER),
        "hash": _aes(_sha(spun + _HASH)[:16], _SALT, _sha(_VERIFIER)),
        "key": _aes(_sha(spun + _KEY_BLOCK)[:16], _SALT, _KEY),
    }
    told = {name: base64.b64encode(value).decode() for name, value in (sealed | {"salt": _SALT}).items()}
    segments = [package[at : at + 4096] for at in range(0, len(package), 4096)]
    body = b"".join(_aes(_KEY, _sha(_SALT + struct.pack("<I", n))[:16], each) for n, each in enumerate(segments))
    info = struct.pack("<HHI", 4, 4, 0x40) + _DESCRIPTION.format(spin=_SPIN, **told).encode()
    stream = struct.pack("<Q", len(package)) + body
    return write(Storage(streams={"EncryptionInfo": info, "EncryptedPackage": stream}))


def _aes(key: bytes, start: bytes, clear: bytes) -> bytes:
    encryptor = Cipher(algorithms.AES(key), modes.CBC(start)).encryptor()
    return encryptor.update(clear + bytes(-len(clear) % 16)) + encryptor.finalize()


def _sha(data: bytes) -> bytes:
    return hashlib.sha1(data).digest()
