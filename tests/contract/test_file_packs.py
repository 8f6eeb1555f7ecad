"""What only the blob store on files has to stand: full disks, links, torn packs, modes."""

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from redwell.adapters.files import open_files, pack_writer
from redwell.adapters.files.packs import FilePacks
from redwell.core.blobs import Location
from redwell.core.errors import DiskFull, Permanent

ENDED = "ended-1.pack"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[FilePacks]:
    with closing(FilePacks(tmp_path, "w1", small_bytes=1000)) as opened:
        yield opened


def put(store: FilePacks, data: bytes) -> tuple[bytes, Location]:
    sha256 = hashlib.sha256(data).digest()
    return sha256, store.append(sha256, data)


def fill_the_disk_under(path: Path) -> None:
    """The next write to the open file at `path` gets the kernel's own ENOSPC."""
    (fd,) = [int(fd.name) for fd in Path("/proc/self/fd").iterdir() if fd.exists() and fd.resolve() == path]
    full = os.open("/dev/full", os.O_WRONLY)
    os.dup2(full, fd, inheritable=False)
    os.close(full)


def test_a_full_disk_stops_appends_and_keeps_what_was_synced(store: FilePacks, tmp_path: Path) -> None:
    """Disk filling up in the middle: stop cleanly, resumable."""
    kept = put(store, b"kept")
    store.sync()
    fill_the_disk_under(tmp_path / "blobs/packs/w1-1.pack")
    put(store, b"lost")
    for _ in range(2):  # the second sync must not report safe what the first could not write
        with pytest.raises(DiskFull, match=r"No space left on device; [\d,]+ bytes are free on /"):
            store.sync()
    with pytest.raises(DiskFull):
        put(store, b"more")
    store.close()
    with closing(FilePacks(tmp_path, "w2")) as resumed:
        again = put(resumed, b"lost")
        resumed.sync()
        assert (resumed.read(*kept), resumed.read(*again)) == (b"kept", b"lost")


def test_a_full_disk_leaves_no_part_of_a_large_file(store: FilePacks, tmp_path: Path) -> None:
    def parts() -> Iterator[bytes]:
        yield b"x" * 5000
        fill_the_disk_under(tmp_path / "blobs/temporary/w1-1")
        yield b"x" * 5000

    with pytest.raises(DiskFull, match="blobs/temporary"):
        store.spill(parts())
    assert list((tmp_path / "blobs/temporary").iterdir()) == []
    assert list((tmp_path / "blobs/files").iterdir()) == []
    assert store.spill([b"fits"]).size == 4


def test_a_write_cut_short_by_a_limit_leaves_a_torn_pack_that_harms_nobody(tmp_path: Path) -> None:
    """A real short write: the kernel takes the first half of the buffer and refuses the rest."""
    code = """
import resource, sys
from pathlib import Path
from redwell.adapters.files.packs import FilePacks
from redwell.core.errors import DiskFull
store = FilePacks(Path(sys.argv[1]), "ended")
row = store.append(bytes(32), b"kept" * 100)
store.sync()
resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000))
store.append(bytes(32), b"torn" * 2000)
try:
    store.sync()
except DiskFull as error:
    print(row.offset, error)
"""
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=True)
    offset, _, message = done.stdout.partition(" ")
    assert "File too large" in message
    assert (tmp_path / "blobs/packs" / ENDED).stat().st_size == 5000
    with closing(FilePacks(tmp_path, "ended")) as store:
        assert store.read(bytes(32), Location("ended-1", int(offset), 400)) == b"kept" * 100
        assert put(store, b"new")[1].pack == "ended-2"


def test_a_pack_cut_inside_a_record_costs_only_that_record(tmp_path: Path) -> None:
    with closing(FilePacks(tmp_path, "ended")) as store:
        whole, torn = put(store, b"whole"), put(store, b"torn")
    os.truncate(tmp_path / "blobs/packs" / ENDED, torn[1].offset + 1)
    with closing(FilePacks(tmp_path, "w2")) as store:
        assert store.read(*whole) == b"whole"
        with pytest.raises(Permanent, match=r"ended-1\.pack ends before byte"):
            store.read(*torn)


def test_a_pack_of_another_version_is_refused(tmp_path: Path) -> None:
    with closing(FilePacks(tmp_path, "ended")) as store:
        row = put(store, b"data")
    with open(tmp_path / "blobs/packs" / ENDED, "r+b") as pack:
        pack.seek(15)
        pack.write(b"\2")
    with closing(FilePacks(tmp_path, "w2")) as store, pytest.raises(Permanent, match="this version"):
        store.read(*row)


def test_a_damaged_large_file_is_neither_replaced_nor_taken_for_a_copy(store: FilePacks) -> None:
    stored = store.spill([b"evidence" * 1000])
    path, _ = store.place(stored.digests.sha256, stored.location)
    path.write_bytes(b"Evidence" * 1000)
    with pytest.raises(Permanent, match="does not hold the bytes of its name"):
        store.spill([b"evidence" * 1000])
    assert path.read_bytes() == b"Evidence" * 1000


@pytest.mark.parametrize("planted", ["blobs/packs/ended-1.pack", "blobs/packs", "blobs"])
def test_nothing_is_read_through_a_symbolic_link(tmp_path: Path, planted: str) -> None:
    case, elsewhere = tmp_path / "case", tmp_path / "elsewhere"
    with closing(FilePacks(case, "ended")) as store:
        row = put(store, b"data")
    (case / planted).rename(elsewhere)
    (case / planted).symlink_to(elsewhere)
    with pytest.raises(Permanent, match="symbolic link"), closing(FilePacks(case, "w2")) as store:
        store.read(*row)


@pytest.mark.parametrize("part", ["whole file", "shelf"])
def test_a_large_file_is_neither_read_nor_written_through_a_symbolic_link(
    store: FilePacks, tmp_path: Path, part: str
) -> None:
    stored = store.spill([b"data" * 1000])
    store.sync()
    path, _ = store.place(stored.digests.sha256, stored.location)
    planted, elsewhere = path if part == "whole file" else path.parent, tmp_path / "elsewhere"
    planted.rename(elsewhere)
    planted.symlink_to(elsewhere)
    for use in (lambda: store.read(stored.digests.sha256, stored.location), lambda: store.spill([b"data" * 1000])):
        with pytest.raises(Permanent, match="symbolic link"):
            use()


def test_a_pipe_in_place_of_a_pack_is_refused_without_waiting(tmp_path: Path) -> None:
    with closing(FilePacks(tmp_path, "w1")) as store:
        os.mkfifo(tmp_path / "blobs/packs" / ENDED)
        with pytest.raises(Permanent, match="not a regular file"):
            store.read(bytes(32), Location("ended-1", 16, 4))


def test_files_and_folders_are_for_their_owner_only(store: FilePacks, tmp_path: Path) -> None:
    put(store, b"small")
    store.spill([b"large" * 1000])
    store.sync()
    modes = {path.name: path.stat().st_mode & 0o777 for path in (tmp_path / "blobs").rglob("*") if path.is_file()}
    assert set(modes.values()) == {0o600}
    assert len(modes) == 4
    assert {path.stat().st_mode & 0o777 for path in (tmp_path / "blobs").rglob("*") if path.is_dir()} == {0o700}


def test_a_writer_id_cannot_be_used_twice_at_once_nor_leave_the_folder(store: FilePacks, tmp_path: Path) -> None:
    with pytest.raises(Permanent, match="already running"):
        FilePacks(tmp_path, "w1")
    with pytest.raises(ValueError, match="file name"):
        FilePacks(tmp_path, "../w1")


def test_readers_in_many_threads_keep_their_pack_when_it_is_pushed_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(open_files, "_MAX_OPEN", 2)
    with closing(FilePacks(tmp_path, "w1", pack_bytes=600)) as store:
        rows = [(*put(store, bytes([n]) * 500), bytes([n]) * 500) for n in range(30)]
        store.sync()
        with ThreadPoolExecutor(8) as pool:
            read = list(pool.map(lambda row: store.read(row[0], row[1]), rows * 20))
        assert read == [data for _, _, data in rows * 20]
        open_packs = [fd for fd in Path("/proc/self/fd").iterdir() if fd.exists() and fd.resolve().suffix == ".pack"]
        assert len(open_packs) <= 3, "two for reading, one for writing"


def test_an_error_of_the_source_passes_through_a_spill_as_it_is(store: FilePacks, tmp_path: Path) -> None:
    def parts() -> Iterator[bytes]:
        yield b"x"
        raise OSError(5, "the source's own error")

    with pytest.raises(OSError, match="the source's own error"):
        store.spill(parts())
    assert list((tmp_path / "blobs/temporary").iterdir()) == []


def test_a_store_opened_for_reading_writes_nothing(tmp_path: Path) -> None:
    with closing(FilePacks(tmp_path, "reader", read_only=True)) as reader:
        for write in (lambda: put(reader, b"x"), lambda: reader.spill([b"x"])):
            with pytest.raises(ValueError, match="reading only"):
                write()
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_bytes_are_made_safe_before_the_names_that_lead_to_them(
    store: FilePacks, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Order on disk: data, then folder; a second sync has nothing left to do."""
    synced: list[str] = []

    def recorded(fd: int) -> None:
        synced.append(str(Path(f"/proc/self/fd/{fd}").resolve().relative_to(tmp_path / "blobs")))
        os.fdatasync(fd)

    monkeypatch.setattr(pack_writer, "_sync_data", recorded)
    monkeypatch.setattr(os, "fsync", recorded)
    put(store, b"small")
    name = store.spill([b"large" * 1000]).digests.sha256.hex()
    store.sync()
    assert synced == ["temporary/w1-1", f"files/{name[:2]}", "files", "packs/w1-1.pack", "packs"]
    synced.clear()
    store.sync()
    assert synced == []
    put(store, b"more")
    store.sync()
    assert synced == ["packs/w1-1.pack"]


def test_a_sync_that_failed_once_never_succeeds_later(store: FilePacks, monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel reports a lost page once; the next fsync of the same file would return 0."""

    def broken(fd: int) -> None:
        raise OSError(5, "Input/output error")

    put(store, b"x")
    with monkeypatch.context() as patched, pytest.raises(Permanent, match="Input/output error"):
        patched.setattr(pack_writer, "_sync_data", broken)
        store.sync()
    for use in (store.sync, lambda: put(store, b"y")):
        with pytest.raises(Permanent, match="Input/output error"):
            use()
