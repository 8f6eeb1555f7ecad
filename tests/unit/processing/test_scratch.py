"""Temporary folders go, whatever is in them and however their owner ended."""

import os
import signal
import subprocess
import sys
from pathlib import Path

from redwell.processing.children.scratch import PoolFolder, remove, size_mb


def test_a_folder_is_removed_whatever_its_depth_modes_and_links(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "file").write_text("evidence")
    folder = tmp_path / "folder"
    deep = folder / "a"
    for _ in range(40):
        deep = deep / ("x" * 200)
        os.makedirs(deep) if len(str(deep)) < 3_000 else None
    (folder / "link").symlink_to(kept)
    os.link(kept / "file", folder / "hard")
    (folder / "closed").mkdir()
    (folder / "closed" / "inside").mkdir()
    (folder / "closed").chmod(0)
    (folder / "moved-1").mkdir()
    remove(folder)
    assert not folder.exists()
    assert (kept / "file").read_text() == "evidence"


def test_a_folder_whose_owner_was_killed_is_removed_and_one_in_use_is_not(tmp_path: Path) -> None:
    program = "import sys; from pathlib import Path; from redwell.processing.children.scratch import PoolFolder\n"
    program += "folder = PoolFolder(Path(sys.argv[1])); folder.new(); print('made', flush=True); input()"
    with subprocess.Popen(
        [sys.executable, "-c", program, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout.readline() == b"made\n"
        PoolFolder(tmp_path).close()
        assert len(list(tmp_path.iterdir())) == 1
        other.send_signal(signal.SIGKILL)
    PoolFolder(tmp_path).close()
    assert list(tmp_path.iterdir()) == []


def test_the_size_counts_what_lies_on_disk(tmp_path: Path) -> None:
    (tmp_path / "inside").mkdir()
    (tmp_path / "inside" / "file").write_bytes(os.urandom(3 << 20))
    assert size_mb(tmp_path) == 3
