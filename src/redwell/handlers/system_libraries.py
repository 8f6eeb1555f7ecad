"""Which of the system's libraries that handlers use are installed. Asked by the parent; children load them."""

import ctypes

SONAMES = {  # by Debian package
    "libarchive13": "libarchive.so.13",
    "libudfread0": "libudfread.so.0",
    "libunarr1": "libunarr.so.1",
}


def installed() -> list[str]:
    return [package for package, soname in SONAMES.items() if _is_there(soname)]


def _is_there(soname: str) -> bool:
    try:
        ctypes.CDLL(soname)
    except OSError:
        return False
    return True
