"""Where the bytes of a case lie: in its folder, or in a bucket. Part of bootstrap's joining.

The folder says which, so that a setting which changes later misleads nobody.
"""

from pathlib import Path
from typing import Any

from redwell.adapters.files.file_blobs import FileBlobs
from redwell.adapters.files.packs import FilePacks
from redwell.core.ids import uuid7
from redwell.ports.blob_store import BlobReader, BlobStore
from redwell.runtime.bootstrap.cases.case_notes import note_blobs, place_of
from redwell.runtime.bootstrap.settings import Settings
from redwell.runtime.bootstrap.vendors import s3_adapter

_STORED = ("packs", "files")  # folders of a case whose bytes are in its own


def make_blobs(folder: Path, settings: Settings) -> None:
    """New bytes go below the URL, or into the folder if that is empty; a case that has bytes keeps its place."""
    url = settings.blobs
    if not url or place_of(folder) or any((folder / "blobs" / name).exists() for name in _STORED):
        return
    _objects(url, settings)
    note_blobs(folder, f"{url.rstrip('/')}/case-{uuid7().hex}")


def open_blobs(folder: Path, worker: str, settings: Settings, *, read_only: bool = False) -> BlobStore:
    small_bytes = settings.small_blob_kb << 10
    url = place_of(folder)
    if not url:
        return FilePacks(folder, worker, small_bytes=small_bytes, read_only=read_only)
    adapter = s3_adapter("store")
    sizes = adapter.Sizes(small=small_bytes, cache=settings.cache_mb << 20)
    store: BlobStore = adapter.S3Blobs(folder, worker, _objects(url, settings), sizes, read_only=read_only)
    return store


def open_blob_reader(folder: Path | None, url: str, settings: Settings) -> BlobReader:
    """For whoever only looks; nothing is made in the folder. Without one the bytes are at the URL."""
    if url or folder is None:
        reader: BlobReader = s3_adapter("reader").S3Reader(_objects(url, settings), settings.cache_mb << 20)
        return reader
    return FileBlobs(folder)


def described(settings: Settings) -> str:
    """For `redwell doctor`: where new cases keep their bytes; ServiceUnavailable when nobody answers there."""
    url = settings.blobs
    if not url:
        return "pack files and files, in the folder of each case"
    next(_objects(url, settings).names("redwell-doctor/"), None)
    return f"objects below {url}"


def _objects(url: str, settings: Settings) -> Any:
    return s3_adapter("objects").Objects(url, settings.patience)
