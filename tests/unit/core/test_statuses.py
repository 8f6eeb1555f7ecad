"""Where events lie for analysis, and when what waits is written down (core.events.statuses)."""

import pytest

from redwell.core.events.event import Event
from redwell.core.events.statuses import (
    COLUMNS,
    Buffer,
    StatusLine,
    error_file,
    first_row,
    is_due,
    status_file,
    status_line,
)

pytestmark = pytest.mark.requirement("A16")


def test_files_lie_by_case_and_batch_and_tell_where_they_begin() -> None:
    name = status_file(7, 2, 1234)
    assert name == "statuses/caseid=7/batchid=2/000000000001234.parquet"
    assert first_row(name) == 1234
    assert error_file("KeyError", 7, 12, 1_794_787_890_520) == "errors/KeyError/2026/11/16/7-12.json"


def test_a_line_has_the_columns_in_their_order() -> None:
    assert StatusLine.__struct_fields__ == tuple(column.name for column in COLUMNS)
    line = status_line(Event(event_type="ERROR", case_id=7, batch_id=1, exhibit_ids=(3, 4), event_detail={"a": 1}))
    assert (line.eventtype, line.exhibits, line.eventdetail) == ("ERROR", (3, 4), {"a": 1})


@pytest.mark.parametrize(
    ("rows", "age_ms", "ends", "due"),
    [
        (1, 0, False, False),
        (1, 59_999, False, False),
        (1, 60_000, False, True),
        (Buffer().rows, 0, False, True),
        (1, 0, True, True),
    ],
)
def test_what_waits_is_written_when_it_is_much_or_old_or_a_job_is_over(
    rows: int, age_ms: int, ends: bool, due: bool
) -> None:
    assert is_due(rows, 1_000, 1_000 + age_ms, ends=ends) is due
