"""Where the bytes of a case lie: in its folder, or in a bucket. Part of bootstrap's joining.

The folder says which, so that a setting which changes later misleads nobody.
"""

from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec

from redwell.adapters.files.notes import noted
from redwell.adapters.files.packs import FilePacks
from redwell.core.errors import UserError
from redwell.core.ids import uuid7
from redwell.ports.blob_store import BlobStore
from redwell.runtime.settings import Settings

_NOTE = "blobs.json"  # of a case whose bytes are in a bucket
_STORED = ("packs", "files")  # folders of a case whose bytes are in its own


class Note(msgspec.Struct, frozen=True, kw_only=True):
    url: str


def make_blobs(folder: Path, url: str) -> None:
    """New bytes go below the URL, or into the folder if that is empty; a case that has bytes keeps its place."""
    if not url or (folder / _NOTE).exists() or any((folder / "blobs" / name).exists() for name in _STORED):
        return
    _objects(url)
    join_blobs(folder, f"{url.rstrip('/')}/case-{uuid7().hex}")


def join_blobs(folder: Path, url: str) -> None:
    """The bytes are there from now on; a folder that says something else already keeps to it."""
    noted(folder, _NOTE, msgspec.json.encode(Note(url=url)))


def open_blobs(folder: Path, worker: str, settings: Settings, *, read_only: bool = False) -> BlobStore:
    small_bytes = settings.small_blob_kb << 10
    url = place_of(folder)
    if not url:
        return FilePacks(folder, worker, small_bytes=small_bytes, read_only=read_only)
    adapter = _adapter("store")
    sizes = adapter.Sizes(small=small_bytes, cache=settings.cache_mb << 20)
    store: BlobStore = adapter.S3Blobs(folder, worker, _objects(url), sizes, read_only=read_only)
    return store


def place_of(folder: Path) -> str:
    """Where the bytes are; empty: in the folder."""
    try:
        return msgspec.json.decode((folder / _NOTE).read_bytes(), type=Note).url
    except FileNotFoundError:
        return ""
    except msgspec.MsgspecError as error:
        raise UserError(f"{folder / _NOTE} is damaged: {error}; restore it from a copy") from None


def described(url: str) -> str:
    """For `redwell doctor`: where new cases keep their bytes; ServiceUnavailable when nobody answers there."""
    if not url:
        return "pack files and files, in the folder of each case"
    next(_objects(url).names("redwell-doctor/"), None)
    return f"objects below {url}"


def _objects(url: str) -> Any:
    return _adapter("objects").Objects(url)


def _adapter(module: str) -> Any:
    try:
        return import_module(f"redwell.adapters.s3.{module}")
    except ModuleNotFoundError as error:
        raise UserError(f"blobs in S3 need another package ({error.name}): pip install 'redwell[aws]'") from None
