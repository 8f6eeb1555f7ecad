"""Tests that share an import run on one worker."""

import re
from pathlib import Path

from tests.support.groups import groups_below

TESTS = Path(__file__).resolve().parents[1]


def test_every_module_that_marks_itself_as_one_of_a_group_is_in_it() -> None:
    marked = {
        path.relative_to(TESTS.parent).as_posix()
        for path in TESTS.rglob("test_*.py")
        if re.search(r"mark\.xdist_group", path.read_text("utf-8"))
    }
    groups = groups_below(TESTS)
    assert set(groups) == marked - {"tests/unit/test_groups.py"}
    assert groups["tests/e2e/test_databases.py"] == groups["tests/e2e/test_machines.py"] == "databases"
