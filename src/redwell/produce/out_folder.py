"""A folder that something is written into: each file is there whole or not at all, and none is written over.

Used by exports and productions, in their process.
"""

import hashlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from redwell.core.errors import UserError
from redwell.core.trip import trip

_PART = 1 << 20


class Written(NamedTuple):
    path: str  # below the folder, with slashes
    sha256: str
    size: int


class OutFolder:
    def __init__(self, root: Path) -> None:
        self.root = root.absolute()  # children, who are handed paths below it, have a working folder of their own
        root.mkdir(parents=True, exist_ok=True)

    def put(self, path: str, parts: Iterable[bytes]) -> Written:
        """A file that is there already stays if it is the same; else it is an error."""
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        made = target.with_name(f".{target.name[-60:]}.part")
        digest, size = hashlib.sha256(), 0
        with open(made, "wb") as file:
            for part in parts:
                digest.update(part)
                size += len(part)
                file.write(part)
        trip("produce.before_link")
        try:
            os.link(made, target)
        except FileExistsError:
            if hash_of(target) != digest.hexdigest():
                raise UserError(
                    f"{target} is there already and is something else; nothing is written over it"
                ) from None
        finally:
            made.unlink()
        return Written(path, digest.hexdigest(), size)

    def files(self) -> Iterator[str]:
        """Every file below it, by name."""
        for folder, names, files in os.walk(self.root):
            names.sort()
            for name in sorted(files):
                yield (Path(folder) / name).relative_to(self.root).as_posix()


def hash_of(path: Path) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def parts_of(path: Path) -> Iterator[bytes]:
    with open(path, "rb") as file:
        while part := file.read(_PART):
            yield part


def manifest_of(written: Iterable[Written]) -> bytes:
    """As `sha256sum -c` reads it; names have no line breaks and no backslashes."""
    rows = sorted(written, key=lambda each: each.path)
    return "".join(f"{each.sha256}  {each.path}\n" for each in rows).encode()
