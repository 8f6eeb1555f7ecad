"""Looks at the header of an Access database: its version, and whether a password is needed. Runs in a child."""

import struct

HEAD = 4096
_VERSIONS = {0: "Access 97", 1: "Access 2000", 2: "Access 2007", 3: "Access 2010", 4: "Access 2013", 5: "Access 2016"}
_VERSION_AT, _MASKED_AT, _MASKED = 0x14, 0x18, {0: 126, 1: 128}
_MASK_KEY = bytes.fromhex("c7da396b")  # the same in every file
_PAGE_KEY, _PASSWORD, _CREATED, _CRYPTO_AT = 0x3E, 0x42, 0x72, 0x299


def looked_at(head: bytes) -> tuple[str, bool]:
    """The version's name and whether the database is locked; raises `struct.error` where the header is cut off."""
    (version,) = struct.unpack_from("<I", head, _VERSION_AT)
    version &= 0xFF
    (crypto,) = struct.unpack_from("<H", head, _CRYPTO_AT)
    length = _MASKED.get(version, 128)
    clear = head[:_MASKED_AT] + _rc4(head[_MASKED_AT : _MASKED_AT + length]) + head[_MASKED_AT + length :]
    (page_key,) = struct.unpack_from("<I", clear, _PAGE_KEY)
    locked = bool(page_key) or (version >= 2 and crypto > 0) or (version <= 1 and _has_password(clear, version))
    return _VERSIONS.get(version, f"version {version}"), locked


def _has_password(clear: bytes, version: int) -> bool:
    """Access 97 keeps it as it is; later ones mix it with the day on which the file was made."""
    if version == 0:
        return any(clear[_PASSWORD : _PASSWORD + 13])
    (created,) = struct.unpack_from("<d", clear, _CREATED)
    day = struct.pack("<i", int(created)) if abs(created) < 1e9 else bytes(4)
    stored = clear[_PASSWORD : _PASSWORD + 40]
    return any(byte ^ day[index % 4] for index, byte in enumerate(stored))


def _rc4(data: bytes) -> bytes:
    """Microsoft's mask, not a protection; the cipher is too old for the libraries."""
    state = list(range(256))
    at = 0
    for index in range(256):
        at = (at + state[index] + _MASK_KEY[index % 4]) & 0xFF
        state[index], state[at] = state[at], state[index]
    out, one, two = bytearray(), 0, 0
    for byte in data:
        one = (one + 1) & 0xFF
        two = (two + state[one]) & 0xFF
        state[one], state[two] = state[two], state[one]
        out.append(byte ^ state[(state[one] + state[two]) & 0xFF])
    return bytes(out)
