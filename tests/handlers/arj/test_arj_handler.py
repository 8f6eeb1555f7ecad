"""ARJ archives, packed and garbled ones too."""

import base64
import struct
import zlib
from pathlib import Path

import pytest
from tests.support.pieces import Pieces, read

from redwell.core.errors import InvalidFile, PasswordProtected
from redwell.core.handler import Volume
from redwell.core.outcomes import Outcome
from redwell.handlers.archives import arj

pytestmark = pytest.mark.requirement("A7", "A20")

VALVE = b"valve coating\n" * 40
# VALVE and "four" as ARJ packs them, and VALVE with the password "correct"
PACKED = base64.b64decode(
    "YOopACILAQIQAAIa9VL6avVS+moAAAAAAAAAAAAAAAAAAAAAAABzLmFyagAA8sXYtQAAYOo1AC4LAQIQAQD1tVL6ah8AAAAwAgAAnbkeLwAApB"
    "EAAAAAAAC1UvpqtVL6agAAAAB2LnR4dAAApcszdAAAABFCimp/uf0A+izEREEVwxlKSycAhFF/tg2bjyqvUGDqNQAuCwECEAAA9bVS+moEAAAA"
    "BAAAAH1mwZAAAKQRAAAAAAAAtVL6arVS+moAAAAAZi50eHQAACg2lBYAAGZvdXJg6gAA"
)
GARBLED = base64.b64decode(
    "YOoqACILAQIRAAIAtVL6arVS+moAAAAAAAAAAAAAAAABAAAAAABzZy5hcmoAAHGwWAYAAGDqNQAuCwECEQEAtbVS+mofAAAAMAIAAJ25Hi8AAK"
    "QRAAAAAAAAtVL6arVS+moAAAAAdi50eHQAAKVujtMAABg1Za1wZ5DlJN0L3lxoDec+bVE/KZx1WJEXg6Yyi3dg6gAA"
)


def taken(data: bytes, tmp_path: Path, **options: object) -> Pieces:
    return read(arj, data, tmp_path, name="sample.arj", **options)


def block(
    name: bytes,
    content: bytes = b"",
    *,
    kind: int = 0,
    flags: int = 0,
    method: int = 0,
    host: int = 0,
    said: bytes = b"",
    position: int = 0,
) -> bytes:
    time = (2020 - 1980 << 9 | 7 << 5 | 26) << 16 | 22 << 11 | 11 << 5 | 21
    sizes = (time, len(content), len(content), zlib.crc32(content))
    data = (
        struct.pack("<BBBBBBBBIIIIHHHI", 34, 11, 1, host, flags, method, kind, 0, *sizes, 0, 0, 0, position)
        + name
        + b"\0"
        + said
        + b"\0"
    )
    return b"\x60\xea" + struct.pack("<H", len(data)) + data + struct.pack("<IH", zlib.crc32(data), 0) + content


def archive(*blocks: bytes) -> bytes:
    return block(b"archive.arj", kind=2) + b"".join(blocks) + b"\x60\xea\0\0"


def test_the_comment_is_a_field(tmp_path: Path) -> None:
    data = block(b"archive.arj", kind=2, said=b"minutes of 2020\r\n") + block(b"a", b"text") + b"\x60\xea\0\0"
    pieces = taken(data, tmp_path)
    assert pieces.contents == {"0": b"text"} and pieces.metadata == {"comments": "minutes of 2020"}


def volumes() -> list[bytes]:
    return [
        block(b"s.arj", kind=2, flags=4) + block(b"a", b"first ", flags=4) + b"\x60\xea\0\0",
        block(b"s.a01", kind=2, flags=4) + block(b"a", b"second ", flags=12, position=6) + b"\x60\xea\0\0",
        block(b"s.a02", kind=2) + block(b"a", b"third", flags=8, position=13) + block(b"b", b"whole") + b"\x60\xea\0\0",
    ]


def bounds(data: list[bytes]) -> tuple[Volume, ...]:
    return tuple(Volume(number=n, suffix=f".a{n - 1:02}", size=len(each)) for n, each in enumerate(data, 1))


def test_a_member_in_several_volumes_is_put_together(tmp_path: Path) -> None:
    pieces = taken(b"".join(volumes()), tmp_path, volumes=bounds(volumes()))
    assert pieces.contents == {"0": b"first second third", "1": b"whole"} and pieces.error is None


@pytest.mark.parametrize("missing", [0, 1, 2])
def test_a_missing_volume_costs_what_lies_in_it(missing: int, tmp_path: Path) -> None:
    left = [data for n, data in enumerate(volumes()) if n != missing]
    pieces = taken(b"".join(left), tmp_path, volumes=bounds(left))
    assert list(pieces.contents.values()) == ([b"whole"] if missing < 2 else [])
    assert all("volume that is missing" in lost.detail for lost in pieces.lost.values()) and pieces.lost


def test_damage_behind_a_member_does_not_cost_it(tmp_path: Path) -> None:
    data = block(b"s.arj", kind=2) + block(b"a", b"text") + b"damage"
    pieces = taken(data, tmp_path)
    assert pieces.contents == {"0": b"text"} and isinstance(pieces.error, InvalidFile)


def test_packed_and_stored_members_come_out(tmp_path: Path) -> None:
    pieces = taken(PACKED, tmp_path)
    assert pieces.contents == {"0": VALVE, "1": b"four"} and pieces.names == ["v.txt", "f.txt"]
    assert str(pieces.children["0"].metadata["file_modified"]).endswith("Z")


def test_a_time_of_dos_has_no_zone_and_folders_are_counted(tmp_path: Path) -> None:
    pieces = taken(archive(block(b"folder", kind=3), block(b"..\\up.txt", b"text")), tmp_path)
    assert pieces.skipped == ["0"] and pieces.contents == {"1": b"text"} and pieces.names == ["up.txt"]
    assert pieces.children["1"].metadata == {"file_modified": "2020-07-26T22:11:42"}


def test_a_password_opens_what_is_garbled(tmp_path: Path) -> None:
    opened = taken(GARBLED, tmp_path, passwords=("wrong", "correct"))
    assert (opened.contents, opened.passwords.has_opened) == ({"0": VALVE}, True)
    for passwords in ((), ("wrong",)):
        closed = taken(GARBLED, tmp_path, passwords=passwords)
        assert closed.lost["0"].outcome is Outcome.PASSWORD_PROTECTED and isinstance(closed.error, PasswordProtected)


def test_a_bad_member_costs_itself_alone(tmp_path: Path) -> None:
    data = archive(
        block(b"bad", b"damaged"),
        block(b"part", b"half", flags=4),
        block(b"fast", b"?", method=4),
        block(b"good", b"text"),
    )
    pieces = taken(data.replace(b"damaged", b"Damaged"), tmp_path)
    assert [pieces.lost[key].outcome for key in "012"] == [
        Outcome.INVALID_FILE,
        Outcome.INVALID_FILE,
        Outcome.UNSUPPORTED,
    ]
    assert "volume that is missing" in pieces.lost["1"].detail and pieces.contents == {"3": b"text"}


def test_a_cut_off_archive_gives_the_members_that_are_whole(tmp_path: Path) -> None:
    pieces = taken(archive(block(b"one", b"1"), block(b"two", b"2"))[:-9], tmp_path)
    assert pieces.contents == {"0": b"1"} and isinstance(pieces.error, InvalidFile)


def test_what_is_packed_is_damaged_or_cut(tmp_path: Path) -> None:
    broken = bytearray(PACKED)
    broken[PACKED.index(b"v.txt") + 20] ^= 0xFF
    assert taken(bytes(broken), tmp_path).lost["0"].outcome is Outcome.INVALID_FILE
