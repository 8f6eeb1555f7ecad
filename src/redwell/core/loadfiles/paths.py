"""Paths as load files write them, made relative to the volume; none leads out of it. Pure."""

import re
from typing import NamedTuple

_DRIVE = re.compile(r"^[A-Za-z]:")
_LONGEST = 400
_ENDING = re.compile(r"\.[A-Za-z0-9]{1,5}$")


class VolumePath(NamedTuple):
    parts: tuple[str, ...]
    absolute: bool  # of another machine: `C:\\x`, `\\\\server\\share`
    ups: int = 0  # folders above that of the load file: `..\\NATIVES\\x` has one


def volume_path(text: str) -> VolumePath | None:
    """Parts of a path, whichever slashes it has; None where there are none, or a zero or `..` would lead elsewhere."""
    cleaned = text.strip().strip('"').replace("/", "\\")
    absolute = bool(_DRIVE.match(cleaned)) or cleaned.startswith("\\\\")
    parts: list[str] = []
    ups = 0
    for part in _DRIVE.sub("", cleaned).split("\\"):
        if part == "..":
            ups += not parts
            del parts[-1:]
        elif part not in ("", "."):
            parts.append(part)
    if not parts or (ups and absolute) or "\0" in cleaned:
        return None
    return VolumePath(tuple(parts), absolute, ups)


def is_words(value: str) -> bool:
    """Whether a value where a path could stand is the text itself: no file is called like that."""
    if "\n" in value or "\r" in value or len(value) > _LONGEST:
        return True
    has_folder, has_blank = re.search(r"[\\/]", value) is not None, " " in value
    return has_blank and not has_folder if _ENDING.search(value) else has_blank or not has_folder
