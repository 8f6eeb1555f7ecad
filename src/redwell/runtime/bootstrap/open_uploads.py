"""Where files that are sent to a server lie until their import has read them. Part of bootstrap's joining."""

from pathlib import Path

from redwell.adapters.files.upload_store import FileUploads
from redwell.ports.uploads import Uploads
from redwell.runtime.bootstrap.settings import Settings

MB = 1 << 20


def open_uploads(home: Path, settings: Settings) -> Uploads:
    return FileUploads(home / "uploads", settings.upload_mb * MB, settings.reserve_mb * MB)
