"""Shortcuts tell where they lead, and what Windows knew of the target."""

from pathlib import Path

import pytest
from tests.support.pieces import read
from tests.support.shell_links import item, on_disk, on_share, shell_link, tracker, variables

from redwell.core.errors import InvalidFile
from redwell.handlers.text import shortcut

pytestmark = pytest.mark.requirement("A6")


def test_a_shortcut_to_a_file_tells_path_dates_and_disk(tmp_path: Path) -> None:
    data = shell_link(on_disk(rb"D:\Deals\offer.docx"), ids=b"\x04\0ab\0\0", more=tracker(b"ann-laptop"))
    found = read(shortcut, data, tmp_path, name="offer.lnk").metadata
    assert (found["target"], found["target_size"]) == (r"D:\Deals\offer.docx", 1234)
    assert found["target_created"] == "2020-01-01T00:00:00Z"
    assert (found["target_modified"], found["target_accessed"]) == ("2020-01-01T00:00:01Z", "2020-01-01T00:00:02Z")
    assert found["target_volume"] == "fixed disk, DATA, 1234-ABCD"
    assert (found["target_machine"], found["target_network_card"]) == ("ann-laptop", "0a:1b:2c:3d:4e:5f")


def test_a_file_on_a_share_has_the_share_in_its_path(tmp_path: Path) -> None:
    pieces = read(shortcut, shell_link(on_share(rb"\\srv\legal", rb"hold\list.xlsx")), tmp_path)
    assert pieces.metadata["target"] == r"\\srv\legal\hold\list.xlsx"


def test_a_path_in_unicode_goes_before_that_in_a_code_page(tmp_path: Path) -> None:
    data = shell_link(on_disk(b"C:\\Vertr?ge.pdf", wide_path="C:\\Verträge ☎.pdf"))
    assert read(shortcut, data, tmp_path).metadata["target"] == "C:\\Verträge ☎.pdf"


@pytest.mark.parametrize("wide", [True, False])
def test_what_is_started_and_how_is_text(wide: bool, tmp_path: Path) -> None:
    data = shell_link(
        on_disk(rb"C:\Windows\cmd.exe"), wide=wide, description="Löschen", folder="C:\\Temp", arguments="/c del *.pst"
    )
    pieces = read(shortcut, data, tmp_path)
    lines = ["Target: C:\\Windows\\cmd.exe", "Arguments: /c del *.pst", "Start in: C:\\Temp", "Comment: Löschen"]
    assert pieces.text.splitlines()[:4] == lines
    assert pieces.metadata["target_arguments"] == "/c del *.pst"


@pytest.mark.parametrize(
    ("data", "target"),
    [
        (shell_link(more=variables(r"%windir%\regedit.exe")), r"%windir%\regedit.exe"),
        (shell_link(relative_path=r"..\offer.docx"), r"..\offer.docx"),
        (shell_link(ids=item(0x2F, b"C:\\") + item(0x31, b"DEALS") + b"\0\0"), r"C:\DEALS"),
        *(
            (shell_link(ids=item(0x32, b"OFFER~1.DOC", "Offer für Bo.docx", version) + b"\0\0"), "Offer für Bo.docx")
            for version in (3, 7, 8, 9)
        ),
    ],
)
def test_the_next_best_path_stands_in_for_one_that_is_missing(data: bytes, target: str, tmp_path: Path) -> None:
    assert read(shortcut, data, tmp_path).metadata["target"] == target


def test_a_shortcut_that_is_cut_off_is_invalid(tmp_path: Path) -> None:
    data = shell_link(on_disk(rb"D:\Deals\offer.docx"), description="the offer")
    for length in (20, 70, 90, len(data) - 24):
        assert isinstance(read(shortcut, data[:length], tmp_path).error, InvalidFile | None)
    assert isinstance(read(shortcut, data[:90], tmp_path).error, InvalidFile)
