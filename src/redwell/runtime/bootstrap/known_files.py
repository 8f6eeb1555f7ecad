"""Lists of known files: made, opened and described. Part of bootstrap's joining."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from redwell.adapters.files import known_hashes_builder
from redwell.adapters.files.known_hashes import HashFile
from redwell.ports.known_files import KnownList


def open_known_files(path: Path) -> KnownList:
    """UserError where it is no such list."""
    return HashFile(path)


def build_known_files(sources: Sequence[str], target: Path) -> dict[str, Any]:
    return known_hashes_builder.build(sources, target)


def describe_known_files(path: str) -> dict[str, Any]:
    return known_hashes_builder.info(path)
