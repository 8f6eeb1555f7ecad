"""File names as text: evidence has names that are not UTF-8, and none may be lost or confused."""

import os
from urllib.parse import quote_from_bytes, unquote_to_bytes

_LONGEST = 255  # what file systems allow
_LONGEST_ENDING = 16
_PLAIN = bytes(b for b in range(0x20, 0x7F) if b != ord("%"))


def quoted(path: bytes) -> str:
    """A reversible text form: readable UTF-8 as it is, `%` and bytes that are not UTF-8 as %XX."""
    try:
        plain = path.decode()
    except UnicodeDecodeError:
        return quote_from_bytes(path, safe=_PLAIN)
    return plain.replace("%", "%25")


def unquoted(locator: str) -> bytes:
    return unquote_to_bytes(locator)


def display(path: bytes | str) -> str:
    """The name as people read it; bytes that are not UTF-8 show as \\xNN."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def unpacked_name(container: str) -> str:
    """What a member without a name of its own is called: `minutes.csv.bz2` holds `minutes.csv`."""
    stem, dot, _ = container.rpartition(".")
    return stem if dot and stem else container


def shortened(name: str) -> str:
    """At most 255 characters of a name, its ending among them: that tells what the file is."""
    if len(name) <= _LONGEST:
        return name
    stem, dot, ending = name.rpartition(".")
    if not stem or len(ending) > _LONGEST_ENDING:
        return name[:_LONGEST]
    return f"{stem[: _LONGEST - len(ending) - 1]}{dot}{ending}"


def last_step(path: str) -> str:
    """A file's name without the folders before it, whatever system wrote them, and on one line."""
    return " ".join(path.replace("\\", "/").rstrip("/").rpartition("/")[2].split())
