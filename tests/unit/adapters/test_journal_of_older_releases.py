"""Events that an older release wrote are told as before, in the form that they have now (migrations.step_0006)."""

import json
from contextlib import closing
from pathlib import Path
from typing import Any

from redwell.adapters.sql.job_tables import event
from redwell.adapters.sql.migrations import step_0006
from redwell.adapters.sql.new_case import create_case
from redwell.adapters.sql_queues.event_log import SqlEventLog
from redwell.adapters.sqlite.database import SqliteDatabase
from redwell.core.events.event import Event

ID = "01890a5d-ac96-774b-bcce-b302099a8057"
UID = "01890a5d-ac96-774b-bcce-b302099a8058"


def old(kind: str, **said: Any) -> dict[str, Any]:
    """As version 4 kept it."""
    fields = {"event_type": kind, "batch": 1, "job": 3, "document": None, "exhibits": [], "detail": {}}
    more = {"status": "SUCCESS", "source": "redwell", "version": 1, "id": ID, "timestamp_ms": 1794787890520}
    return {**fields, **more, **said}


def told(folder: Path, *events: dict[str, Any]) -> list[Event]:
    with closing(SqliteDatabase(folder / "case.sqlite")) as database:
        create_case(database, {"name": "old"})
        rows = [{"type": each["event_type"], "batch": each["batch"], "body": json.dumps(each)} for each in events]
        database.write(lambda tx: tx.execute(event.insert(), rows) and None)
        database.write(step_0006.upgrade)
        log = SqlEventLog(database, 7)
        return log.unpack(log.rows(limit=10_000))


def test_an_event_about_a_job_says_what_it_said(tmp_path: Path) -> None:
    [event] = told(tmp_path, old("JOB_QUEUED", detail={"workerLimit": 2}))
    assert (event.event_type, event.case_id, event.batch_id, event.job_id) == ("JOB_QUEUED", 7, 1, 3)
    assert (event.event_detail, event.timestamp) == ({"workerLimit": 2}, 1794787890520)
    assert event.id[:-6] == ID[:-6]


def test_an_event_about_exhibits_names_them(tmp_path: Path) -> None:
    processed = old("DOCUMENT_PROCESSED", exhibits=[2, 3], document=UID, detail={"outcome": "FILTERED", "reason": "x"})
    [first, second] = told(tmp_path, processed)
    assert (*first.exhibit_ids, *second.exhibit_ids) == (2, 3), "their content is not among the rows of this test"
    assert first.event_detail == second.event_detail == {"outcome": "FILTERED", "reason": "x"}


def test_an_event_about_a_content_says_which(tmp_path: Path) -> None:
    [event] = told(tmp_path, old("ERROR", document=UID, status="ERROR", detail={"outcome": "CRASHED"}))
    assert (event.status, event.event_detail) == ("ERROR", {"outcome": "CRASHED", "document": UID})


def test_any_number_of_rows_is_brought_on(tmp_path: Path) -> None:
    many = [old("DOCUMENT_ADDED", detail={"count": number}) for number in range(4_500)]
    assert [event.event_detail["count"] for event in told(tmp_path, *many)] == list(range(4_500))
