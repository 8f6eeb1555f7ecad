"""What the folder of a case says while the case is brought there, and an exported one of itself. Part of joining."""

import json
from pathlib import Path
from typing import Any

from redwell.adapters.files.notes import renoted
from redwell.core.errors import NotFound, UserError

_INCOMING = "incoming.json"
_MANIFEST = "redwell-case.json"
FORMAT = 1


def begin_incoming(folder: Path, origin: str) -> None:
    """From now on nobody opens the case; another one must not be brought into the same folder."""
    if (there := incoming_of(folder)) not in {"", origin}:
        raise UserError(f"{folder} holds part of another case ({there}); delete that one first")
    renoted(folder, _INCOMING, json.dumps({"origin": origin}).encode())


def incoming_of(folder: Path) -> str:
    """Where it comes from; empty: it is whole."""
    path = folder / _INCOMING
    return str(json.loads(path.read_bytes())["origin"]) if path.exists() else ""


def end_incoming(folder: Path) -> None:
    (folder / _INCOMING).unlink(missing_ok=True)


def require_arrived(folder: Path | None, name: str) -> None:
    if folder and (folder / _INCOMING).exists():
        raise NotFound(f"case {name!r} has not arrived as a whole: go on with the command that brings it")


def write_manifest(folder: Path, told: dict[str, Any]) -> None:
    """Last of all: an export with one is whole."""
    renoted(folder, _MANIFEST, json.dumps({"format": FORMAT, **told}, indent=1).encode())


def manifest_of(folder: Path) -> dict[str, Any] | None:
    path = folder / _MANIFEST
    if not path.exists():
        return None
    try:
        told: dict[str, Any] = json.loads(path.read_bytes())
        if told["format"] != FORMAT or not told["digest"]:
            raise ValueError(f"format {told['format']}")
    except (ValueError, LookupError, TypeError) as error:
        raise UserError(f"{path} is no list of an exported case ({error})") from None
    return told
