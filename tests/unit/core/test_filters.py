"""Which files are left out before processing, and why."""

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from redwell.core.case.filters import Rules, matches, may_be_known
from redwell.core.errors import UserError

pytestmark = pytest.mark.requirement("A12", "A20")

_DAY = datetime(2020, 3, 4, 5, 6, tzinfo=UTC)


@pytest.mark.parametrize(
    ("rules", "setting"),
    [
        (Rules(exclude="*.tmp;*/cache/*"), "exclude"),
        (Rules(include="*.docx"), "include"),
        (Rules(min_file_kb=10), "min_file_kb"),
        (Rules(max_file_kb=1), "max_file_kb"),
        (Rules(modified_from="2020-03-05"), "modified_from"),
        (Rules(modified_to="2020-03-03"), "modified_to"),
    ],
)
def test_a_file_is_left_out_for_a_reason_that_names_the_setting(rules: Rules, setting: str) -> None:
    assert setting in rules.of_file("Mail/cache/a.TMP", 2000, _DAY)


@pytest.mark.parametrize(
    "rules",
    [
        Rules(),
        Rules(exclude="*.doc"),
        Rules(include="mail/*;other/*", exclude=" "),
        Rules(modified_from="2020-03-04", modified_to="2020-03-04", min_file_kb=1, max_file_kb=2),
    ],
)
def test_a_file_that_no_rule_speaks_of_is_kept(rules: Rules) -> None:
    assert rules.of_file("Mail/cache/a.TMP", 2000, _DAY) == ""


def test_types_are_left_out_by_pattern() -> None:
    assert "exclude_types" in Rules(exclude_types="video/*;audio/*").of_type("audio/wav")
    assert "include_types" in Rules(include_types="application/pdf").of_type("audio/wav")
    assert Rules(include_types="application/pdf", exclude_types="video/*").of_type("application/pdf") == ""


def test_a_date_that_is_none_is_the_users_to_mend() -> None:
    with pytest.raises(UserError, match="modified_to needs a date"):
        Rules(modified_to="yesterday").check()


def test_the_empty_file_is_never_known() -> None:
    assert not may_be_known(bytes.fromhex("d41d8cd98f00b204e9800998ecf8427e"), 5)
    assert not may_be_known(bytes(16), 0)
    assert may_be_known(bytes(16), 1)


@settings(deadline=None)
@given(st.text(), st.text(alphabet="ab*?[];./\\"))
def test_no_pattern_breaks_the_rule(path: str, patterns: str) -> None:
    assert matches(path, patterns) in (True, False)
