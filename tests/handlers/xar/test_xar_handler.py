"""XAR archives give exact bytes, checked against their own sums."""

from pathlib import Path

import pytest
from tests.support.libarchive_files import made
from tests.support.pieces import Pieces, read
from tests.support.xar_files import entry, packed

from redwell.core.errors import InvalidFile, TooLarge
from redwell.core.outcomes import Outcome
from redwell.handlers.archives import xar

pytestmark = pytest.mark.requirement("A7", "A20")

FILES = {"a.txt": b"hello", "deep/er/zeros.bin": bytes(5000), "letter.txt": b"Dear Ann, " * 300}


def taken(data: bytes, tmp_path: Path, **options: object) -> Pieces:
    return read(xar, data, tmp_path, name="a.pkg", **options)


def test_every_member_comes_out_with_its_exact_bytes_and_time(tmp_path: Path) -> None:
    pieces = taken(made("xar", FILES), tmp_path)
    assert dict(zip(pieces.names, pieces.contents.values(), strict=True)) == FILES
    assert {child.metadata["file_modified"] for child in pieces.children.values()} == {"2020-09-13T12:26:40Z"}
    assert len(pieces.skipped) == 2 and pieces.declared == 5 and pieces.error is None


def test_stored_members_and_encoded_names_are_read(tmp_path: Path) -> None:
    name = entry("x", 5).replace("<name>x", '<name enctype="base64">w6QudHh0')
    pieces = taken(packed(name, b"hello"), tmp_path)
    assert (pieces.names, pieces.contents) == (["ä.txt"], {"0": b"hello"})


def test_a_member_with_a_wrong_sum_costs_itself_alone(tmp_path: Path) -> None:
    wrong = entry("bad", 5, '<extracted-checksum style="sha1">00</extracted-checksum>')
    pieces = taken(packed(wrong + entry("good", 5), b"hello"), tmp_path)
    assert pieces.contents == {"1": b"hello"} and pieces.lost["0"].outcome is Outcome.INVALID_FILE


def test_names_lead_nowhere_and_links_are_counted(tmp_path: Path) -> None:
    link = '<file id="2"><name>link</name><type>symlink</type><link>/etc/passwd</link></file>'
    pieces = taken(packed(entry("../../etc/x", 5) + link, b"hello"), tmp_path)
    assert (pieces.names, pieces.skipped) == (["etc/x"], ["1"])


@pytest.mark.parametrize("data", [b"xar!", packed("<file>"), packed(entry("a", 5))[:40], packed("<file>" * 300)])
def test_a_damaged_table_is_invalid(data: bytes, tmp_path: Path) -> None:
    assert isinstance(taken(data, tmp_path, media_type="application/x-xar").error, InvalidFile)


def test_too_many_members_and_members_beyond_the_file_are_refused(tmp_path: Path) -> None:
    assert isinstance(taken(packed(entry("a", 1) * 5), tmp_path, max_members=3).error, TooLarge)
    for size in (1 << 40, 1 << 80):
        assert taken(packed(entry("a", size)), tmp_path).lost["0"].detail == "the member is cut off"
