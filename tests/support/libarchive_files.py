"""Archives of every format that libarchive writes, for the handler tests."""

import tempfile
from collections.abc import Mapping
from pathlib import Path

import libarchive


def made(format_name: str, files: Mapping[str, bytes], filter_name: str | None = None) -> bytes:
    """An archive with these files, all of one date."""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder, "archive")
        with libarchive.file_writer(str(target), format_name, filter_name) as archive:
            for name, content in files.items():
                archive.add_file_from_memory(name, len(content), content, mtime=1_600_000_000)
        return target.read_bytes()
