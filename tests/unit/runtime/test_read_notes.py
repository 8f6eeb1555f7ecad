"""What a killed import of a volume has noted of the files that it had read."""

from pathlib import Path

import pytest

from redwell.core.work.records import Found
from redwell.intake.read_notes import ReadNotes, note_of

pytestmark = pytest.mark.requirement("A13")


def found(path: str, size: int = 3, modified: str = "2024-01-01T00:00:00+00:00") -> Found:
    return Found(locator=path, name=path, path=path, size=size, dates={"modified": modified} if modified else {})


def test_a_file_that_looks_as_it_did_is_known_by_its_hash_and_a_torn_line_is_passed_over(tmp_path: Path) -> None:
    place = tmp_path / "notes"
    ReadNotes(place).add([note_of(found("a"), "aa" * 32)])
    ReadNotes(place).add([note_of(found("b\nc"), "bb" * 32)])
    with open(place, "ab") as file:
        file.write(b'\n["d",3,"20')
    ReadNotes(place).add([note_of(found("e"), "ee" * 32)])
    notes = ReadNotes(place)
    assert [notes.sha256_of(found(path)) for path in ("a", "b\nc", "d")] == [b"\xaa" * 32, b"\xbb" * 32, None]
    assert notes.sha256_of(found("e")) == b"\xee" * 32


@pytest.mark.parametrize("now", [found("a", size=4), found("a", modified="2024-01-02T00:00:00+00:00")])
def test_a_file_that_looks_otherwise_is_read_again(now: Found, tmp_path: Path) -> None:
    ReadNotes(tmp_path / "notes").add([note_of(found("a"), "aa" * 32)])
    assert ReadNotes(tmp_path / "notes").sha256_of(now) is None


def test_a_file_without_a_time_is_never_believed_and_a_volume_that_was_read_leaves_no_notes(tmp_path: Path) -> None:
    notes = ReadNotes(tmp_path / "notes")
    notes.add([note_of(found("a", modified=""), "aa" * 32)])
    assert ReadNotes(tmp_path / "notes").sha256_of(found("a", modified="")) is None
    notes.forget()
    assert not (tmp_path / "notes").exists()
