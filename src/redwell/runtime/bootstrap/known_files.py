"""Lists of known files: made, opened and described. Part of bootstrap's joining."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from redwell.adapters.files import known_hashes_builder
from redwell.adapters.files.known_hashes import HashFile
from redwell.core.patience import Patience
from redwell.ports.known_files import KnownList
from redwell.ports.remote_source import SCHEME
from redwell.runtime.bootstrap.vendors import aws_adapter


def open_known_files(place: str, home: Path, patience: Patience) -> KnownList:
    """A file, an object, or objects named by their MD5 below `s3://…/`; UserError where it is no such list.

    An object is fetched once into the home, and again when it has changed.
    """
    if not place.startswith(SCHEME):
        return HashFile(Path(place))
    adapter = aws_adapter("s3_known_files")
    if place.endswith("/"):
        known: KnownList = adapter.BucketOfHashes(place, patience)
        return known
    return HashFile(adapter.fetched(place, home / "known", patience))


def build_known_files(sources: Sequence[str], target: Path) -> dict[str, Any]:
    return known_hashes_builder.build(sources, target)


def describe_known_files(path: str) -> dict[str, Any]:
    return known_hashes_builder.info(path)
