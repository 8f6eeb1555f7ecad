"""Paths as load files write them, made relative to the volume; none leads out of it. Pure."""

import re
from typing import NamedTuple

_DRIVE = re.compile(r"^[A-Za-z]:")


class VolumePath(NamedTuple):
    parts: tuple[str, ...]
    absolute: bool  # of another machine: `C:\\x`, `\\\\server\\share`


def volume_path(text: str) -> VolumePath | None:
    """Parts of a relative path, whichever slashes it has; None where `..` or a zero would lead elsewhere."""
    cleaned = text.strip().strip('"').replace("/", "\\")
    absolute = bool(_DRIVE.match(cleaned)) or cleaned.startswith("\\\\")
    parts = tuple(part for part in _DRIVE.sub("", cleaned).split("\\") if part not in ("", "."))
    if not parts or ".." in parts or "\0" in cleaned:
        return None
    return VolumePath(parts, absolute)
