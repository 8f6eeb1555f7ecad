"""Old RAR archives as unarr unpacks them: solid ones before 5, all before 2.9. Used by rar_data in a child."""

import ctypes
from collections.abc import Iterator
from functools import cache
from typing import Any

from redwell.core.errors import InvalidFile, Unsupported
from redwell.core.handler import Source
from redwell.handlers.unpacking.system_libraries import loaded

_CHUNK = 1 << 18


@cache
def _library() -> Any:
    pointer = ctypes.c_void_p
    return loaded(
        "libunarr1",
        "solid RAR archives from before RAR 5, and all from before 2.9,",
        "ar_",
        (
            ("open_file", pointer, [ctypes.c_char_p]),
            ("open_rar_archive", pointer, [pointer]),
            ("parse_entry", ctypes.c_bool, [pointer]),
            ("entry_get_size", ctypes.c_size_t, [pointer]),
            ("entry_uncompress", ctypes.c_bool, [pointer, pointer, ctypes.c_size_t]),
            ("close_archive", None, [pointer]),
            ("close", None, [pointer]),
        ),
    )


def check_installed() -> None:
    """Raise `Unsupported` with the remedy where the library is missing."""
    _library()


def is_installed() -> bool:
    try:
        _library()
    except Unsupported:
        return False
    return True


def members(source: Source) -> Iterator[Iterator[bytes]]:
    """The bytes of each member, to be read to their end before the next is asked for."""
    unarr = _library()
    stream = unarr.ar_open_file(str(source.path()).encode())
    archive = unarr.ar_open_rar_archive(stream) if stream else None
    try:
        while archive and unarr.ar_parse_entry(archive):
            yield _chunks(unarr, archive)
    finally:
        if archive:
            unarr.ar_close_archive(archive)
        if stream:
            unarr.ar_close(stream)


def _chunks(unarr: Any, archive: int) -> Iterator[bytes]:
    left, buffer = unarr.ar_entry_get_size(archive), ctypes.create_string_buffer(_CHUNK)
    while left > 0:
        count = min(left, _CHUNK)
        if not unarr.ar_entry_uncompress(archive, buffer, count):
            raise InvalidFile("the member's bytes are damaged")
        yield buffer.raw[:count]
        left -= count
