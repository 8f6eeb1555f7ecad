"""What senders of files say, and what is made of it: pure."""

import base64

import pytest

from redwell.core.errors import UserError
from redwell.core.uploads.arrivals import checked_path, checksum, free_path, metadata, new_file


@pytest.mark.parametrize(
    "path",
    [
        "",
        "/",
        "/etc/passwd",
        "../x",
        "a/../../x",
        "a//b",
        "a/.",
        "./a",
        "..",
        "a/\0",
        "x" * 256,
        "/".join(["y" * 200] * 20),
    ],
)
@pytest.mark.requirement("B1")
def test_no_path_leads_out_of_its_upload(path: str) -> None:
    with pytest.raises(UserError):
        checked_path(path)


@pytest.mark.parametrize("path", ["a.txt", "mail/2023/ä 漢字.eml", "..a/b..", "a\\..\\b", "-rf", "con:aux"])
def test_a_strange_name_is_still_a_name(path: str) -> None:
    assert checked_path(path) == path


def test_two_files_of_one_name_are_both_kept() -> None:
    assert free_path("a/b.txt", {"a/b.txt"}) == "a/b (2).txt"
    assert free_path("a/b.txt", {"a/b.txt", "a/b (2).txt"}) == "a/b (3).txt"
    assert free_path(".profile", {".profile"}) == ".profile (2)"
    assert free_path("x", {"y"}) == "x"


def packed(**pairs: str) -> str:
    return ",".join(f"{key} {base64.b64encode(value.encode()).decode()}" for key, value in pairs.items())


def test_metadata_is_read_and_a_folder_goes_before_a_name() -> None:
    header = packed(filename="b.txt", relativePath="a/b.txt", modified="1680516000000", sha256="ab" * 32)
    new = new_file("7", header)
    assert (new.path, new.length, new.modified_ms, new.sha256) == ("a/b.txt", 7, 1680516000000, b"\xab" * 32)
    assert metadata("") == {}


@pytest.mark.parametrize(
    ("length", "header"),
    [
        ("", packed(filename="a")),
        ("-1", packed(filename="a")),
        ("٣", packed(filename="a")),
        ("1", ""),
        ("1", "filename !"),
        ("1", packed(filename="a", sha256="zz")),
    ],
)
def test_what_cannot_be_read_is_refused(length: str, header: str) -> None:
    with pytest.raises(UserError):
        new_file(length, header)


def test_a_checksum_names_its_algorithm() -> None:
    assert checksum("") is None
    assert checksum("sha256 " + base64.b64encode(b"x" * 32).decode()) == ("sha256", b"x" * 32)
    for wrong in ("crc32 AAAA", "sha256 !", "sha256"):
        with pytest.raises(UserError):
            checksum(wrong)
