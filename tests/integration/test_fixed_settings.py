"""What a case is made with and keeps: its time zone."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from redwell.core.case.timezone import timezone_of, zone
from redwell.core.errors import UserError
from redwell.runtime.bootstrap.open_case import open_case
from redwell.runtime.bootstrap.open_reader import open_reader
from redwell.runtime.bootstrap.settings import Settings

BERLIN = Settings(timezone="Europe/Berlin")


def test_a_case_keeps_the_time_zone_it_was_made_with(tmp_path: Path) -> None:
    with open_case(tmp_path, "a", BERLIN, create=True) as case:
        assert case.timezone == "Europe/Berlin"
    for create in (True, False):
        with open_case(tmp_path, "a", Settings(), create=create) as case:
            assert case.timezone == "Europe/Berlin"
            assert case.rows.info().timezone == "Europe/Berlin"


def test_a_case_has_utc_where_nobody_says(tmp_path: Path) -> None:
    with open_case(tmp_path, "a", Settings(), create=True) as case:
        assert case.timezone == timezone_of({}) == "UTC"
    assert zone("UTC") is UTC


def test_an_import_that_asks_for_another_time_zone_is_told_which_one_is_fixed(tmp_path: Path) -> None:
    open_case(tmp_path, "a", Settings(), create=True).close()
    with pytest.raises(UserError, match=r"'a' has the timezone UTC, which is fixed .* not Europe/Berlin: leave"):
        open_case(tmp_path, "a", BERLIN, create=True)


def test_a_worker_whose_environment_names_another_time_zone_serves_the_case_in_its_own(tmp_path: Path) -> None:
    open_case(tmp_path, "a", Settings(), create=True).close()
    with open_case(tmp_path, "a", BERLIN, guest=True) as case:
        assert case.timezone == "UTC"


@pytest.mark.parametrize(
    "name", ["Europe/Nowhere", "Europe", "../etc/passwd", "/etc/localtime", "a\0b", " ", "x" * 999]
)
def test_a_name_that_is_no_time_zone_is_refused_and_no_case_is_made(name: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="there is no time zone"):
        open_case(tmp_path / "home", "a", Settings(timezone=name), create=True)
    assert not (tmp_path / "home").exists()


def test_the_zone_of_a_case_knows_summer_from_winter() -> None:
    hours = [datetime(2024, month, 1, tzinfo=UTC).astimezone(zone("Europe/Berlin")).hour for month in (1, 7)]
    assert hours == [1, 2]


def test_a_reader_of_the_rows_alone_knows_the_time_zone(tmp_path: Path) -> None:
    open_case(tmp_path, "a", BERLIN, create=True).close()
    with open_reader(tmp_path, "a", Settings()) as reader:
        assert reader.rows.info().timezone == "Europe/Berlin"
