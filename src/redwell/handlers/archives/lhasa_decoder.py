"""Members of LHA archives as Lhasa unpacks them. Used by the lha handler in a child."""

import ctypes
from collections.abc import Iterator
from functools import cache
from typing import Any, BinaryIO

from redwell.core.errors import InvalidFile, Unsupported
from redwell.handlers.archives.lha_headers import Header
from redwell.handlers.unpacking.system_libraries import loaded

_CHUNK = 1 << 18
_Reading = ctypes.CFUNCTYPE(ctypes.c_size_t, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p)


@cache
def _library() -> Any:
    pointer, size = ctypes.c_void_p, ctypes.c_size_t
    return loaded(
        "liblhasa0",
        "most LHA archives",
        "lha_",
        (
            ("decoder_for_name", pointer, [ctypes.c_char_p]),
            ("decoder_new", pointer, [pointer, _Reading, pointer, size]),
            ("decoder_read", size, [pointer, pointer, size]),
            ("decoder_free", None, [pointer]),
            ("crc16_buf", None, [ctypes.POINTER(ctypes.c_uint16), pointer, size]),
        ),
    )


def check_installed() -> None:
    """Raise `Unsupported` with the remedy where the library is missing."""
    _library()


def unpacked(file: BinaryIO, header: Header) -> Iterator[bytes]:
    """The member's bytes; fails where they are not whole, or packed in a way that is not read."""
    lhasa = _library()
    method = lhasa.lha_decoder_for_name(header.method)
    if not method:
        raise Unsupported(f"packed by the method {header.method.decode('ascii', 'replace')}, which is not read")
    reading = _Packed(file, header)
    callback = _Reading(reading.read)  # is kept as long as the decoder may call it
    decoder = lhasa.lha_decoder_new(method, callback, None, header.size)
    if not decoder:
        raise InvalidFile("the member's bytes are damaged")
    buffer, crc, length = ctypes.create_string_buffer(_CHUNK), ctypes.c_uint16(0), 0
    try:
        while got := lhasa.lha_decoder_read(decoder, buffer, _CHUNK):
            lhasa.lha_crc16_buf(ctypes.byref(crc), buffer, got)
            length += got
            yield buffer.raw[:got]
    finally:
        lhasa.lha_decoder_free(decoder)
    if length != header.size:
        raise InvalidFile("the member is cut off")
    if crc.value != header.crc:
        raise InvalidFile("the checksum does not fit the member's bytes")


class _Packed:
    """The packed bytes of one member, handed out in order."""

    def __init__(self, file: BinaryIO, header: Header) -> None:
        self._file, self._at, self._left = file, header.at, max(0, header.packed)

    def read(self, buffer: int, wanted: int, _: object) -> int:
        self._file.seek(self._at)
        data = self._file.read(min(wanted, self._left))
        ctypes.memmove(buffer, data, len(data))
        self._at, self._left = self._at + len(data), self._left - len(data)
        return len(data)
