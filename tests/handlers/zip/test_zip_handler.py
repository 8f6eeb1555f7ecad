"""An archive gives every member with its exact bytes, under limits that hold whatever it declares."""

import base64
import io
import random
import struct
import warnings
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path

import pytest
from backports import zstd
from tests.support.pieces import Pieces, read
from tests.support.volume_files import named_zip, split_zip

from redwell.core.errors import InvalidFile, PasswordProtected, Unsupported
from redwell.core.handler import Volume
from redwell.core.outcomes import Code, Outcome
from redwell.core.work.volumes import LAST
from redwell.handlers.unpacking import size_limits
from redwell.handlers.zip import zip as archive

pytestmark = pytest.mark.requirement("A7", "A20")

NOTE = b"the settlement is four million\n" * 3
# NOTE as 7-Zip and Info-ZIP protect it with the password "correct", and as 7-Zip packs it with Deflate64.
AES_256 = base64.b64decode(
    "UEsDBDMAAQBjAMewb10AAAAARAAAAF0AAAAIAAsAbm90ZS50eHQBmQcAAgBBRQMIAJ31PyHRRhKljiUsN48EtXRnb7GmhuHB/Ds1DNP1EWh9Lulw"
    "SlUORGh7Hn9NP890xuPvzDA5Kvkezc9DvKzaBAxJUdDhUEsBAj8DMwABAGMAx7BvXQAAAABEAAAAXQAAAAgALwAAAAAAAAAggKSBAAAAAG5vdGUu"
    "dHh0CgAgAAAAAAABABgAlF/xhk113QEAAAAAAAAAAAAAAAAAAAAAAZkHAAIAQUUDCABQSwUGAAAAAAEAAQBlAAAAdQAAAAAA"
)
AES_128 = base64.b64decode(
    "UEsDBDMAAQBjAMewb10AAAAAPAAAAF0AAAAIAAsAbm90ZS50eHQBmQcAAgBBRQEIAIthMoIMcqpKeBr2sOsl37J1Ltt00ttOag5eMmHUsigsOBa3"
    "RgPLp82Xgyy2QQfl5ZC4fJAttyptnF5tHlBLAQI/AzMAAQBjAMewb10AAAAAPAAAAF0AAAAIAC8AAAAAAAAAIICkgQAAAABub3RlLnR4dAoAIAAA"
    "AAAAAQAYAJRf8YZNdd0BAAAAAAAAAAAAAAAAAAAAAAGZBwACAEFFAQgAUEsFBgAAAAABAAEAZQAAAG0AAAAAAA=="
)
OLD_CIPHER = base64.b64decode(
    "UEsDBBQACQAIAMawb10V0DuVMAAAAF0AAAAIABwAbm90ZS50eHRVVAkAA9Qs+mrULPpqdXgLAAEEAAAAAAQAAAAAgnNd40LriAfb/KH62OvZtRZr"
    "MoqWscqKsGgYqomR99MJ5FNS1ZH9PyprwJX5wRnWUEsHCBXQO5UwAAAAXQAAAFBLAQIeAxQACQAIAMawb10V0DuVMAAAAF0AAAAIABgAAAAAAAEA"
    "AACkgQAAAABub3RlLnR4dFVUBQAD1Cz6anV4CwABBAAAAAAEAAAAAFBLBQYAAAAAAQABAE4AAACCAAAAAAA="
)
DEFLATE_64 = base64.b64decode(
    "UEsDBBUAAAAJAMewb10V0DuVKAAAAF0AAAAIAAAAbm90ZS50eHSlybkNACAMA8CeKbycEZHySMTszxC59nSIpuQMpmCNXe8izN0q16w/UEsBAj8D"
    "FQAAAAkAx7BvXRXQO5UoAAAAXQAAAAgAJAAAAAAAAAAggKSBAAAAAG5vdGUudHh0CgAgAAAAAAABABgAlF/xhk113QEAAAAAAAAAAAAAAAAAAAAA"
    "UEsFBgAAAAABAAEAWgAAAE4AAAAAAA=="
)


def packed(files: Mapping[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as writer:
        for name, content in files.items():
            writer.writestr(name, content)
    return out.getvalue()


def streamed(files: Mapping[str, bytes]) -> bytes:
    """An archive written without seeking: sizes come behind the data."""

    class Pipe(io.BytesIO):
        def seekable(self) -> bool:
            return False

        def seek(self, *_: object) -> int:
            raise OSError

        def tell(self) -> int:
            raise OSError

    out = Pipe()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as writer:
        for name, content in files.items():
            writer.writestr(name, content)
    return out.getvalue()


def taken(data: bytes, tmp_path: Path, **options: object) -> Pieces:
    return read(archive, data, tmp_path, name="sample.zip", media_type="application/zip", **options)


def with_names(data: bytes, old: bytes, new: bytes) -> bytes:
    assert len(old) == len(new)
    return data.replace(old, new)


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_members_come_out_byte_for_byte(method: int, tmp_path: Path) -> None:
    files = {f"folder/file {size}.bin": random.Random(size).randbytes(size) for size in (0, 1, 70_000, 1_500_000)}
    pieces = taken(packed(files, method), tmp_path)
    assert dict(zip(pieces.names, pieces.contents.values(), strict=True)) == files
    assert (pieces.opened, pieces.declared) == (["0", "1", "2", "3"], 4)
    assert isinstance(pieces.children["3"].data, Path)
    assert list(tmp_path.iterdir()) == []


def test_two_members_of_one_name_are_two_children(tmp_path: Path) -> None:
    out = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(out, "w") as writer:
        warnings.simplefilter("ignore")
        writer.writestr("same.txt", b"first")
        writer.writestr("same.txt", b"second")
    pieces = taken(out.getvalue(), tmp_path)
    assert pieces.names == ["same.txt", "same.txt"]
    assert pieces.contents == {"0": b"first", "1": b"second"}


def test_folders_are_counted_and_are_no_documents(tmp_path: Path) -> None:
    pieces = taken(packed({"a/": b"", "a/b.txt": b"x"}), tmp_path)
    assert (pieces.skipped, pieces.names, pieces.declared) == (["0"], ["a/b.txt"], 2)


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("../../etc/passwd", "etc/passwd"),
        ("/absolute/file", "absolute/file"),
        ("a/../../b", "a/b"),
        ("dir\\file.txt", "dir/file.txt"),
        ("..", "member 0"),
        ("line\nbreak", "line\ufffdbreak"),
    ],
)
def test_a_name_leads_nowhere_outside(written: str, shown: str, tmp_path: Path) -> None:
    assert taken(packed({written: b"x"}), tmp_path).names == [shown]


@pytest.mark.parametrize(
    ("encoding", "name"),
    [
        ("utf-8", "Größe €.txt"),
        ("cp437", "Ölfässer.txt"),
        ("shift_jis", "契約書の写し.txt"),
        ("cp866", "Договор поставки.txt"),
        ("gb18030", "供货合同草案.txt"),
    ],
)
def test_names_without_a_told_encoding_are_read(encoding: str, name: str, tmp_path: Path) -> None:
    raw = name.encode(encoding)
    data = with_names(packed({"x" * len(raw): b"content"}), b"x" * len(raw), raw)
    assert taken(data, tmp_path).names == [name]


def test_the_unicode_name_in_an_extra_field_wins(tmp_path: Path) -> None:
    info = zipfile.ZipInfo("plain.txt")
    field = b"\x01" + struct.pack("<L", zlib.crc32(b"plain.txt")) + "€.txt".encode()
    info.extra = struct.pack("<HH", 0x7075, len(field)) + field
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as writer:
        writer.writestr(info, b"x")
    assert taken(out.getvalue(), tmp_path).names == ["€.txt"]


def test_the_time_of_a_member_is_told_with_its_zone_only_where_it_has_one(tmp_path: Path) -> None:
    plain, stamped = zipfile.ZipInfo("a", (2001, 2, 3, 4, 5, 6)), zipfile.ZipInfo("b", (2001, 2, 3, 4, 5, 6))
    stamped.extra = struct.pack("<HHBl", 0x5455, 5, 1, 981_173_106)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as writer:
        writer.writestr(plain, b"x")
        writer.writestr(stamped, b"x")
    children = taken(out.getvalue(), tmp_path).children
    assert [child.metadata["file_modified"] for child in children.values()] == [
        "2001-02-03T04:05:06",
        "2001-02-03T04:05:06Z",
    ]


@pytest.mark.parametrize("data", [AES_256, AES_128, OLD_CIPHER])
def test_a_protected_archive_opens_with_its_password_alone(data: bytes, tmp_path: Path) -> None:
    closed = taken(data, tmp_path)
    assert isinstance(closed.error, PasswordProtected)
    assert closed.lost["0"].outcome is Outcome.PASSWORD_PROTECTED
    assert isinstance(taken(data, tmp_path, passwords=("wrong", "also wrong")).error, PasswordProtected)
    opened = taken(data, tmp_path, passwords=("wrong", "correct"))
    assert opened.passwords.has_opened
    assert (opened.contents, opened.error) == ({"0": NOTE}, None)


def test_a_changed_byte_in_an_encrypted_member_is_found(tmp_path: Path) -> None:
    at = AES_256.index(b"note.txt") + 8 + 11 + 16 + 2 + 5
    broken = AES_256[:at] + bytes((AES_256[at] ^ 1,)) + AES_256[at + 1 :]
    pieces = taken(broken, tmp_path, passwords=("correct",))
    assert (pieces.contents, pieces.lost["0"].outcome) == ({}, Outcome.INVALID_FILE)


def test_open_members_of_a_partly_protected_archive_are_taken_out(tmp_path: Path) -> None:
    both = bytearray(packed({"open.txt": b"open", "closed.txt": b"closed"}))
    at = both.index(b"PK\x01\x02", both.index(b"PK\x01\x02") + 1)
    both[at + 8] |= 1
    pieces = taken(bytes(both), tmp_path)
    assert pieces.contents == {"0": b"open"}
    assert pieces.lost["1"].outcome is Outcome.PASSWORD_PROTECTED
    assert isinstance(pieces.error, PasswordProtected)


def test_a_damaged_member_costs_that_member_alone(tmp_path: Path) -> None:
    files = {"a": b"alpha" * 50, "b": random.Random(1).randbytes(500), "c": b"gamma" * 50}
    data = bytearray(packed(files, zipfile.ZIP_STORED))
    data[data.index(files["b"]) + 7] ^= 0xFF
    pieces = taken(bytes(data), tmp_path)
    assert pieces.contents == {"0": files["a"], "2": files["c"]}
    assert pieces.lost["1"].outcome is Outcome.INVALID_FILE
    assert pieces.error is None


def test_a_method_that_is_not_read_is_named(tmp_path: Path) -> None:
    pieces = taken(packed_by(2, b"reduced", NOTE), tmp_path)
    assert pieces.lost["0"].outcome is Outcome.UNSUPPORTED
    assert isinstance(pieces.error, Unsupported)


@pytest.mark.parametrize("write", [packed, streamed])
def test_a_cut_off_archive_gives_the_members_that_are_whole(write: object, tmp_path: Path) -> None:
    files = {name: random.Random(name).randbytes(5_000) for name in ("one", "two", "three")}
    data = write(files)  # type: ignore[operator]
    pieces = taken(data[: data.index(b"three") + 2_000], tmp_path)
    assert pieces.contents == {"0": files["one"], "1": files["two"]}
    assert pieces.lost["2"].outcome is Outcome.INVALID_FILE
    assert pieces.declared is None
    assert pieces.troubles[0].code is Code.FILE_MISSING_OR_INCOMPLETE


def test_a_directory_that_breaks_off_costs_no_member(tmp_path: Path) -> None:
    data = packed({f"{n}.txt": NOTE for n in range(3)})
    second = data.index(b"PK\x01\x02", data.index(b"PK\x01\x02") + 1)
    pieces = read(archive, data[:second] + b"XX" + data[second + 2 :], tmp_path)
    assert pieces.names == ["0.txt", "1.txt", "2.txt"]
    assert [trouble.code for trouble in pieces.troubles] == [Code.FILE_MISSING_OR_INCOMPLETE]


def test_an_archive_behind_other_bytes_is_read(tmp_path: Path) -> None:
    assert taken(b"MZ stub " * 500 + packed({"a": b"inside"}), tmp_path).contents == {"0": b"inside"}


def test_members_in_another_volume_are_named(tmp_path: Path) -> None:
    data = bytearray(packed({"a": b"x", "b": b"y"}))
    first, end = data.index(b"PK\x01\x02"), data.index(b"PK\x05\x06")
    second = data.index(b"PK\x01\x02", first + 1)
    struct.pack_into("<H", data, second + 34, 1)
    struct.pack_into("<HH", data, end + 4, 1, 1)
    pieces = taken(bytes(data), tmp_path)
    assert "volume" in pieces.lost["0"].detail
    assert pieces.contents == {"1": b"y"}


def bounds(volumes: dict[str, bytes]) -> tuple[Volume, ...]:
    numbers = {name: LAST if name.endswith("zip") else int(name[-2:]) for name in volumes}
    return tuple(Volume(number=numbers[n], suffix=n[-4:], size=len(data)) for n, data in volumes.items())


def test_a_split_archive_gives_members_that_go_on_in_the_next_volume(tmp_path: Path) -> None:
    members = {f"{n}.txt": random.Random(n).randbytes(700) for n in range(9)}
    volumes = named_zip("a", split_zip(members, 1000))
    assert len(volumes) > 5
    pieces = taken(b"".join(volumes.values()), tmp_path, volumes=bounds(volumes))
    assert list(pieces.contents.values()) == list(members.values())
    assert (pieces.error, pieces.troubles, pieces.declared) == (None, [], 9)


def test_a_split_archive_without_its_last_but_one_volumes_names_them(tmp_path: Path) -> None:
    members = {f"{n}.txt": random.Random(n).randbytes(700) for n in range(9)}
    volumes = named_zip("a", split_zip(members, 1000))
    left = {name: volumes[name] for name in ("a.z01", "a.z02", "a.zip")}
    pieces = taken(b"".join(left.values()), tmp_path, volumes=bounds(left))
    assert [trouble.detail for trouble in pieces.troubles] == [
        f"the volumes .z03 to .z{len(volumes) - 1:02} are missing"
    ]
    assert pieces.contents["0"] == members["0.txt"] and "begins in the volume .z0" in pieces.lost["5"].detail


def test_bytes_that_are_no_archive_are_invalid(tmp_path: Path) -> None:
    assert isinstance(taken(b"PK\x03\x04", tmp_path).error, InvalidFile)
    assert isinstance(taken(b"not an archive at all", tmp_path).error, InvalidFile)


def test_an_archive_without_members_is_no_error(tmp_path: Path) -> None:
    pieces = taken(packed({}), tmp_path)
    assert (pieces.error, pieces.declared, pieces.opened) == (None, 0, [])


def test_a_member_over_the_limit_is_left_out_whatever_it_declares(tmp_path: Path) -> None:
    data = packed({"small": b"s" * 10, "large": b"L" * 50_000, "last": b"z" * 10})
    lied = data.replace(struct.pack("<L", 50_000), struct.pack("<L", 10))
    pieces = taken(lied, tmp_path, max_member_bytes=1_000)
    assert list(pieces.contents) == ["0", "2"]
    assert (pieces.lost["1"].outcome, "max_member_mb" in pieces.lost["1"].detail) == (Outcome.TOO_LARGE, True)


@pytest.mark.parametrize(
    ("limit", "value"), [("max_total_bytes", 2_500_000), ("max_ratio", 300)], ids=["total", "ratio"]
)
def test_a_bomb_ends_at_the_limit_and_what_was_taken_is_kept(
    limit: str, value: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(size_limits, "_RATIO_FREE", 1 << 20)
    data = packed({f"{number}.bin": b"\0" * 1_000_000 for number in range(10)})
    pieces = taken(data, tmp_path, **{limit: value})
    assert 0 < len(pieces.contents) < 10
    assert pieces.lost[str(len(pieces.contents))].outcome is Outcome.TOO_LARGE
    [trouble] = pieces.troubles
    assert trouble.code is Code.LIMIT_REACHED and limit.removesuffix("_bytes") in trouble.detail
    assert list(tmp_path.iterdir()) == []


def test_members_that_share_their_bytes_are_caught_by_the_limits(tmp_path: Path) -> None:
    data = packed({"a": b"\0" * 2_000_000})
    start, end = data.index(b"PK\x01\x02"), data.index(b"PK\x05\x06")
    record = data[start:end] * 500
    tail = bytearray(data[end:])
    struct.pack_into("<HHL", tail, 8, 500, 500, len(record))
    pieces = taken(data[:start] + record + bytes(tail), tmp_path, max_ratio=1_000)
    assert len(pieces.contents) < 100
    assert pieces.troubles[-1].code is Code.LIMIT_REACHED


def test_members_over_the_count_are_named(tmp_path: Path) -> None:
    pieces = taken(packed({str(number): b"x" for number in range(30)}), tmp_path, max_members=20)
    assert (len(pieces.contents), pieces.declared) == (20, 30)
    assert [(trouble.code, "max_members" in trouble.detail) for trouble in pieces.troubles] == [
        (Code.LIMIT_REACHED, True)
    ]


def test_seventy_thousand_members_are_declared_and_listed(tmp_path: Path) -> None:
    pieces = taken(packed({str(number): b"" for number in range(70_000)}, zipfile.ZIP_STORED), tmp_path)
    assert (pieces.declared, len(pieces.contents), pieces.names[-1]) == (70_000, 70_000, "69999")


@pytest.mark.requirement("A11")
def test_reading_goes_on_behind_a_settled_member_and_skips_one_that_kills(tmp_path: Path) -> None:
    data = packed({str(number): b"x" for number in range(6)})
    pieces = taken(data, tmp_path, after="2", skip=frozenset({"4"}))
    assert pieces.opened == list(pieces.contents) == ["3", "5"]


@pytest.mark.parametrize("seed", range(30))
def test_flipped_bytes_end_in_named_outcomes(seed: int, tmp_path: Path) -> None:
    data = bytearray(packed({f"{number}.txt": b"some text " * 40 for number in range(5)}))
    chance = random.Random(seed)
    for _ in range(8):
        data[chance.randrange(len(data))] = chance.randrange(256)
    pieces = taken(bytes(data), tmp_path, passwords=("p",))
    assert all(content == b"some text " * 40 for content in pieces.contents.values())
    assert list(tmp_path.iterdir()) == []


PPMD = base64.b64decode(
    "UEsDBD8AAABiAEcFcF0V0DuVJQAAAF0AAAAIAAAAbm90ZS50eHQHAHPybyzooSy/bqoH1Y7jo2sF437wmvQbOlfNH8+ttby/WFMAUEsBAj8DPwAA"
    "AGIARwVwXRXQO5UlAAAAXQAAAAgAJAAAAAAAAAAggKSBAAAAAG5vdGUudHh0CgAgAAAAAAABABgAlZaDUmN13QEAAAAAAAAAAAAAAAAAAAAAUEsF"
    "BgAAAAABAAEAWgAAAEsAAAAAAA=="
)


def packed_by(method: int, data: bytes, content: bytes, flags: int = 0) -> bytes:
    """An archive of one member, whose packed bytes are at hand."""
    whole = bytearray(packed({"note.txt": data}, zipfile.ZIP_STORED))
    for at, crc_at in ((0, 14), (whole.index(b"PK\x01\x02"), 16)):
        shift = 2 if at else 0
        whole[at + 6 + shift : at + 10 + shift] = struct.pack("<HH", flags, method)
        whole[at + crc_at : at + crc_at + 4] = struct.pack("<I", zlib.crc32(content))
        whole[at + crc_at + 8 : at + crc_at + 12] = struct.pack("<I", len(content))
    return bytes(whole)


def bits(*fields: tuple[int, int]) -> bytes:
    """Numbers of so many bits each, lowest bit first."""
    value = at = 0
    for number, width in fields:
        value, at = value | number << at, at + width
    return value.to_bytes(-(-at // 8), "little")


def flat_code(symbol: int) -> tuple[int, int]:
    """In a table where all 64 codes have six bits."""
    return int(f"{symbol:06b}"[::-1], 2) ^ 63, 6


FLAT_TABLE = [(3, 8), *[(0xF5, 8)] * 4]


def test_deflate64_ppmd_and_zstd_are_read(tmp_path: Path) -> None:
    by_zstd = packed_by(93, zstd.compress(NOTE), NOTE)
    assert [taken(data, tmp_path).contents for data in (DEFLATE_64, PPMD, by_zstd)] == [{"0": NOTE}] * 3


def test_imploded_members_are_read(tmp_path: Path) -> None:
    """Two literals, then 2 + 61 + 8 bytes from two bytes back."""
    literals = [field for byte in b"ab" for field in ((1, 1), (byte, 8))]
    match = [(0, 1), (1, 6), flat_code(0), flat_code(63), (8, 8)]
    data = bits(*FLAT_TABLE, *FLAT_TABLE, *literals, *match)
    content = (b"ab" * 40)[: 2 + 63 + 8 + 2]
    assert taken(packed_by(6, data, content), tmp_path).contents == {"0": content}
    assert taken(packed_by(6, data[:-3], content), tmp_path).lost["0"].outcome is Outcome.INVALID_FILE
    assert taken(packed_by(6, bytes(20), content), tmp_path).lost["0"].outcome is Outcome.INVALID_FILE


def test_shrunk_members_are_read(tmp_path: Path) -> None:
    """A code before it is known, a wider code, and a table that is cleared in part."""
    data = bits(*((code, 9) for code in (97, 98, 257, 259, 256, 2, 99, 100, 259, 256, 1)), (101, 10))
    content = b"ab" + b"ab" + b"aba" + b"cd" + b"cd" + b"e"
    assert taken(packed_by(1, data, content), tmp_path).contents == {"0": content}
    assert taken(packed_by(1, bits((300, 9)), content), tmp_path).lost["0"].outcome is Outcome.INVALID_FILE


def test_a_damaged_zstd_member_is_invalid(tmp_path: Path) -> None:
    pieces = taken(packed_by(93, b"no zstd at all", NOTE), tmp_path)
    assert pieces.lost["0"].outcome is Outcome.INVALID_FILE


def test_the_comment_is_a_field(tmp_path: Path) -> None:
    out = io.BytesIO(packed({"note.txt": NOTE}))
    with zipfile.ZipFile(out, "a") as writer:
        writer.comment = "Protokolle für 2020".encode()
    pieces = read(archive, out.getvalue(), tmp_path)
    assert list(pieces.contents.values()) == [NOTE] and pieces.metadata == {"comments": "Protokolle für 2020"}


def test_a_member_that_is_packed_very_well_comes_out_whole(tmp_path: Path) -> None:
    """A few bits at its end stand for kilobytes."""
    for size in range(1 << 18, (1 << 18) + 300, 20):
        assert taken(packed({"zeros": bytes(size)}), tmp_path).contents == {"0": bytes(size)}


def test_bytes_that_came_between_members_cost_none_of_them(tmp_path: Path) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as made:
        made.writestr("first.txt", b"first")
        made.writestr("second.txt", b"second")
    data = out.getvalue()
    between = data.index(b"PK\x03\x04", 4)
    pieces = read(archive, data[:between] + b"sixteen bytes...." + data[between:], tmp_path)
    assert (list(pieces.contents.values()), pieces.lost) == ([b"first", b"second"], {})
