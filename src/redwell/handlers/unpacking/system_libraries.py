"""The system's libraries that handlers use. Children load them, and say which there are.

A machine that has others could make something else of a file, so a job names them (ADR 19): each has to be listed here.
"""

import ctypes
from collections.abc import Iterable
from typing import Any

from redwell.core.errors import Unsupported
from redwell.core.wire import Tool

SONAMES = {  # by Debian package
    "libarchive13": "libarchive.so.13",
    "liblhasa0": "liblhasa.so.0",
    "libmspack0": "libmspack.so.0",
    "libudfread0": "libudfread.so.0",
    "libunarr1": "libunarr.so.1",
    "libwim15": "libwim.so.15",
}


def system_libraries() -> list[Tool]:
    return [
        Tool(name=package, version=soname if _is_there(soname) else "", remedy=f"apt-get install {package}")
        for package, soname in SONAMES.items()
    ]


def _is_there(soname: str) -> bool:
    try:
        ctypes.CDLL(soname)
    except OSError:
        return False
    return True


def loaded(package: str, formats: str, prefix: str, functions: Iterable[tuple[str, Any, list[Any]]]) -> Any:
    """The library, and what its functions return and take; `Unsupported` with the remedy where it is missing."""
    try:
        library = ctypes.CDLL(SONAMES[package])
    except OSError:
        raise Unsupported(
            f"{formats} can only be read with the Debian package {package}: install it, then retry"
        ) from None
    for name, result, arguments in functions:
        function = getattr(library, prefix + name)
        function.restype, function.argtypes = result, arguments
    return library
