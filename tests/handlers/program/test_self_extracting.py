"""A program that unpacks itself is opened as the archive it is; any other stays a program."""

import io
import struct
import zipfile
from pathlib import Path

import py7zr
import pytest
from tests.support import lha_files
from tests.support.cabinets import cabinet
from tests.support.other_documents import exe
from tests.support.pieces import Pieces, read
from tests.support.rar_files import Locked, Member, rar3, rar5
from tests.support.volume_files import split_rar

from redwell.core.errors import InvalidFile, PasswordProtected, Unsupported
from redwell.core.handler import Volume
from redwell.handlers.archives import program
from redwell.handlers.detect.detect import UNKNOWN, detect

pytestmark = pytest.mark.requirement("A7")

NOTE = b"the settlement is four million\n"
CONFIGURED = b';!@Install@!UTF-8!\nTitle="Minutes"\n;!@InstallEnd@!'
SIGNATURE = b"\x30\x82" + bytes(4000)  # Windows puts a program's seal behind everything else


def taken(data: bytes, tmp_path: Path, **options: object) -> Pieces:
    return read(program, data, tmp_path, name="minutes.exe", **options)


def zipped() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as writer:
        writer.writestr("note.txt", NOTE)
    return out.getvalue()


def sevenzipped() -> bytes:
    out = io.BytesIO()
    with py7zr.SevenZipFile(out, "w") as writer:
        writer.writestr(NOTE, "note.txt")
    return out.getvalue()


@pytest.mark.parametrize(
    "archive",
    [
        zipped(),
        zipped() + SIGNATURE,
        rar3([Member("note.txt", NOTE)]),
        rar5([Member("note.txt", NOTE)]),
        CONFIGURED + sevenzipped(),
        cabinet({"note.txt": NOTE}),
        cabinet({"note.txt": NOTE}) + SIGNATURE,
    ],
)
def test_members_of_an_archive_in_a_program_come_out(archive: bytes, tmp_path: Path) -> None:
    pieces = taken(exe() + bytes(3000) + archive, tmp_path)
    assert list(pieces.contents.values()) == [NOTE] and pieces.names == ["note.txt"]
    assert pieces.error is None and pieces.is_container
    assert str(pieces.metadata["recognised_as"]).startswith("self-extracting archive")
    assert pieces.metadata["company"] == "Contoso"


AMIGA = bytes.fromhex("000003f3 00000000 00000001 00000000 00000000 00000040") + bytes(256)
ATARI = b"\x60\x1a" + struct.pack(">5I", 256, 0, 64, 0, 0) + bytes(6 + 256)


@pytest.mark.parametrize("stub", [AMIGA, ATARI])
def test_programs_of_old_home_computers_are_opened_too(stub: bytes, tmp_path: Path) -> None:
    pieces = taken(stub + lha_files.member(b"note.txt", NOTE, level=0) + b"\0", tmp_path)
    assert (list(pieces.contents.values()), pieces.names, pieces.error) == ([NOTE], ["note.txt"], None)
    assert isinstance(taken(stub, tmp_path).error, Unsupported)


def test_two_bytes_alone_make_no_program(tmp_path: Path) -> None:
    data = b"\x60\x1a\xff" + bytes(range(256))
    assert detect(lambda: io.BytesIO(data), len(data), "") == UNKNOWN


def test_a_protected_one_is_opened_by_its_password(tmp_path: Path) -> None:
    data = exe() + rar5([Member("note.txt", NOTE)], Locked("correct", names=True))
    assert isinstance(taken(data, tmp_path).error, PasswordProtected)
    assert list(taken(data, tmp_path, passwords=("correct",)).contents.values()) == [NOTE]


def test_volumes_behind_a_program_are_put_together(tmp_path: Path) -> None:
    first, *others = split_rar(Member("note.txt", NOTE), 3)
    volumes = [exe() + first, *others]
    told = tuple(Volume(number=n, suffix=f".part{n}.rar", size=len(data)) for n, data in enumerate(volumes, 1))
    assert list(taken(b"".join(volumes), tmp_path, volumes=told).contents.values()) == [NOTE]


@pytest.mark.parametrize(
    "mark",
    [b"7z\xbc\xaf\x27\x1c", b"Rar!\x1a\x07\x00", b"Rar!\x1a\x07\x01\x00", b"MSCF\0\0\0\0", b"-lh5-", b"\x60\xea"],
)
def test_a_program_that_knows_the_mark_of_archives_is_no_archive(mark: bytes, tmp_path: Path) -> None:
    pieces = taken(exe() + mark + b"cannot open archive" + bytes(100), tmp_path)
    assert isinstance(pieces.error, Unsupported) and not pieces.is_container


def test_an_archive_that_is_cut_off_is_invalid_and_not_just_a_program(tmp_path: Path) -> None:
    assert isinstance(taken(exe() + sevenzipped()[:-5], tmp_path).error, InvalidFile)
