"""Opens sections of Hangul documents that are handed out for reading alone. Called by documents.hangul in a child.

No password is asked for: the key lies before the words, among random bytes under a stream of pseudo-random ones.
"""

import struct

from redwell.core.errors import InvalidFile

_HEAD, _KEY_PART, _KEY_SIZE = 4, 256, 16
_FACTOR, _STEP = 214013, 2531011  # of the generator in Microsoft's C library


def unveiled(section: bytes) -> bytes:
    """The section's data, still packed; raises `InvalidFile` where the part with the key is cut off."""
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

    part, veiled = section[_HEAD : _HEAD + _KEY_PART], section[_HEAD + _KEY_PART :]
    if len(part) < _KEY_PART:
        raise InvalidFile("a section that is handed out has no key")
    (seed,) = struct.unpack_from("<I", part)
    at = 4 + (seed & 15)
    key = lifted(part, seed)[at : at + _KEY_SIZE]
    reader = Cipher(algorithms.AES(key), modes.ECB()).decryptor()  # as the format has it
    return reader.update(veiled[: len(veiled) & ~15]) + reader.finalize()


def lifted(part: bytes, seed: int) -> bytes:
    """The part without the pseudo-random bytes that lie over it in runs, the seed's own place aside."""
    out = bytearray(part)
    left = over = 0
    for at in range(len(part)):
        if not left:
            seed, over = _random(seed)
            seed, run = _random(seed)
            over, left = over & 0xFF, (run & 15) + 1
        if at >= 4:
            out[at] ^= over
        left -= 1
    return bytes(out)


def _random(seed: int) -> tuple[int, int]:
    seed = (seed * _FACTOR + _STEP) & 0xFFFFFFFF
    return seed, seed >> 16 & 0x7FFF
