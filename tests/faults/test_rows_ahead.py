"""Rows of a volume that a real child reads while its files are hashed: the same as when the volume is opened."""

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.support.children import config
from tests.support.load_file_volume import sound_volume
from tests.support.pieces import read

from redwell.core.blobs import Location
from redwell.core.handler import Volume
from redwell.core.loadfiles.volume_document import Told, VolumeFile, rows_order, volume_document
from redwell.core.work.records import ClaimedVolume
from redwell.handlers.loadfiles import volume
from redwell.processing.children.limits import ChildConfig
from redwell.processing.rows_ahead import RowsInChild

pytestmark = pytest.mark.requirement("A13")
HANDLERS = ("redwell.handlers.loadfiles.rows_of_volume",)
TOLD = Told(name="VOL001")


class Made:
    """A sound volume in a folder, as intake lists it."""

    def __init__(self, root: Path) -> None:
        sound_volume(root).write()
        self.data = {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}
        self.root = root
        self.files = [
            VolumeFile(path, len(data), hashlib.sha256(data).hexdigest()) for path, data in sorted(self.data.items())
        ]
        names = [file for file in self.files if file.path.startswith("DATA/")]
        self.load_files = [
            ClaimedVolume(number=number, sha256=bytes.fromhex(file.sha256), location=Location("", 0, file.size))
            for number, file in enumerate(names, 1)
        ]
        self.order = rows_order(TOLD, [f if f in names else VolumeFile(f.path, f.size, "") for f in self.files])

    def place(self, sha256: bytes, location: Location) -> tuple[Path, int]:
        found = next(path for path, data in self.data.items() if hashlib.sha256(data).digest() == sha256)
        return self.root / found, 0

    def rows(self, settings: ChildConfig, wanted: Callable[[], bool] = lambda: True) -> bytes:
        with RowsInChild(settings, self.place, wanted).begun(self.order, self.load_files) as rows:
            rows.look()
            return b"".join(rows.parts())

    def pieces(self, rows: bytes, scratch: Path) -> list[object]:
        """What the volume gives, with these rows or none behind its files."""
        document = volume_document(TOLD, self.files) + (b"\n" + rows if rows else b"")
        parts = [document, self.data["DATA/VOL001.dat"], self.data["DATA/VOL001.opt"]]
        volumes = tuple(Volume(number=number, suffix="", size=len(part)) for number, part in enumerate(parts))
        return read(volume, b"".join(parts), scratch, volumes=volumes, synthetic=True).all


@pytest.fixture
def made(tmp_path: Path) -> Made:
    return Made(tmp_path / "in" / "VOL001")


def test_a_volume_gives_the_same_whenever_its_rows_were_read(made: Made, tmp_path: Path) -> None:
    rows = made.rows(config(tmp_path, handlers=HANDLERS))
    assert rows.count(b"\n") == 4  # the version, a letter, a mail with its attachment, the summary
    assert made.pieces(rows, tmp_path) == made.pieces(b"", tmp_path)


def test_rows_of_another_version_are_read_anew(made: Made, tmp_path: Path) -> None:
    rows = made.rows(config(tmp_path, handlers=HANDLERS))
    assert made.pieces(b"1\n" + rows.partition(b"\n")[2][:40], tmp_path) == made.pieces(b"", tmp_path)


def test_a_child_that_cannot_read_them_gives_none(made: Made, tmp_path: Path) -> None:
    assert made.rows(config(tmp_path, handlers=("redwell.handlers.text.text",))) == b""
    made.order = made.order.replace(b'"VOL001"', b"17")
    assert made.rows(config(tmp_path, handlers=HANDLERS)) == b""


def test_nobody_waits_for_rows_that_are_not_wanted(made: Made, tmp_path: Path) -> None:
    assert made.rows(config(tmp_path, handlers=HANDLERS), lambda: False) == b""
