"""What only the blob store in S3 has to stand: other machines, damaged objects, a full cache, a server that goes."""

import hashlib
import os
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path
from urllib.error import HTTPError

import pytest
from tests.support import aws
from tests.support.proxy import Proxy

from redwell.adapters.s3 import cache as caches
from redwell.adapters.s3.objects import Objects
from redwell.adapters.s3.store import S3Blobs, Sizes
from redwell.core.blobs import Location
from redwell.core.errors import Permanent, ServiceUnavailable, UserError

Opener = Callable[..., S3Blobs]


@pytest.fixture
def proxy(monkeypatch: pytest.MonkeyPatch) -> Iterator[Proxy]:
    with Proxy(aws.server().port) as opened:
        for key, value in aws.server().environment(opened.port).items():
            monkeypatch.setenv(key, value)
        yield opened


@pytest.fixture
def objects(proxy: Proxy) -> Objects:
    return Objects(f"s3://{aws.server().new_bucket()}/cases/7")


@pytest.fixture
def open_store(objects: Objects, tmp_path: Path) -> Iterator[Opener]:
    """Each machine has a folder of its own; the bucket is one."""
    with ExitStack() as stack:

        def opener(machine: str = "here", writer: str = "w1", cache: int = 1 << 30) -> S3Blobs:
            store = S3Blobs(tmp_path / machine, writer, objects, Sizes(small=1000, cache=cache))
            stack.callback(store.close)
            return store

        yield opener


def put(store: S3Blobs, data: bytes) -> tuple[bytes, Location]:
    sha256 = hashlib.sha256(data).digest()
    return sha256, store.append(sha256, data)


def spill(store: S3Blobs, data: bytes) -> tuple[bytes, Location]:
    stored = store.spill([data])
    return stored.digests.sha256, stored.location


def test_what_one_machine_has_synced_another_reads_and_places(open_store: Opener) -> None:
    store, other = open_store(), open_store("there", "w2")
    rows = {put(store, b"small" * n): b"small" * n for n in range(9)} | {spill(store, b"L" * 5000): b"L" * 5000}
    store.sync()
    for (sha256, location), data in rows.items():
        assert other.read(sha256, location) == data
        with other.open(sha256, location) as stream:
            assert stream.read() == data
    for (sha256, location), data in rows.items():
        path, offset = other.place(sha256, location)
        assert path.read_bytes()[offset : offset + location.length] == data
        assert path.is_relative_to(other._blobs.path)
        assert other.read(sha256, location) == data


def test_a_large_object_is_read_in_ranges(open_store: Opener) -> None:
    store, other = open_store(), open_store("there", "w2")
    data = os.urandom(3_000_000)
    row = spill(store, data)
    store.sync()
    with other.open(*row) as stream:
        stream.seek(2_000_000)
        assert stream.read(10) == data[2_000_000:2_000_010]
        stream.seek(-5, os.SEEK_END)
        assert stream.read() == data[-5:]


def test_an_object_of_many_parts_arrives_whole(open_store: Opener) -> None:
    store, other = open_store(), open_store("there", "w2")
    data = os.urandom(1 << 20) * 40  # three parts
    row = spill(store, data)
    store.sync()
    path, _ = other.place(*row)
    assert hashlib.sha256(path.read_bytes()).digest() == row[0]


def test_a_sync_is_one_object_however_many_small_blobs_it_has(open_store: Opener, objects: Objects) -> None:
    store = open_store()
    for n in range(100):
        put(store, b"%d" % n)
    store.sync()
    assert [name for name, _ in objects.names("packs/")] == ["packs/w1-1.pack"]
    store.sync()
    put(store, b"more")
    store.sync()
    assert [name for name, _ in objects.names("packs/")] == ["packs/w1-1.pack", "packs/w1-2.pack"]


def test_a_damaged_object_is_not_given_to_a_child(open_store: Opener, objects: Objects) -> None:
    store, other = open_store(), open_store("there", "w2")
    good, bad, large = put(store, b"good"), put(store, b"bad"), spill(store, b"L" * 5000)
    store.sync()
    pack, key = "packs/w1-1.pack", f"files/{large[0].hex()[:2]}/{large[0].hex()}"
    damaged = objects.read(pack).replace(b"bad", b"BAD")
    objects.delete(pack)
    objects.put_new(pack, damaged)
    objects.delete(key)
    objects.put_new(key, b"l" * 5000)
    path, offset = other.place(*good)
    assert path.read_bytes()[offset : offset + 4] == b"good"
    for row in (bad, large):
        with pytest.raises(Permanent, match="redwell verify"):
            other.place(*row)


def test_an_object_of_other_bytes_is_never_replaced(open_store: Opener, objects: Objects) -> None:
    store = open_store()
    put(store, b"first")
    objects.put_new("packs/w1-1.pack", b"somebody else's")
    with pytest.raises(Permanent, match="other bytes"):
        store.sync()
    assert objects.read("packs/w1-1.pack") == b"somebody else's"


def test_bytes_that_are_not_there_are_named_on_another_machine_too(open_store: Opener) -> None:
    store, other = open_store(), open_store("there", "w2")
    small, large = put(store, b"here"), spill(store, b"x" * 2000)
    store.sync()
    wrong = [
        (small[0], Location(small[1].pack, small[1].offset, 5)),
        (small[0], Location(small[1].pack, 10_000, 5)),
        (small[0], Location("nobody-7", 16, 4)),
        (small[0], Location("../7", 16, 4)),
        (small[0], Location("", 0, 4)),
        (large[0], Location("", 0, 2001)),
    ]
    for row in wrong:
        with pytest.raises(Permanent):
            other.read(*row)


def test_the_cache_is_bounded_but_for_what_may_be_in_use(
    open_store: Opener, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    store = open_store()
    rows = [spill(store, b"%d" % n * 5000) for n in range(5)]
    store.sync()
    there = open_store("there", "w2", cache=10_000)
    placed = [there.place(*row)[0] for row in rows]
    assert all(path.exists() for path in placed)
    monkeypatch.setattr(caches, "KEPT_S", 0)
    there.place(*rows[0])
    there._cache.unpin("")
    assert [path.exists() for path in placed] == [True, False, False, False, True]
    assert there.read(*rows[1]) == b"1" * 5000


def test_a_cut_connection_costs_nothing(open_store: Opener, proxy: Proxy) -> None:
    store, other = open_store(), open_store("there", "w2")
    rows = []
    for n in range(6):
        rows.append((put(store, b"%d" % n), b"%d" % n))
        proxy.cut()
        store.sync()
    for row, data in rows:
        proxy.cut()
        assert other.read(*row) == data


def test_a_server_that_is_away_is_named_and_a_later_sync_keeps_everything(open_store: Opener, proxy: Proxy) -> None:
    store = open_store()
    proxy.refusing = True
    proxy.cut()
    row = spill(store, b"x" * 5000)
    with pytest.raises(ServiceUnavailable, match="cannot be reached"):
        store.sync()
    proxy.refusing = False
    store.sync()
    assert open_store("there", "w2").read(*row) == b"x" * 5000


@pytest.mark.requirement("E3")
def test_a_signed_link_leads_to_a_large_blob_for_a_while(open_store: Opener) -> None:
    """Signed URLs, 7 days at most."""
    store = open_store()
    small, large = put(store, b"small"), spill(store, b"L" * 5000)
    store.sync()
    link = store.link(*large, timedelta(minutes=5))
    assert link is not None
    with urllib.request.urlopen(link) as answer:
        assert answer.read() == b"L" * 5000
    assert store.link(*small, timedelta(minutes=5)) is None
    with pytest.raises(ValueError, match="7 days"):
        store.link(*large, timedelta(days=8))
    with pytest.raises(HTTPError) as refused:
        urllib.request.urlopen(link.replace("X-Amz-Expires=300", "X-Amz-Expires=9000"))
    refused.value.close()


@pytest.mark.parametrize("url", ["", "bucket", "file:///tmp", "s3://", "s3://bucket/x?endpoint=y"])
def test_a_place_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(UserError, match="s3://bucket/prefix"):
        Objects(url)


def test_what_a_killed_process_left_in_its_cache_goes_with_the_next(open_store: Opener, tmp_path: Path) -> None:
    left = tmp_path / "here" / "blobs" / "cache" / "killed" / "new-1"
    left.parent.mkdir(parents=True)
    left.write_bytes(b"half")
    running = open_store(writer="w1")
    kept, _ = running.place(*spill(running, b"x" * 5000))
    open_store(writer="w2")
    assert not left.parent.exists()
    assert kept.exists()
