"""What every blob store promises (ports.blob_store). An adapter joins by an entry in STORES."""

import hashlib
import os
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest
from tests.support import aws

from redwell.adapters.files.packs import FilePacks
from redwell.adapters.s3.objects import Objects
from redwell.adapters.s3.store import S3Blobs, Sizes
from redwell.core.blobs import Digests, Location, Stored
from redwell.core.errors import Permanent
from redwell.ports.blob_store import BlobStore

Opener = Callable[..., BlobStore]

# Text, because the tests that kill run the same expression in a process of their own.
STORES = {
    "files": "FilePacks(Path(folder), writer, small_bytes=1000, pack_bytes=20_000, read_only=read_only)",
    "s3": "S3Blobs(Path(folder), writer, Objects(os.environ['TEST_BLOBS']), Sizes(small=1000, pack=20_000),"
    " read_only=read_only)",
}
NAMES = {"FilePacks": FilePacks, "S3Blobs": S3Blobs, "Sizes": Sizes, "Objects": Objects, "Path": Path, "os": os}
PRELUDE = """
import hashlib, os, sys
from pathlib import Path
from redwell.adapters.files.packs import FilePacks
from redwell.adapters.s3.objects import Objects
from redwell.adapters.s3.store import S3Blobs, Sizes
folder, writer, read_only = sys.argv[1], "killed", False
def put(store, data):
    sha256 = hashlib.sha256(data).digest()
    return sha256, store.append(sha256, data)
"""


@pytest.fixture(params=STORES)
def store_text(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "s3":
        server = aws.server()
        for key, value in {**server.environment(), "TEST_BLOBS": f"s3://{server.new_bucket()}/cases/7"}.items():
            monkeypatch.setenv(key, value)
    return STORES[request.param]


@pytest.fixture
def open_store(store_text: str, tmp_path: Path) -> Iterator[Opener]:
    with ExitStack() as stack:

        def opener(writer: str = "w1", read_only: bool = False) -> BlobStore:
            names = {"folder": tmp_path, "writer": writer, "read_only": read_only}
            store: BlobStore = eval(store_text, NAMES, names)
            stack.callback(store.close)
            return store

        yield opener


@pytest.fixture
def run_killed(store_text: str, tmp_path: Path) -> Callable[..., str]:
    """Runs code with `store` open in another process that a SIGKILL must end; returns what it printed."""

    def run(code: str, trip: str = "") -> str:
        text = PRELUDE + f"store = {store_text}\n" + textwrap.dedent(code)
        done = subprocess.run(
            [sys.executable, "-c", text, str(tmp_path)],
            env={**os.environ, "REDWELL_TRIP": trip},
            capture_output=True,
            text=True,
            start_new_session=True,
            timeout=60,
        )
        assert done.returncode == -9, done.stderr
        return done.stdout

    return run


def put(store: BlobStore, data: bytes) -> tuple[bytes, Location]:
    sha256 = hashlib.sha256(data).digest()
    return sha256, store.append(sha256, data)


def name_of(sha256: bytes, location: Location) -> str:
    name = sha256.hex()
    return f"packs/{location.pack}.pack" if location.pack else f"files/{name[:2]}/{name}"


def spilled(stored: Stored) -> tuple[bytes, Location]:
    return stored.digests.sha256, stored.location


@pytest.mark.parametrize("data", [b"", b"x", b"small" * 200], ids=["empty", "one", "limit"])
def test_small_bytes_are_read_back_before_and_after_sync(open_store: Opener, data: bytes) -> None:
    store = open_store()
    for _ in range(2):
        sha256, location = put(store, data)
        assert location.length == len(data)
        assert store.read(sha256, location) == data
        with store.open(sha256, location) as stream:
            assert stream.read() == data
        path, offset = store.place(sha256, location)
        assert path.read_bytes()[offset : offset + location.length] == data
        store.sync()


@pytest.mark.parametrize("parts", [[], [b""], [b"a" * 5000, b"", b"b" * 5000]], ids=["none", "empty", "large"])
def test_spilled_bytes_are_read_back_with_their_three_hashes(open_store: Opener, parts: list[bytes]) -> None:
    store, data = open_store(), b"".join(parts)
    stored = store.spill(iter(parts))
    store.sync()
    assert (stored.digests, stored.size) == (Digests.of(data), len(data))
    assert store.read(*spilled(stored)) == data
    with store.open(*spilled(stored)) as stream:
        assert stream.read() == data
    path, offset = store.place(*spilled(stored))
    assert path.read_bytes()[offset:] == data


def test_a_view_of_bytes_is_copied_when_it_is_appended(open_store: Opener) -> None:
    store, spool = open_store(), bytearray(b"first")
    with memoryview(spool) as view:
        location = store.append(bytes(32), view)
    spool[:] = b"other"
    assert store.read(bytes(32), location) == b"first"


def test_bytes_over_the_limit_are_refused_by_append(open_store: Opener) -> None:
    store = open_store()
    with pytest.raises(ValueError, match="spill"):
        put(store, b"x" * (store.small_bytes + 1))


def test_storing_the_same_bytes_twice_keeps_both_readable(open_store: Opener) -> None:
    one, two = open_store("w1"), open_store("w2")
    first, second = put(one, b"same"), put(two, b"same")
    assert one.read(*first) == b"same" == two.read(*second)
    large = [store.spill([b"L" * 5000]) for store in (one, one, two)]
    assert large[0] == large[1] == large[2]
    assert two.read(*spilled(large[0])) == b"L" * 5000


def test_more_bytes_than_a_pack_holds_go_on_in_the_next(open_store: Opener) -> None:
    store = open_store()
    rows = [(put(store, data), data) for data in (bytes([n]) * 900 for n in range(100))]
    store.sync()
    assert len({row[1].pack for row, _ in rows}) > 3
    assert all(store.read(*row) == data for row, data in rows)


def test_two_writers_and_two_threads_each_read_what_all_have_written(open_store: Opener) -> None:
    stores = [open_store("w1"), open_store("w2")]

    def write(thread: int) -> list[tuple[bytes, Location, bytes]]:
        store, rows = stores[thread % 2], []
        for number in range(300):
            data = f"{thread}:{number} ".encode() * (number % 40)
            rows.append((*put(store, data), data))
            if number % 100 == 99:
                rows.append((*spilled(store.spill([data * 90])), data * 90))
                store.sync()
        return rows

    with ThreadPoolExecutor(4) as pool:
        rows = [row for result in pool.map(write, range(4)) for row in result]
    assert len(rows) == 4 * 303
    for store in stores:
        assert all(store.read(sha256, location) == data for sha256, location, data in rows)


def test_synced_bytes_survive_a_kill_and_unsynced_ones_harm_nobody(
    open_store: Opener, run_killed: Callable[..., str]
) -> None:
    """Order on disk: blob, then rows. A row exists only for what was synced."""
    printed = run_killed("""
        rows = [put(store, b"kept" * n) for n in range(50)]
        stored = store.spill([b"large" * 9000])
        store.sync()
        put(store, b"never synced")
        print(repr([*rows, (stored.digests.sha256, stored.location)]), flush=True)
        os.kill(os.getpid(), 9)
    """)
    store = open_store("killed")
    after = put(store, b"after")
    *rows, large = eval(printed, {"Location": Location})
    assert [store.read(*row) for row in rows] == [b"kept" * n for n in range(50)]
    assert store.read(*large) == b"large" * 9000
    assert store.read(*after) == b"after"


@pytest.mark.parametrize("trip", ["blobs.before_rename", "blobs.before_sync", "blobs.after_sync"])
def test_after_a_kill_at_a_commit_edge_the_same_bytes_can_be_stored_again(
    open_store: Opener, run_killed: Callable[..., str], trip: str
) -> None:
    run_killed('put(store, b"small"); store.spill([b"large" * 9000]); store.sync()', trip)
    store = open_store("killed")
    small, large = put(store, b"small"), spilled(store.spill([b"large" * 9000]))
    store.sync()
    assert (store.read(*small), store.read(*large)) == (b"small", b"large" * 9000)


def test_bytes_that_are_not_there_raise_an_error_that_names_the_next_step(open_store: Opener) -> None:
    store = open_store()
    sha256, location = put(store, b"here")
    stored = store.spill([b"x" * 2000])
    wrong = [
        (sha256, Location(location.pack, location.offset, 5)),
        (sha256, Location("nobody-7", 16, 4)),
        (sha256, Location("", 0, 4)),
        (stored.digests.sha256, Location("", 0, 2001)),
    ]
    for row in wrong:
        with pytest.raises(Permanent, match="redwell verify"):
            store.read(*row)


@pytest.mark.requirement("A10")
def test_orphans_are_the_files_that_no_live_row_points_into(open_store: Opener) -> None:
    """Gc: nothing that a row points at is ever listed."""
    writer, other = open_store("w1"), open_store("w2")
    dead = [put(writer, b"nobody wants this"), spilled(writer.spill([b"nor this" * 1000]))]
    live = [put(other, b"wanted"), spilled(other.spill([b"wanted" * 1000]))]
    expected = {name_of(*row): writer.place(*row)[0].stat().st_size for row in dead}
    writer.close()
    other.close()
    reader = open_store(read_only=True)
    assert dict(reader.orphans(iter(live))) == expected
    assert len(dict(reader.orphans([]))) == 4


def test_files_of_a_running_writer_are_no_orphans(open_store: Opener) -> None:
    ended, running, reader = open_store("ended"), open_store("running"), open_store(read_only=True)
    row = put(ended, b"old")
    orphan, size = name_of(*row), ended.place(*row)[0].stat().st_size
    for _ in range(60):  # also packs that are already full: their rows may still be on the way
        put(running, b"x" * 900)
    running.spill([b"y" * 5000])
    running.sync()
    ended.close()
    assert dict(reader.orphans([])) == {orphan: size}
    running.close()
    assert len(dict(reader.orphans([]))) > 4


def test_files_of_a_writer_on_another_machine_are_no_orphans(open_store: Opener) -> None:
    """Its locks are not to be seen here."""
    there, ended, reader = open_store("there"), open_store("ended"), open_store(read_only=True)
    row = put(ended, b"old")
    orphan, size = name_of(*row), ended.place(*row)[0].stat().st_size
    put(there, b"its row is on the way")
    there.spill([b"y" * 5000])
    there.close()
    ended.close()
    assert dict(reader.orphans([], lambda: {"there"})) == {orphan: size}


def test_what_a_killed_writer_left_is_found_as_orphans(open_store: Opener, run_killed: Callable[..., str]) -> None:
    run_killed('put(store, b"a"); store.sync(); store.spill([b"half" * 9000])', "blobs.before_rename")
    reader = open_store(read_only=True)
    left = dict(reader.orphans([]))
    assert 36_000 in left.values()
    for orphan in left:
        reader.remove(orphan)
    assert dict(reader.orphans([])) == {}


def test_a_writer_that_ends_while_gc_reads_the_rows_loses_nothing(open_store: Opener) -> None:
    reader, late = open_store(read_only=True), open_store("late")

    def rows() -> Iterator[tuple[bytes, Location]]:
        put(late, b"its row comes too late for this reading of the rows")
        late.close()
        yield from ()

    assert dict(reader.orphans(rows())) == {}
