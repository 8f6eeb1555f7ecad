"""RAR archives give every member with its exact bytes, those behind a password too."""

from dataclasses import replace
from pathlib import Path

import pytest
from tests.support.pieces import Pieces, read
from tests.support.rar_files import (
    NUMBERS,
    PACKED_3,
    PACKED_5,
    Locked,
    Member,
    packed_by_rar_2,
    packed_literally,
    rar3,
    rar5,
)
from tests.support.volume_files import split_rar

from redwell.core.errors import InvalidFile, PasswordProtected, Unsupported
from redwell.core.handler import Volume
from redwell.core.outcomes import Outcome
from redwell.handlers.rar import rar, rar_data, unarr_reader
from redwell.handlers.unpacking.system_libraries import SONAMES

pytestmark = pytest.mark.requirement("A7", "A20")

NOTE = b"the settlement is four million\n"
BOTH = [Member("a/note.txt", NOTE), Member("numbers.txt", NUMBERS, PACKED_5)]
SPLIT_BEFORE_5, SPLIT_AFTER_3 = 8, 2


def taken(data: bytes, tmp_path: Path, **options: object) -> Pieces:
    return read(rar, data, tmp_path, name="sample.rar", **options)


def test_stored_and_packed_members_come_out_with_name_and_time(tmp_path: Path) -> None:
    pieces = taken(rar5(BOTH), tmp_path)
    assert pieces.contents == {"0": NOTE, "1": NUMBERS}
    assert pieces.names == ["a/note.txt", "numbers.txt"]
    assert pieces.children["0"].metadata == {"file_modified": "2020-09-13T12:26:40Z"}
    assert pieces.error is None and pieces.is_container


def test_a_time_of_old_archives_has_no_zone(tmp_path: Path) -> None:
    pieces = taken(rar3([Member("n", NOTE), Member("numbers", NUMBERS, PACKED_3)]), tmp_path)
    assert pieces.contents == {"0": NOTE, "1": NUMBERS}
    assert pieces.children["0"].metadata == {"file_modified": "2020-07-26T22:11:42"}


@pytest.mark.parametrize("names", [False, True])
def test_a_password_opens_members_and_hidden_names(names: bool, tmp_path: Path) -> None:
    pieces = taken(rar5(BOTH, Locked("correct", names)), tmp_path, passwords=("wrong", "correct"))
    assert pieces.passwords.has_opened
    assert (pieces.contents, pieces.error) == ({"0": NOTE, "1": NUMBERS}, None)


def test_without_a_password_hidden_names_protect_the_whole_archive(tmp_path: Path) -> None:
    for passwords in ((), ("wrong",)):
        pieces = taken(rar5(BOTH, Locked("correct", names=True)), tmp_path, passwords=passwords)
        assert isinstance(pieces.error, PasswordProtected) and not pieces.children and not pieces.lost


def test_without_a_password_protected_members_are_named(tmp_path: Path) -> None:
    pieces = taken(rar5(BOTH, Locked("correct")), tmp_path, passwords=("wrong",))
    assert {lost.outcome for lost in pieces.lost.values()} == {Outcome.PASSWORD_PROTECTED}
    assert isinstance(pieces.error, PasswordProtected) and len(pieces.lost) == 2


def test_a_file_that_was_packed_once_for_several_comes_out_each_time(tmp_path: Path) -> None:
    copy = Member("copy.txt", NUMBERS, redirected=(5, "numbers.txt"))
    pieces = taken(rar5([*BOTH, copy]), tmp_path)
    assert pieces.contents["2"] == NUMBERS


def test_a_link_is_counted_and_not_followed(tmp_path: Path) -> None:
    link = Member("link", redirected=(1, "/etc/passwd"))
    pieces = taken(rar5([Member("n", NOTE), link]), tmp_path)
    assert pieces.skipped == ["1"] and list(pieces.contents) == ["0"]


def test_a_member_with_a_wrong_checksum_costs_itself_alone(tmp_path: Path) -> None:
    data = rar5([Member("bad", NOTE), Member("good", NUMBERS, PACKED_5)])
    pieces = taken(data.replace(NOTE, NOTE.replace(b"four", b"five")), tmp_path)
    assert pieces.contents == {"1": NUMBERS} and pieces.lost["0"].outcome is Outcome.INVALID_FILE


def test_a_cut_off_archive_gives_the_members_that_are_whole(tmp_path: Path) -> None:
    pieces = taken(rar5(BOTH)[:-30], tmp_path)
    assert pieces.contents == {"0": NOTE}
    assert pieces.lost["1"].detail == "the member is cut off"


def test_a_member_in_several_volumes_is_named_with_its_remedy(tmp_path: Path) -> None:
    for data in (
        rar5([Member("part", NOTE, split=SPLIT_BEFORE_5), Member("whole", NOTE)]),
        rar3([Member("part", NOTE, split=SPLIT_AFTER_3), Member("whole", NOTE)]),
    ):
        pieces = taken(data, tmp_path)
        assert pieces.contents == {"1": NOTE} and "import the whole set in one folder" in pieces.lost["0"].detail


@pytest.mark.parametrize(("packed", "old"), [(PACKED_5, False), (None, False), (PACKED_3, True), (None, True)])
def test_a_member_in_several_volumes_is_put_together(packed: bytes | None, old: bool, tmp_path: Path) -> None:
    volumes = split_rar(Member("numbers", NUMBERS, packed), 3, before=[Member("n", NOTE)], old=old)
    pieces = taken(b"".join(volumes), tmp_path, volumes=bounds(volumes))
    assert pieces.contents == {"0": NOTE, "1": NUMBERS}
    assert (pieces.error, pieces.troubles) == (None, [])


def test_a_set_that_goes_on_says_so_and_gives_what_is_whole(tmp_path: Path) -> None:
    for old in (False, True):
        volumes = split_rar(Member("numbers", NUMBERS), 3, before=[Member("n", NOTE)], old=old)[:2]
        pieces = taken(b"".join(volumes), tmp_path, volumes=bounds(volumes))
        assert pieces.contents == {"0": NOTE} and pieces.lost["1"].name == "numbers"
        assert [trouble.detail for trouble in pieces.troubles] == ["volumes behind .part2.rar are missing"]


def bounds(volumes: list[bytes]) -> tuple[Volume, ...]:
    return tuple(Volume(number=n, suffix=f".part{n}.rar", size=len(data)) for n, data in enumerate(volumes, 1))


def test_what_is_packed_in_a_way_that_is_not_read_is_named_with_its_remedy(tmp_path: Path) -> None:
    pieces = taken(rar3([Member("old", NUMBERS, PACKED_3)], version=15), tmp_path)
    assert isinstance(pieces.error, Unsupported)
    assert "unpack it and import the files" in pieces.lost["0"].detail


def test_what_rar_2_packed_is_read(tmp_path: Path) -> None:
    members = [Member("numbers", NUMBERS, packed_by_rar_2(NUMBERS)), Member("note", NOTE, packed_by_rar_2(NOTE))]
    assert taken(rar3(members, version=20), tmp_path).contents == {"0": NUMBERS, "1": NOTE}


def test_encryption_from_before_rar_3_is_named(tmp_path: Path) -> None:
    pieces = taken(rar3([Member("n", NOTE)], version=20, locked=True), tmp_path, passwords=("right",))
    assert isinstance(pieces.error, PasswordProtected) and "before 3.0" in pieces.lost["0"].detail


@pytest.mark.parametrize("packed", [None, packed_literally(NOTE, tables=True)])
def test_the_comment_of_an_archive_is_read_without_another_program(packed: bytes | None, tmp_path: Path) -> None:
    pieces = taken(rar3([Member("n", NUMBERS)], comment=Member("CMT", NOTE, packed)), tmp_path)
    assert pieces.contents == {"0": NUMBERS} and not pieces.troubles
    assert pieces.metadata == {"comments": NOTE.decode().strip()}


def test_a_damaged_comment_costs_no_member(tmp_path: Path) -> None:
    pieces = taken(rar3([Member("n", NUMBERS)], comment=Member("CMT", NOTE, b"\xff" * 9)), tmp_path)
    assert pieces.contents == {"0": NUMBERS} and "comment" in pieces.troubles[0].detail


def solid_run() -> list[Member]:
    return [
        Member("one", NUMBERS, packed_literally(NUMBERS, tables=True)),
        Member("two", NOTE, packed_literally(NOTE, tables=False), solid=True),
        Member("three", NUMBERS[:100], packed_literally(NUMBERS[:100], tables=False), solid=True),
    ]


def test_a_solid_run_from_before_rar_5_is_unpacked_together(tmp_path: Path) -> None:
    pieces = taken(rar3([Member("stored", NOTE), *solid_run()]), tmp_path)
    assert pieces.contents == {"0": NOTE, "1": NUMBERS, "2": NOTE, "3": NUMBERS[:100]}
    assert taken(rar3(solid_run()), tmp_path, after="1").contents == {"2": NUMBERS[:100]}


def test_without_the_library_for_old_solid_runs_the_package_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(SONAMES, "libunarr1", "libunarr.so.none")
    unarr_reader._library.cache_clear()
    pieces = taken(rar3(solid_run()), tmp_path)
    assert isinstance(pieces.error, Unsupported) and "libunarr1" in pieces.lost["0"].detail
    unarr_reader._library.cache_clear()


def test_a_second_decoder_is_asked_about_what_the_first_takes_for_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def damaged(*_: object, **__: object) -> None:
        raise InvalidFile("Parsing filters is unsupported")

    monkeypatch.setattr(rar_data, "Archive", damaged)
    assert taken(rar3([Member("n", NUMBERS, PACKED_3)]), tmp_path).contents == {"0": NUMBERS}
    assert taken(rar5([Member("n", NUMBERS, PACKED_5)]), tmp_path).lost["0"].outcome is Outcome.INVALID_FILE


def test_damage_in_an_old_solid_run_costs_what_is_packed_behind_it(tmp_path: Path) -> None:
    first, second, third = solid_run()
    broken = replace(second, packed=b"\xff" * 20)
    pieces = taken(rar3([first, broken, third]), tmp_path)
    assert pieces.contents["0"] == NUMBERS and pieces.lost["1"].outcome is Outcome.INVALID_FILE


def test_reading_goes_on_behind_the_last_settled_member(tmp_path: Path) -> None:
    members = [Member(str(n), b"%d" % n) for n in range(4)]
    assert taken(rar5(members), tmp_path, after="1", skip=frozenset({"2"})).contents == {"3": b"3"}


def test_more_than_the_settings_allow_ends_the_archive(tmp_path: Path) -> None:
    pieces = taken(rar5(BOTH), tmp_path, max_total_bytes=100)
    assert pieces.contents == {"0": NOTE} and "max_total_mb" in pieces.troubles[0].detail


def test_what_only_begins_like_an_archive_is_invalid(tmp_path: Path) -> None:
    assert isinstance(taken(b"Rar!\x1a\x07\x01\x00" + bytes(50), tmp_path).error, InvalidFile)
