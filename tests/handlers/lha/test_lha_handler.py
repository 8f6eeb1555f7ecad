"""LHA archives of every age give exact members and names."""

from pathlib import Path

import pytest
from tests.support.lha_files import member
from tests.support.pieces import Pieces, read

from redwell.core.errors import InvalidFile, Unsupported
from redwell.core.outcomes import Outcome
from redwell.handlers.archives import lha, lhasa_decoder
from redwell.handlers.unpacking.system_libraries import SONAMES

pytestmark = pytest.mark.requirement("A7", "A20")

NOTE = b"the settlement is four million\n"


def taken(data: bytes, tmp_path: Path, **options: object) -> Pieces:
    return read(lha, data, tmp_path, name="sample.lzh", **options)


@pytest.mark.parametrize("level", [0, 1, 2, 3])
def test_members_come_out_whatever_the_header(level: int, tmp_path: Path) -> None:
    folder = {} if level == 0 else {0x02: b"minutes\xff2020\xff"}
    told = b"minutes\\2020\\note.txt" if level == 0 else b"note.txt"
    pieces = taken(
        member(told, NOTE, level=level, records=folder) + member(b"b", b"two", level=level) + b"\0", tmp_path
    )
    assert pieces.contents == {"0": NOTE, "1": b"two"} and pieces.error is None
    assert pieces.names == ["minutes/2020/note.txt", "b"]
    when = "2020-07-26T22:11:42" if level < 2 else "2020-09-13T12:26:40Z"
    assert pieces.children["0"].metadata == {"file_modified": when}


def test_an_archive_without_an_end_mark_is_whole(tmp_path: Path) -> None:
    assert taken(member(b"a", NOTE), tmp_path).contents == {"0": NOTE}


def test_folders_and_links_are_counted(tmp_path: Path) -> None:
    folder = member(b"", method=b"-lhd-", level=2, records={0x02: b"a\xff"})
    link = member(b"link|/etc/passwd", method=b"-lhd-", level=2)
    pieces = taken(folder + link + member(b"n", NOTE, level=2) + b"\0", tmp_path)
    assert pieces.skipped == ["0", "1"] and pieces.contents == {"2": NOTE}


@pytest.mark.parametrize(
    ("name", "records", "wanted"),
    [
        ("表.txt".encode("cp932"), {}, "表.txt"),
        ("こんにちは世界の皆さん.txt".encode("euc_jp"), {}, "こんにちは世界の皆さん.txt"),
        ("表.txt".encode(), {}, "表.txt"),
        (b"______", {0x44: "Größe.txt".encode("utf-16-le"), 0x45: "ä\uffff".encode("utf-16-le")}, "ä/Größe.txt"),
    ],
)
def test_names_are_read_as_they_were_written(
    name: bytes, records: dict[int, bytes], wanted: str, tmp_path: Path
) -> None:
    assert taken(member(name, NOTE, level=2, records=records) + b"\0", tmp_path).names == [wanted]


def test_the_time_of_unix_is_taken_where_it_stands(tmp_path: Path) -> None:
    pieces = taken(member(b"n", NOTE, level=1, records={0x54: (1_600_000_000).to_bytes(4, "little")}), tmp_path)
    assert pieces.children["0"].metadata == {"file_modified": "2020-09-13T12:26:40Z"}


def test_a_damaged_member_costs_itself_and_an_unknown_method_is_named(tmp_path: Path) -> None:
    damaged = member(b"bad", NOTE).replace(b"four", b"five")
    data = damaged + member(b"odd", NOTE, method=b"-lh9-") + member(b"good", NOTE) + b"\0"
    pieces = taken(data, tmp_path)
    assert pieces.contents == {"2": NOTE}
    assert [lost.outcome for lost in pieces.lost.values()] == [Outcome.INVALID_FILE, Outcome.UNSUPPORTED]


def test_what_is_cut_off_is_said(tmp_path: Path) -> None:
    whole = member(b"a", NOTE)
    pieces = taken(whole + member(b"b", NOTE)[:-10], tmp_path)
    assert pieces.contents == {"0": NOTE} and pieces.lost["1"].detail == "the member is cut off"
    assert isinstance(taken(whole + member(b"b", NOTE)[:15], tmp_path).error, InvalidFile)
    assert isinstance(taken(whole + b"\x30" + member(b"b", NOTE)[1:], tmp_path).error, InvalidFile)


def test_limits_hold(tmp_path: Path) -> None:
    pieces = taken(member(b"a", NOTE) + member(b"b", NOTE) + b"\0", tmp_path, max_total_bytes=40)
    assert pieces.contents == {"0": NOTE} and "max_total_mb" in pieces.troubles[0].detail


def test_without_the_library_the_next_handler_has_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SONAMES, "liblhasa0", "liblhasa.so.none")
    lhasa_decoder._library.cache_clear()
    pieces = taken(member(b"a", NOTE), tmp_path)
    assert isinstance(pieces.error, Unsupported) and "liblhasa0" in str(pieces.error) and not pieces.is_container
    lhasa_decoder._library.cache_clear()
