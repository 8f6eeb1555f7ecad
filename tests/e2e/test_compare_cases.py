"""tools/compare_cases.py: two imports of the same evidence are equal, and what differs is told by path and field."""

from pathlib import Path
from typing import Any

import pytest
from tests.support.product import redwell
from tools.compare_cases import differences, main

ROW: dict[str, Any] = {
    "id": 1,
    "uid": "u",
    "document": "d",
    "source_dates": {"modified": "2020"},
    "path": "a.txt",
    "ordinal": 1,
    "parent": None,
    "root": 1,
    "family": 1,
    "duplicate_of": None,
    "control_number": "RW1",
    "text": "the settlement",
    "pages": 2,
}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    evidence = tmp_path / "evidence"
    evidence.mkdir()
    (evidence / "letter.txt").write_text("the settlement is four million")
    (evidence / "copy.txt").write_text("the settlement is four million")
    for case in ("first", "second"):
        assert redwell(tmp_path / "home", "import", str(evidence), "--case", case).returncode == 0
    (evidence / "letter.txt").write_text("the settlement is five million")
    (evidence / "late.txt").write_text("one more")
    assert redwell(tmp_path / "home", "import", str(evidence), "--case", "changed").returncode == 0
    return tmp_path / "home"


def test_two_imports_of_the_same_evidence_are_equal(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(home), "first", str(home), "second"]) == 0
    assert capsys.readouterr().out == "2 and 2 exhibits, all equal\n"


def test_what_differs_is_told_by_path_and_field(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(home), "first", str(home), "changed", "--ignore", "control_number"]) == 1
    out = capsys.readouterr().out
    assert "late.txt\n  exhibit: only in the second\n" in out
    assert '  text: "the settlement is four million" -> "the settlement is five million"\n' in out
    assert "2 and 3 exhibits, 3 differ: " in out


def test_a_case_that_cannot_be_read_is_no_difference(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="the documents of case 'none'"):
        main([str(tmp_path), "none", str(tmp_path), "none"])


def test_ids_and_times_of_a_run_are_no_difference_and_a_parent_is_told_by_its_path() -> None:
    container, member = {**ROW, "path": "a.zip"}, {**ROW, "id": 2, "path": "a.zip//b", "parent": 1}
    again = [
        {**container, "id": 7, "uid": "v", "source_dates": {}, "root": 7, "family": 7},
        {**member, "id": 8, "parent": 7, "root": 7, "family": 7},
    ]
    assert list(differences([container, member], again)) == []
    elsewhere = [again[0], {**again[1], "parent": 8}]
    [(path, found)] = differences([container, member], elsewhere)
    assert (path, found) == ("a.zip//b", {"parent": '"a.zip" -> "a.zip//b"'})


def test_members_of_the_same_path_are_compared_in_their_order() -> None:
    twice = [ROW, {**ROW, "id": 2, "ordinal": 2, "text": "other"}]
    assert list(differences(twice, list(reversed(twice)))) == []


def test_a_long_value_is_shown_where_it_differs() -> None:
    [(_, found)] = differences([{**ROW, "text": "x" * 9_000 + "A"}], [{**ROW, "text": "x" * 9_000 + "B"}])
    assert len(found["text"]) < 200 and found["text"].endswith('xB"')
