"""Cabinets that go on in others are read as one; what a missing one held is named, never guessed."""

import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.support.cabinets import cabinet, cabinet_of_folders, cabinet_set
from tests.support.pieces import BytesSource, Pieces, read

from redwell.core.errors import InvalidFile, Unsupported
from redwell.core.handler import Volume
from redwell.core.outcomes import Code, Outcome
from redwell.handlers.archives import cabinet_set as handler
from redwell.handlers.host.volume_checks import are_a_set, stands_alone

pytestmark = pytest.mark.requirement("A7", "A20")

CAB = "application/vnd.ms-cab-compressed"
WORDS = random.Random(5).randbytes(45_000).hex().encode()
FILES = {"one.txt": b"the first\n", "dir\\big.txt": WORDS, "last.txt": b"the last one\n" * 9}


def volumes_of(cabinets: Sequence[bytes]) -> tuple[Volume, ...]:
    return tuple(Volume(number=n, suffix=f"{n}.cab", size=len(data)) for n, data in enumerate(cabinets, 1))


def taken(cabinets: Sequence[bytes], tmp_path: Path) -> Pieces:
    return read(handler, b"".join(cabinets), tmp_path, volumes=volumes_of(cabinets))


def files_in(pieces: Pieces) -> dict[str, bytes]:
    return {pieces.children[key].name: content for key, content in pieces.contents.items()}


WHOLE = {name.replace("\\", "/"): content for name, content in FILES.items()}


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("size", [40_000, 9_000])
@pytest.mark.parametrize("reserve", [0, 6])
def test_files_that_cross_borders_come_out_whole(packed: bool, size: int, reserve: int, tmp_path: Path) -> None:
    cabinets = cabinet_set(FILES, size, packed=packed, reserve=reserve)
    pieces = taken(cabinets, tmp_path)
    assert len(cabinets) > 1 and (pieces.error, pieces.troubles) == (None, [])
    assert files_in(pieces) == WHOLE


def test_what_lay_in_a_missing_cabinet_is_lost_by_name_and_the_rest_stands(tmp_path: Path) -> None:
    pieces = taken(cabinet_set(FILES, 40_000)[:-1], tmp_path)
    assert files_in(pieces) == {"one.txt": FILES["one.txt"]}
    assert [lost.name for lost in pieces.lost.values()] == ["dir/big.txt", "last.txt"]
    assert [(each.code, each.detail) for each in pieces.troubles] == [
        (Code.FILE_MISSING_OR_INCOMPLETE, "the volume disk3.cab is missing")
    ]


def test_without_the_first_cabinet_nothing_is_read_from_a_wrong_place(tmp_path: Path) -> None:
    pieces = taken(cabinet_set(FILES, 40_000)[1:], tmp_path)
    assert not pieces.contents and isinstance(pieces.error, InvalidFile)
    assert {lost.name for lost in pieces.lost.values()} == {"dir/big.txt", "last.txt"}
    assert pieces.troubles[0].detail == "the volume disk1.cab is missing"


def test_both_sides_of_a_gap_name_what_crosses_it_once(tmp_path: Path) -> None:
    first, _, *others = cabinet_set(FILES, 9_000)
    pieces = taken([first, *others], tmp_path)
    names = [lost.name for lost in pieces.lost.values()]
    assert len(names) == len(set(names)) and "dir/big.txt" in names
    assert [each.detail for each in pieces.troubles] == ["the volume disk2.cab is missing"]


@pytest.mark.parametrize("reserve", [0, 6])
@pytest.mark.parametrize("behind", [9, 20_000])
def test_damage_in_a_block_costs_its_file_wherever_the_border_is(reserve: int, behind: int, tmp_path: Path) -> None:
    cabinets = cabinet_set(FILES, 40_000, reserve=reserve)
    damaged = bytearray(cabinets[0])
    damaged[-behind] ^= 1
    pieces = taken([bytes(damaged), *cabinets[1:]], tmp_path)
    assert "dir/big.txt" in {lost.name for lost in pieces.lost.values()}
    assert "dir/big.txt" not in files_in(pieces)


def test_a_cabinet_that_is_cut_off_costs_what_is_missing(tmp_path: Path) -> None:
    first, second, *others = cabinet_set(FILES, 40_000)
    pieces = taken([first, second[:-20_000], *others], tmp_path)
    assert files_in(pieces) == {"one.txt": FILES["one.txt"]}
    assert [lost.name for lost in pieces.lost.values()] == ["dir/big.txt", "last.txt"]


def test_a_set_behind_a_cabinet_that_is_whole_is_read_with_it(tmp_path: Path) -> None:
    """Names alone cannot tell where a set begins."""
    alone, other = cabinet({"alone.txt": b"by itself"}), cabinet({"other.txt": b"by itself, too"})
    pieces = taken([alone, *cabinet_set(FILES, 40_000), other], tmp_path)
    assert files_in(pieces) == {"alone.txt": b"by itself", **WHOLE}


def test_a_cabinet_by_itself_is_left_to_the_other_handler(tmp_path: Path) -> None:
    assert isinstance(read(handler, cabinet({"a.txt": b"a"}), tmp_path).error, Unsupported)


def test_cabinets_are_a_set_only_where_one_says_that_it_goes_on(tmp_path: Path) -> None:
    linked, whole = cabinet_set(FILES, 40_000), [cabinet({"a.txt": b"a"}), cabinet({"b.txt": b"b"})]
    for cabinets, expected in ((linked, True), (whole, False), ([whole[0], *linked], True)):
        sources = [BytesSource(data) for data in cabinets]
        assert are_a_set(volumes_of(cabinets), sources[0], lambda place, all_=sources: all_[place]) is expected
    assert stands_alone(BytesSource(whole[0]), CAB, "archive")
    assert not stands_alone(BytesSource(linked[1]), CAB, "archive")


QUANTUM = 0x0F72


def test_files_of_quantum_are_named_and_cost_no_other(tmp_path: Path) -> None:
    data = cabinet_of_folders((QUANTUM, {"a.txt": b"?", "b.txt": b"?"}), (0, {"c.txt": b"plain"}))
    pieces = read(handler, data, tmp_path)
    assert (files_in(pieces), pieces.error) == ({"c.txt": b"plain"}, None)
    assert [(lost.name, lost.outcome) for lost in pieces.lost.values()] == [
        ("a.txt", Outcome.UNSUPPORTED),
        ("b.txt", Outcome.UNSUPPORTED),
    ]


def test_a_cabinet_of_quantum_alone_is_not_supported(tmp_path: Path) -> None:
    pieces = read(handler, cabinet_of_folders((QUANTUM, {"a.txt": b"?"})), tmp_path)
    assert isinstance(pieces.error, Unsupported) and [lost.name for lost in pieces.lost.values()] == ["a.txt"]
