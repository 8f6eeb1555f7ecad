"""ZIP files with fixed times, so that the same members give the same bytes; with a password if wanted."""

import io
import struct
import zipfile
import zlib

_WHEN = (2023, 3, 14, 9, 30, 0)
_ENCRYPTED = 1


def zipped(members: dict[str, bytes], *, stored: tuple[str, ...] = ()) -> bytes:
    """A ZIP of these members in this order; the names in `stored` are not compressed."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in members.items():
            info = zipfile.ZipInfo(name, _WHEN)
            info.external_attr = 0o644 << 16
            info.compress_type = zipfile.ZIP_STORED if name in stored else zipfile.ZIP_DEFLATED
            archive.writestr(info, data)
    return buffer.getvalue()


def zipped_with_password(name: str, data: bytes, password: bytes) -> bytes:
    """A ZIP of one stored member under traditional PKWARE encryption, which the standard library only reads."""
    crc = zlib.crc32(data)
    head = bytes(range(11)) + bytes([crc >> 24])
    body = _Cipher(password).encrypt(head + data)
    encoded = name.encode()
    day = (_WHEN[0] - 1980) << 9 | _WHEN[1] << 5 | _WHEN[2]
    second = _WHEN[3] << 11 | _WHEN[4] << 5 | _WHEN[5] // 2
    common = struct.pack("<HHHHHIIIHH", 20, _ENCRYPTED, 0, second, day, crc, len(body), len(data), len(encoded), 0)
    local = b"PK\x03\x04" + common + encoded + body
    central = b"PK\x01\x02" + struct.pack("<H", 20) + common + struct.pack("<HHHII", 0, 0, 0, 0, 0) + encoded
    return local + central + struct.pack("<4sHHHHIIH", b"PK\x05\x06", 0, 0, 1, 1, len(central), len(local), 0)


class _Cipher:
    """The stream cipher of PKWARE's application note, section 6.1."""

    def __init__(self, password: bytes) -> None:
        self._keys = [0x12345678, 0x23456789, 0x34567890]
        for byte in password:
            self._update(byte)

    def encrypt(self, data: bytes) -> bytes:
        return bytes(self._encrypt(byte) for byte in data)

    def _encrypt(self, byte: int) -> int:
        mask = (self._keys[2] | 2) & 0xFFFF
        encrypted = byte ^ (((mask * (mask ^ 1)) >> 8) & 0xFF)
        self._update(byte)
        return encrypted

    def _update(self, byte: int) -> None:
        keys = self._keys
        keys[0] = _crc_step(keys[0], byte)
        keys[1] = ((keys[1] + (keys[0] & 0xFF)) * 134775813 + 1) & 0xFFFFFFFF
        keys[2] = _crc_step(keys[2], keys[1] >> 24)


def _crc_step(crc: int, byte: int) -> int:
    return zlib.crc32(bytes([byte]), crc ^ 0xFFFFFFFF) ^ 0xFFFFFFFF
