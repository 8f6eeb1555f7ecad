"""Small files in a case's folder that say for good where parts of the case lie. Used where a case is made."""

import os
import tempfile
from contextlib import closing
from pathlib import Path

from redwell.adapters.files.folders import Folder


def renoted(folder: Path, name: str, text: bytes) -> None:
    """The note says this from now on, and at no moment something else than before or this."""
    (folder / f"{name}.new").unlink(missing_ok=True)
    noted(folder, f"{name}.new", text)
    os.replace(folder / f"{name}.new", folder / name)
    with closing(Folder.root(folder, make=False)) as opened:
        opened.sync()


def noted(folder: Path, name: str, text: bytes) -> None:
    """The note is there, whole and safe from a power cut: this one, or that of somebody who was first."""
    with tempfile.NamedTemporaryFile(dir=folder) as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
        try:
            os.link(file.name, folder / name)
        except FileExistsError:
            pass
    with closing(Folder.root(folder, make=False)) as opened:
        opened.sync()
