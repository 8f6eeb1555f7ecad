"""Binary property lists are text; pages that Safari saved give their files."""

import plistlib
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from tests.support.pieces import Pieces, read

from redwell.core.errors import InvalidFile
from redwell.core.outcomes import Code
from redwell.handlers.text import property_list

pytestmark = pytest.mark.requirement("A6", "A7")


def taken(value: Any, tmp_path: Path, **options: Any) -> Pieces:
    data = plistlib.dumps(value, fmt=plistlib.FMT_BINARY, sort_keys=False)
    return read(property_list, data, tmp_path, **options)


def test_every_value_has_a_line_with_its_place(tmp_path: Path) -> None:
    value = {"Owner": "Grüße", "Seen": datetime(2020, 2, 3, 4, 5, 6), "Files": [{"Name": "a.pdf", "Size": 7}, b"12345"]}
    assert taken(value, tmp_path).text.splitlines() == [
        "Owner: Grüße",
        "Seen: 2020-02-03T04:05:06Z",
        "Files/0/Name: a.pdf",
        "Files/0/Size: 7",
        "Files/1: (5 bytes)",
    ]


def resource(url: str, kind: str, data: bytes) -> dict[str, Any]:
    return {"WebResourceURL": url, "WebResourceMIMEType": kind, "WebResourceData": data}


def test_a_saved_page_gives_the_page_its_pictures_and_its_frames(tmp_path: Path) -> None:
    frame = {"WebMainResource": resource("http://b.example/f.html", "text/html", b"<p>frame")}
    page = {
        "WebMainResource": resource("http://a.example/", "text/html", b"<p>page"),
        "WebSubresources": [resource("http://a.example/logo%201.png?v=2", "image/png", b"\x89PNG")],
        "WebSubframeArchives": [frame],
    }
    pieces = taken(page, tmp_path, name="page.webarchive")
    assert (pieces.names, pieces.declared) == (["page.html", "logo 1.png", "f.html"], 3)
    assert list(pieces.contents.values()) == [b"<p>page", b"\x89PNG", b"<p>frame"]
    assert pieces.metadata["url"] == "http://a.example/"


def test_a_page_that_is_a_frame_of_its_own_comes_to_an_end(tmp_path: Path) -> None:
    page: dict[str, Any] = {"WebMainResource": resource("http://a.example/", "text/html", b"<p>page")}
    frames: list[Any] = [page]
    page["WebSubframeArchives"] = frames
    assert [name for name, _ in property_list._files(page)] == ["0"]


def test_a_long_name_is_not_repeated_in_full_at_every_level(tmp_path: Path) -> None:
    value: Any = "x"
    for _ in range(60):
        value = {"k" * 5_000: value}
    assert len(taken(value, tmp_path).text) < 2_000


def test_lists_that_hold_others_over_and_over_come_to_an_end(tmp_path: Path) -> None:
    value: Any = ["x"]
    for _ in range(40):
        value = [value, value]
    pieces = taken(value, tmp_path)
    assert [trouble.code for trouble in pieces.troubles] == [Code.LIMIT_REACHED]


def test_a_list_within_itself_comes_to_an_end(tmp_path: Path) -> None:
    itself = b"bplist00\xa1\x00\x08" + bytes(6) + b"\x01\x01" + bytes(7) + b"\x01" + bytes(8) + bytes(7) + b"\x0a"
    assert read(property_list, itself, tmp_path).error is None


@pytest.mark.parametrize("data", [b"bplist00", b"bplist00" + b"\xff" * 40])
def test_a_damaged_list_is_invalid(data: bytes, tmp_path: Path) -> None:
    assert isinstance(read(property_list, data, tmp_path).error, InvalidFile)
