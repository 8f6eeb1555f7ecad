"""Names say which files are volumes of one set, in which order, and what is missing."""

import pytest

from redwell.core.work.volumes import (
    LAST,
    File,
    Place,
    Scheme,
    VolumeSet,
    context_of_set,
    hint_in,
    in_one_run,
    missing,
    place_of,
    scheme_in,
    sets_of,
    suffix_of,
)

pytestmark = pytest.mark.requirement("A7")


def sets(*names: str, sizes: dict[str, int] | None = None) -> list[VolumeSet[str]]:
    return list(sets_of(File(name, name, (sizes or {}).get(name, 10)) for name in names))


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("a/b.zip", Place("a/b.", Scheme.ZIP, LAST)),
        ("b.Z07", Place("b.", Scheme.ZIP, 7)),
        ("b.part03.rar", Place("b.", Scheme.RAR, 3)),
        ("b.RAR", Place("b.", Scheme.OLD_RAR, 1)),
        ("b.r00", Place("b.", Scheme.OLD_RAR, 2)),
        ("b.s01", Place("b.", Scheme.OLD_RAR, 103)),
        ("b.7z.012", Place("b.7z.", Scheme.SPLIT, 12)),
        ("b.part01.exe", Place("b.", Scheme.RAR, 1)),
        ("b.part2.exe", None),
        ("b.ARJ", Place("b.", Scheme.ARJ, 1)),
        ("b.a01", Place("b.", Scheme.ARJ, 2)),
        ("b.tar.gz.ab", Place("b.tar.gz.", Scheme.LETTERS, 2)),
        ("b.zip.ba", Place("b.zip.", Scheme.LETTERS, 27)),
        ("a/disk2.CAB", Place("a/disk", Scheme.CAB, 2)),
        ("a/12.cab", Place("a/", Scheme.CAB, 12)),
        ("kb890830.cab", None),
        ("b.cab", None),
        ("main.js", None),
        ("b.tar.gz", None),
        ("b.tar.xz", None),
        ("b.tar.gz.AB", None),
        ("b.000", None),
        ("b.pdf", None),
        (".001", None),
        ("b.z1", None),
        ("minutes 2019", None),
    ],
)
def test_a_name_stands_for_a_place_in_a_set_or_for_none(name: str, place: Place | None) -> None:
    assert place_of(name) == place


@pytest.mark.parametrize(
    "name", ["b.zip", "b.z07", "b.part3.rar", "b.rar", "b.r00", "b.s01", "b.012", "b.arj", "b.a07", "b.7z.bc"]
)
def test_a_place_tells_how_its_name_ends(name: str) -> None:
    place = place_of(name)
    assert place and place.stem[:-1] + suffix_of(place.scheme, place.number) == name


def test_a_place_of_a_cabinet_has_no_dot_before_its_number() -> None:
    place = place_of("disk2.cab")
    assert place and place.stem + suffix_of(place.scheme, place.number) == "disk2.cab"


def test_a_split_zip_is_headed_by_its_last_volume() -> None:
    [found] = sets("a.zip", "a.z02", "a.z01", "b.zip", "c.z01")
    assert (found.head, found.others) == ("a.zip", ["a.z01", "a.z02"])
    assert [name for _, name in found.volumes] == ["a.z01", "a.z02", "a.zip"]


def test_other_sets_are_headed_by_the_first_volume_that_is_there() -> None:
    old, new = sets("a.r01", "a.rar", "a.r00", "n.part2.rar", "n.part10.rar")
    assert (old.head, old.others) == ("a.rar", ["a.r00", "a.r01"])
    assert (new.head, new.others) == ("n.part2.rar", ["n.part10.rar"])


def test_numbered_files_are_a_split_only_where_they_were_cut_to_one_size() -> None:
    pages = {"scan.001": 900, "scan.002": 870, "scan.003": 910}
    assert not sets(*pages, sizes=pages)
    cut = {"dump.001": 900, "dump.002": 900, "dump.003": 10}
    assert sets(*cut, sizes=cut)[0].head == "dump.001"
    damaged = {"x.7z.001": 900, "x.7z.002": 870, "x.7z.003": 10}
    assert sets(*damaged, sizes=damaged)[0].head == "x.7z.001"


def test_two_files_at_one_place_are_no_set() -> None:
    assert not sets("a.part1.rar", "a.part01.rar", "a.part2.rar")


def test_the_name_of_what_was_split_still_tells_its_type() -> None:
    [found] = sets("table.csv.001", "table.csv.002")
    assert found.hint == "csv"


def test_what_is_missing_is_named_as_far_as_names_tell() -> None:
    assert missing(Scheme.ZIP, [1, 3, LAST]) == [".z02"]
    assert missing(Scheme.ZIP, [1, 2]) == [".zip"]
    assert missing(Scheme.RAR, [3, 4]) == [".part1.rar", ".part2.rar"]
    assert missing(Scheme.OLD_RAR, [2]) == [".rar"]
    assert missing(Scheme.SPLIT, [1, 2]) == []
    assert missing(Scheme.CAB, [1, 7]) == []


def test_nothing_of_a_split_file_is_read_behind_a_gap() -> None:
    assert in_one_run(Scheme.SPLIT, [1, 2, 4, 5]) == [1, 2]
    assert in_one_run(Scheme.ZIP, [1, 2, 4, LAST]) == [1, 2, 4, LAST]


def test_a_context_changes_with_every_volume_and_keeps_scheme_and_hint() -> None:
    contexts = {
        context_of_set(Scheme.SPLIT, "csv", contents)
        for contents in ([(1, b"a" * 32), (2, b"b" * 32)], [(1, b"a" * 32), (3, b"b" * 32)], [(1, b"a" * 32)])
    }
    assert len(contexts) == 3
    assert {(hint_in(c), scheme_in(c)) for c in contexts} == {("csv", Scheme.SPLIT)}
    assert [(hint_in(c), scheme_in(c)) for c in ("", "csv", "+part")] == [("", None), ("csv", None), ("", None)]


def test_pieces_with_letters_begin_with_the_first() -> None:
    [found] = sets("a.7z.aa", "a.7z.ab", "b.7z.ab", "b.7z.ac", "c.tar.gz", "c.tar.xz")
    assert (found.head, found.others) == ("a.7z.aa", ["a.7z.ab"])
