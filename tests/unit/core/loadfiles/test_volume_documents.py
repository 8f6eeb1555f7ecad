"""Volumes and records as documents: what they name, how paths are found, which record is attached to which."""

import pytest

from redwell.core.errors import InvalidFile
from redwell.core.loadfiles.assembly import NATIVE, RECORD, Part, assembled, read_header
from redwell.core.loadfiles.family_tree import Member, family_tree
from redwell.core.loadfiles.inventory import Inventory
from redwell.core.loadfiles.records.record_fields import metadata_of, read_dates
from redwell.core.loadfiles.volume_document import Told, VolumeFile, balances, read_volume, volume_document

pytestmark = pytest.mark.requirement("A13")
HASH = "ab" * 32


def files(*paths: str) -> list[VolumeFile]:
    return [VolumeFile(path, 3, HASH) for path in sorted(paths)]


def test_a_volume_reads_back_as_it_was_written_and_is_the_same_in_any_order() -> None:
    told, listed = Told(name="VOL1", mapping={"columns": {"A": "docid"}}), files("DATA/a.dat", "x/b.tif", "x/a.txt")
    document = volume_document(told, listed)
    assert document == volume_document(told, listed[::-1])
    assert read_volume(document.splitlines(keepends=True)) == (told, listed)
    assert [part.name for part in read_header(document).parts] == ["DATA/a.dat"]


@pytest.mark.parametrize(
    ("listed", "found"),
    [
        (["a.dat", "n/x.dat", "a.opt"], ["a.dat", "a.opt"]),
        (["V1/DATA/a.dat", "V1/n/x.dat"], ["V1/DATA/a.dat"]),
        (["V1/a.dat", "V1/n/x.dat"], ["V1/a.dat"]),
        (["LOADFILES/a.csv", "x.pdf"], ["LOADFILES/a.csv"]),
    ],
)
def test_load_files_are_known_by_their_places(listed: list[str], found: list[str]) -> None:
    document = volume_document(Told(name="V"), files(*listed))
    assert [part.name for part in read_header(document).parts] == found


@pytest.mark.parametrize("line", [b"", b"{}", b'{"redwell":"record/1"}', b'{"redwell":"x","parts":[]}\n', b"\xff\n"])
def test_what_is_no_such_document_is_refused(line: bytes) -> None:
    with pytest.raises(InvalidFile):
        read_header(line)


def test_a_content_is_named_by_a_whole_hash() -> None:
    with pytest.raises(InvalidFile):
        read_header(assembled(RECORD, [Part(NATIVE, "a", "abcd", 1)]))


@pytest.mark.parametrize(
    "path",
    ["NAT/A.doc", ".\\nat\\a.DOC", "\\NAT\\A.doc", "VOL1\\NAT\\a.doc", "D:\\out\\VOL1\\NAT\\A.doc", '"NAT/A.doc"'],
)
def test_a_file_is_found_whatever_slashes_case_and_beginning_its_path_has(path: str) -> None:
    inventory = Inventory(files("DATA/a.dat", "NAT/A.doc"), "VOL1", ["DATA/a.dat"])
    assert inventory.find(path) == 1
    assert (inventory.asked, inventory.found, inventory.named) == (1, 1, {1})


@pytest.mark.parametrize("path", ["..\\NAT\\A.doc", "NAT/../../x", "/etc/passwd", "", "NAT", "NAT\\B.doc"])
def test_nothing_outside_of_the_volume_is_found(path: str) -> None:
    assert Inventory(files("NAT/A.doc"), "VOL1", []).find(path) is None


def test_families_follow_parents_then_attachments_then_the_first_page() -> None:
    rows = [
        Member("A1", "A1", begattach="A1"),
        Member("A3", "A3", parentid="a1", begattach="A1"),
        Member("A4", "A4", begattach="A1"),
        Member("B1", "B1", parentid="B1", attachids=("B2", "B9")),
        Member("B2", "B2"),
        Member("C1", "C1", parentid="Z9"),
    ]
    tree = family_tree(rows)
    assert tree.parents == [None, 0, 0, None, 3, None]
    assert tree.troubles == {5: "its parent Z9 is in no row"}


def test_parents_that_lead_in_a_circle_or_too_deep_are_told_and_cut() -> None:
    tree = family_tree([Member("A", parentid="B"), Member("B", parentid="A"), Member("C", parentid="B")])
    assert sorted(parent is None for parent in tree.parents) == [False, False, True]
    assert len(tree.troubles) == 1
    deep = family_tree([Member(str(n), parentid=str(n - 1) if n else "") for n in range(100)])
    assert 0 < len(deep.troubles) < 10


def test_fields_are_called_as_in_other_documents_and_dates_are_read_with_their_times() -> None:
    values = {"datesent": "05/21/2001", "timesent": "15:48", "to": "a@b.c; d@e.f", "messageid": "<1>", "md5": "x"}
    found = metadata_of(values, {"Review Status": "Hot"}, read_dates(values, {}))
    assert found["date"] == "2001-05-21T15:48:00"
    assert found["date_raw"] == "05/21/2001 15:48"
    assert found["to"] == ["a@b.c", "d@e.f"]
    assert (found["message_id"], found["stated_md5"], found["review_status"]) == ("<1>", "x", "Hot")


def test_a_volume_adds_up_or_does_not() -> None:
    good = {"volume_rows": 2, "volume_records": 2, "volume_files": 3, "volume_load_files": 1, "volume_files_named": 2}
    assert balances(good)
    assert not balances({**good, "volume_records": 1})
    assert not balances({**good, "volume_files_not_named": 1})
