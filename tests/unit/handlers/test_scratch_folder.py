import os
from pathlib import Path

from redwell.handlers.host.scratch_folder import ScratchFolder


def left(folder: Path) -> list[str]:
    return sorted(os.listdir(folder))


def test_nothing_of_a_document_is_there_for_the_next(tmp_path: Path) -> None:
    outside, folder = tmp_path / "outside", tmp_path / "scratch"
    outside.mkdir(), folder.mkdir()
    (outside / "kept").touch()
    scratch = ScratchFolder(str(folder))
    (folder / "a" / "b").mkdir(parents=True)
    (folder / "a" / "b" / "c").touch()
    (folder / "d").touch()
    (folder / "e").symlink_to(outside)
    scratch.clean()
    assert left(folder) == [] and left(outside) == ["kept"]


def test_a_file_is_seen_however_soon_after_the_last_look_it_came(tmp_path: Path) -> None:
    scratch = ScratchFolder(str(tmp_path))
    for number in range(500):
        scratch.clean()  # sees an empty folder whose last change is not a tick of the clock ago
        if number % 3 == 0:
            (tmp_path / "new").touch()
            scratch.clean()
            assert left(tmp_path) == []


def test_a_file_is_seen_in_a_folder_that_was_empty_for_long(tmp_path: Path) -> None:
    scratch = ScratchFolder(str(tmp_path))
    os.utime(tmp_path, (1, 1))
    scratch.clean()
    scratch.clean()
    (tmp_path / "new").touch()
    scratch.clean()
    assert left(tmp_path) == []
