"""A compressed file is the file in it, or the members of the TAR in it; a look inside decides."""

import bz2
import gzip
import io
import lzma
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from backports import zstd
from tests.support.libarchive_files import made
from tests.support.pieces import Pieces, read

from redwell.core.errors import InvalidFile
from redwell.core.outcomes import Code
from redwell.handlers.archives import compressed
from redwell.handlers.unpacking import size_limits

pytestmark = pytest.mark.requirement("A7", "A20")

Pack = Callable[[bytes], bytes]
NOTE = b"the settlement is four million\n" * 40
FILES = {"a.txt": NOTE, "b/c.txt": b"clause"}
FILTERS = ["gzip", "bzip2", "xz", "lzma", "lzip", "lz4", "zstd", "compress"]


def taken(data: bytes, tmp_path: Path, **options: object) -> Pieces:
    return read(compressed, data, tmp_path, **options)


@pytest.mark.parametrize("by", FILTERS)
@pytest.mark.parametrize("kind", ["gnutar", "cpio_newc"])
def test_a_packed_archive_gives_its_members(by: str, kind: str, tmp_path: Path) -> None:
    pieces = taken(made(kind, FILES, by), tmp_path)
    assert {pieces.children[key].name: content for key, content in pieces.contents.items()} == FILES
    assert pieces.error is None


def alone(data: bytes) -> bytes:
    return lzma.compress(data, lzma.FORMAT_ALONE)


@pytest.mark.parametrize("pack", [bz2.compress, lzma.compress, alone, zstd.compress])
def test_a_packed_file_is_the_one_member_and_called_as_its_container(pack: Pack, tmp_path: Path) -> None:
    pieces = taken(pack(NOTE), tmp_path)
    assert (pieces.contents, pieces.names, pieces.error) == ({"0": NOTE}, [""], None)


def test_gzip_tells_the_name_and_the_time(tmp_path: Path) -> None:
    out = io.BytesIO()
    with gzip.GzipFile("dir/minutes.csv", "wb", fileobj=out, mtime=1_600_000_000) as file:
        file.write(NOTE)
    child = taken(out.getvalue(), tmp_path).children["0"]
    assert (child.name, child.metadata) == ("minutes.csv", {"file_modified": "2020-09-13T12:26:40Z"})


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_joined_streams_are_one_file(pack: Pack, tmp_path: Path) -> None:
    assert taken(pack(b"first ") + pack(b"second"), tmp_path).contents == {"0": b"first second"}


def test_frames_that_mean_nothing_here_are_passed_over(tmp_path: Path) -> None:
    """As pzstd writes them before each part."""
    note = b"\x50\x2a\x4d\x18\x04\0\0\0note"
    packed = note + zstd.compress(b"first ") + note + note + zstd.compress(b"second") + note
    assert taken(packed, tmp_path).contents == {"0": b"first second"}


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_what_is_packed_twice_is_unpacked_once(pack: Pack, tmp_path: Path) -> None:
    assert taken(pack(gzip.compress(NOTE, mtime=1)), tmp_path).contents == {"0": gzip.compress(NOTE, mtime=1)}


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_an_empty_file_comes_out_empty(pack: Pack, tmp_path: Path) -> None:
    assert taken(pack(b""), tmp_path).contents == {"0": b""}


LZ4 = bytes.fromhex("04224d186440a700000000055dcc02")  # as lz4 packs nothing, with a checksum
NOTHING = {
    "lz4": LZ4,
    "lz4 without a checksum": bytes.fromhex("04224d1860408200000000"),
    "lz4 that tells the size": bytes.fromhex("04224d18684000000000000000000100000000"),
    "lz4 of old": bytes.fromhex("02214c18"),
    "lz4 twice, with a note between": LZ4 + b"\x50\x2a\x4d\x18\x04\0\0\0note" + LZ4,
    "lzip": bytes.fromhex("4c5a495001170083fffbffffc00000000000000000000000000000002400000000000000"),
    "compress": bytes.fromhex("1f9d90"),
}


@pytest.mark.parametrize("kind", NOTHING)
def test_an_empty_file_comes_out_empty_of_formats_that_libarchive_reads_too(kind: str, tmp_path: Path) -> None:
    pieces = taken(NOTHING[kind], tmp_path)
    assert (pieces.contents, pieces.error) == ({"0": b""}, None)


@pytest.mark.parametrize("kind", sorted(set(NOTHING) - {"lz4 of old", "compress"}))
def test_an_empty_file_that_is_cut_off_is_invalid(kind: str, tmp_path: Path) -> None:
    assert isinstance(taken(NOTHING[kind][:-1], tmp_path).error, InvalidFile)


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_a_cut_off_file_is_invalid(pack: Pack, tmp_path: Path) -> None:
    whole = pack(random.Random(1).randbytes(20_000))
    pieces = taken(whole[: len(whole) // 2], tmp_path)
    assert isinstance(pieces.error, InvalidFile) and not pieces.contents


def test_a_bomb_ends_at_the_ratio(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(size_limits, "_RATIO_FREE", 1 << 20)
    pieces = taken(bz2.compress(bytes(8 << 20)), tmp_path, max_ratio=10)
    assert [t.code for t in pieces.troubles] == [Code.LIMIT_REACHED] and "max_ratio=10" in pieces.troubles[0].detail
    assert list(tmp_path.iterdir()) == []


def test_what_is_small_is_no_bomb_however_well_it_is_packed(tmp_path: Path) -> None:
    assert taken(bz2.compress(bytes(4 << 20)), tmp_path).contents == {"0": bytes(4 << 20)}
