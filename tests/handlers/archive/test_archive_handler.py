"""TAR, CPIO, ISO, AR and RPM give exact bytes; nothing is followed, nothing escapes."""

import io
import struct
import tarfile
from pathlib import Path

import pytest
from tests.support.cabinets import cabinet
from tests.support.libarchive_files import made
from tests.support.pieces import Pieces, read

from redwell.core.errors import InvalidFile
from redwell.core.outcomes import Code, Outcome
from redwell.handlers.archives import archive, compressed

pytestmark = pytest.mark.requirement("A7", "A20")

FILES = {"minutes.txt": b"valve coating\n" * 200, "deep/er/note.txt": b"four million\n"}
RUSSIAN = "Протокол собра"  # noqa: RUF001
FLAT = {"minutes.txt": FILES["minutes.txt"], "note.txt": b"four million\n"}


def taken(data: bytes, tmp_path: Path, **options: object) -> Pieces:
    return read(archive, data, tmp_path, **options)


def tar(*members: tuple[tarfile.TarInfo, bytes]) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as writer:
        for info, content in members:
            writer.addfile(info, io.BytesIO(content))
    return out.getvalue()


def info(name: str, size: int = 0, kind: bytes = tarfile.REGTYPE, target: str = "") -> tarfile.TarInfo:
    made_info = tarfile.TarInfo(name)
    made_info.size, made_info.type, made_info.linkname, made_info.mtime = size, kind, target, 1_600_000_000
    return made_info


@pytest.mark.parametrize("kind", ["ustar", "pax", "gnutar", "v7tar", "cpio", "cpio_newc", "iso9660"])
def test_every_format_gives_the_exact_bytes_names_and_times(kind: str, tmp_path: Path) -> None:
    pieces = taken(made(kind, FILES), tmp_path)
    assert {pieces.children[key].name: content for key, content in pieces.contents.items()} == FILES
    assert all(child.metadata == {"file_modified": "2020-09-13T12:26:40Z"} for child in pieces.children.values())
    assert pieces.error is None and pieces.is_container


@pytest.mark.parametrize("kind", ["ar_bsd", "ar_svr4"])
def test_a_library_archive_gives_its_members(kind: str, tmp_path: Path) -> None:
    pieces = taken(made(kind, FLAT), tmp_path)
    assert {pieces.children[key].name: content for key, content in pieces.contents.items()} == FLAT


def test_a_debian_package_is_an_archive_of_archives(tmp_path: Path) -> None:
    pieces = taken(made("ar_svr4", {"debian-binary": b"2.0\n", "data.tar": made("ustar", FLAT)}), tmp_path)
    assert pieces.names == ["debian-binary", "data.tar"]


def test_an_rpm_package_gives_what_its_cpio_holds(tmp_path: Path) -> None:
    header = b"\x8e\xad\xe8\x01" + bytes(4) + struct.pack(">II", 0, 0)
    lead = b"\xed\xab\xee\xdb\x03\x00" + bytes(90)
    pieces = taken(lead + header + header + made("cpio_newc", FLAT, "gzip"), tmp_path)
    assert list(pieces.contents.values()) == list(FLAT.values())


def test_folders_links_and_devices_are_counted_and_never_followed(tmp_path: Path) -> None:
    data = tar(
        (info("folder", kind=tarfile.DIRTYPE), b""),
        (info("link", kind=tarfile.SYMTYPE, target="/etc/passwd"), b""),
        (info("pipe", kind=tarfile.FIFOTYPE), b""),
        (info("device", kind=tarfile.CHRTYPE), b""),
        (info("file", 4), b"file"),
        (info("again", kind=tarfile.LNKTYPE, target="file"), b""),
    )
    pieces = taken(data, tmp_path)
    assert pieces.skipped == ["0", "1", "2", "3", "5"] and pieces.contents == {"4": b"file"}
    assert pieces.all[2].reason == "a link to /etc/passwd"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("name", "shown"),
    [("../../up.txt", "up.txt"), ("/etc/cron.d/job", "etc/cron.d/job"), ("a\\b.txt", "a/b.txt"), ("./x", "x")],
)
def test_no_name_leads_outside(name: str, shown: str, tmp_path: Path) -> None:
    assert taken(tar((info(name, 1), b"x")), tmp_path).names == [shown]


def test_a_name_in_an_old_encoding_is_readable(tmp_path: Path) -> None:
    data = bytearray(tar((info("x" * 14, 1), b"x")))
    data[:14] = RUSSIAN.encode("cp1251")
    data[148:156] = b" " * 8
    data[148:156] = b"%06o\0 " % sum(data[:512])
    assert taken(bytes(data), tmp_path).names == [RUSSIAN]


def test_a_cut_off_archive_gives_the_members_that_are_whole(tmp_path: Path) -> None:
    pieces = taken(tar((info("one", 3), b"one"), (info("two", 5000), bytes(5000)))[:3000], tmp_path)
    assert pieces.contents == {"0": b"one"} and pieces.lost["1"].outcome is Outcome.INVALID_FILE


def test_reading_goes_on_behind_the_last_settled_member(tmp_path: Path) -> None:
    data = tar(*((info(str(n), 1), b"%d" % n) for n in range(5)))
    pieces = taken(data, tmp_path, after="1", skip=frozenset({"3"}))
    assert pieces.contents == {"2": b"2", "4": b"4"} and pieces.opened == ["2", "4"]


def test_a_damaged_rest_is_a_problem_of_a_reading_that_goes_on(tmp_path: Path) -> None:
    data = tar((info("one", 3), b"one"), (info("two", 3), b"two"))[:1024] + b"x" * 2048
    pieces = taken(data, tmp_path, after="0")
    assert pieces.error is None and [t.code for t in pieces.troubles] == [Code.FILE_MISSING_OR_INCOMPLETE]


@pytest.mark.parametrize(
    ("limit", "left"), [({"max_members": 2}, {"0", "1"}), ({"max_total_bytes": 2}, {"0", "1"}), ({}, {"0", "1", "2"})]
)
def test_limits_keep_what_was_taken_out_so_far(limit: dict[str, int], left: set[str], tmp_path: Path) -> None:
    pieces = taken(tar(*((info(str(n), 1), b"%d" % n) for n in range(3))), tmp_path, **limit)
    assert pieces.contents.keys() == left
    assert [t.code for t in pieces.troubles] == [Code.LIMIT_REACHED] * bool(limit)
    assert pieces.error is None


def test_a_member_over_the_limit_costs_itself_alone(tmp_path: Path) -> None:
    pieces = taken(tar((info("big", 4000), bytes(4000)), (info("x", 1), b"x")), tmp_path, max_member_bytes=1000)
    assert pieces.lost["0"].outcome is Outcome.TOO_LARGE and pieces.contents == {"1": b"x"}


def test_a_large_member_goes_through_a_file_in_scratch(tmp_path: Path) -> None:
    content = bytes(range(256)) * 20_000
    packed = made("cpio_newc", {"large": content}, "gzip")
    pieces = read(compressed, packed, tmp_path, media_type="application/gzip")
    assert pieces.contents == {"0": content} and isinstance(pieces.children["0"].data, Path)
    assert list(tmp_path.iterdir()) == []


def test_what_is_no_archive_inside_is_invalid(tmp_path: Path) -> None:
    pieces = taken(b"070701" + b"\xff" * 600, tmp_path, media_type="application/x-cpio")
    assert isinstance(pieces.error, InvalidFile)


def test_a_link_longer_than_any_is_damage_and_no_lack_of_memory(tmp_path: Path) -> None:
    """libarchive gives both the same number."""
    archive = bytearray(made("cpio_newc", {"valve": b"coating"}))
    archive[14:22] = b"0000A1FF"  # the mode: a link
    archive[54:62] = b"00200000"  # its length
    pieces = taken(bytes(archive), tmp_path, media_type="application/x-cpio")
    assert isinstance(pieces.error, InvalidFile) and "malformed" in str(pieces.error)


@pytest.mark.parametrize(
    ("paths", "kind"),
    [
        (("users.json", "channels.json", "general/2024-01-02.json"), "Slack export"),
        (("rsmf_manifest.json", "picture.png"), "RSMF"),
        (("messages.json", "endpoints.json", "media/1.jpg"), "Teams or Skype export"),
        (("report.xml", "files/Image/1.jpg"), "Cellebrite report (UFDR)"),
        (("q-metadata.xml", "q-results-count.csv", "q.mbox"), "Google Vault export"),
        (("Results.csv", "manifest.xml", "Exchange/a.pst"), "Purview export"),
        (("Export_load_file_01.csv", "NativeFiles/1.docx"), "Purview export"),
        (("Takeout/Mail/all.mbox",), "Google Takeout"),
        (("report.xml", "readme.txt"), None),
    ],
)
def test_an_export_is_known_by_what_lies_in_it(paths: tuple[str, ...], kind: str | None, tmp_path: Path) -> None:
    pieces = taken(tar(*((info(path, 1), b"x") for path in paths)), tmp_path)
    assert pieces.metadata.get("package") == kind and len(pieces.contents) == len(paths)


def test_a_method_that_is_not_read_is_named_so_and_not_as_damage(tmp_path: Path) -> None:
    quantum = bytearray(cabinet({"a.txt": b"a"}))
    quantum[42:44] = b"\x72\x0f"
    [lost] = read(archive, bytes(quantum), tmp_path).lost.values()
    assert (lost.outcome, lost.name) == (Outcome.UNSUPPORTED, "a.txt") and "Quantum" in lost.detail
