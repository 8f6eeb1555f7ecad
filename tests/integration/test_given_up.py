"""Work whose last attempt failed ends with a named problem and tells so, and its exhibits are complete."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from redwell.core.blobs import Digests, Stored
from redwell.core.events.event import Event, EventType
from redwell.core.jobs.job import NewJob
from redwell.core.outcomes import Code, Outcome
from redwell.core.reading import Problem
from redwell.core.work.kinds import Attempts, TaskType
from redwell.core.work.records import Claim, Failure, Found, Member, Read
from redwell.ports.contents import keep
from redwell.runtime.bootstrap.open_case import Case, open_case
from redwell.runtime.bootstrap.settings import Settings
from redwell.runtime.upkeep.batches import begin

pytestmark = pytest.mark.requirement("A17")

TOLD = (EventType.ERROR, EventType.TASK_FINISHED, EventType.DOCUMENT_PROCESSED)


@pytest.fixture
def case(tmp_path: Path) -> Iterator[Case]:
    with open_case(tmp_path / "home", "case", Settings(), create=True) as made:
        begin(made, ["/evidence"], "files", None, NewJob())
        [walk] = made.store.claim_walks(1)
        names = ("gone.txt", "word.txt")
        made.store.close_walk(walk, [Found(locator=n, name=n, path=n, size=4) for n in names], 2)
        yield made


def stored(case: Case, data: bytes) -> Stored:
    kept = keep({Digests.of(data): data}, case.store, case.blobs)
    case.blobs.sync()
    return kept[Digests.of(data)]


def read(case: Case) -> None:
    """One file is there, the other is not any more."""
    gone, there = case.store.claim_reads(1, 2)
    lost = (Problem(code=Code.FILE_MISSING_OR_INCOMPLETE, detail="no such file"),)
    failed = Read(id=gone.id, attempt=1, name=gone.name, outcome=Outcome.INVALID_FILE, problems=lost)
    case.store.record_reads([failed, Read(id=there.id, attempt=1, name=there.name, stored=stored(case, b"word"))])


def claimed(case: Case) -> Claim:
    [claim] = case.store.claim_work(1, 1 << 20)
    return claim


def events(case: Case) -> list[Event]:
    return case.journal.log.unpack(case.journal.log.rows())


def told(case: Case, name: str) -> list[tuple[str, str, dict[str, Any]]]:
    """How it ended for those who listen; the number of its work says nothing here."""
    [exhibit] = [row.id for row in case.rows.exhibits() if row.name == name]
    of_it = [event for event in events(case) if event.event_type in TOLD and exhibit in event.exhibit_ids]
    assert {event.job_id for event in of_it} == {1}
    details = [{k: v for k, v in event.event_detail.items() if k != "number"} for event in of_it]
    return [(event.event_type, event.status, detail) for event, detail in zip(of_it, details, strict=True)]


def problems(case: Case, name: str) -> list[str]:
    [row] = [row for row in case.rows.exhibits() if row.name == name]
    return [problem.code for problem in row.problems]


def test_a17_a_file_that_cannot_be_read_is_complete_and_its_task_has_failed(case: Case) -> None:
    read(case)
    detail = {
        "task": "intake-document",
        "outcome": "INVALID_FILE",
        "reason": "no such file",
        "problem": "FILE_MISSING_OR_INCOMPLETE",
    }
    assert told(case, "gone.txt") == [
        ("TASK_FINISHED", "ERROR", detail),
        ("DOCUMENT_PROCESSED", "SUCCESS", {"outcome": "INVALID_FILE", "reason": "no such file"}),
    ]


def test_a17_a_content_on_which_worker_after_worker_died_stands_without_its_text(case: Case) -> None:
    read(case)
    for _ in range(Attempts().deaths):
        claimed(case)
        case.store.sweep(lambda _: False)
    reason = "10 workers in a row died while they held it"
    detail = {"task": "extract-text", "outcome": "CRASHED", "reason": reason, "problem": "TEXT_UNAVAILABLE"}
    assert told(case, "word.txt")[1:] == [
        ("ERROR", "ERROR", detail),
        ("TASK_FINISHED", "ERROR", detail),
        ("DOCUMENT_PROCESSED", "SUCCESS", {"outcome": "CRASHED"}),
    ]
    assert problems(case, "word.txt") == ["TEXT_UNAVAILABLE"]


def test_a17_a_container_that_is_given_up_keeps_its_members_and_is_incomplete(case: Case) -> None:
    read(case)
    claim = claimed(case)
    member = Member(derivation=claim.id, attempt=1, locator="0", name="inner.txt", stored=stored(case, b"inner"))
    lost = Member(derivation=claim.id, attempt=1, locator="1", name="lost", outcome=Outcome.INVALID_FILE, detail="cut")
    case.store.record([member, lost], [])
    claimed(case)  # the member, which stays claimed
    for attempt in range(1, 5):
        failed = {"derivation": claim.id, "attempt": attempt, "outcome": Outcome.CRASHED, "detail": "it died"}
        case.store.blame([Failure(**failed, task=TaskType.UNPACK_DOCUMENT)])
        case.store.claim_work(1, 1 << 20)
    task = {
        "task": "unpack-document",
        "outcome": "CRASHED",
        "reason": "it died",
        "problem": "FILE_MISSING_OR_INCOMPLETE",
    }
    assert told(case, "word.txt")[-2:] == [
        ("TASK_FINISHED", "ERROR", task),
        ("DOCUMENT_PROCESSED", "SUCCESS", {"outcome": "PARTIAL"}),
    ]
    gone = ("DOCUMENT_PROCESSED", "SUCCESS", {"outcome": "INVALID_FILE", "reason": "cut"})
    assert told(case, "lost") == [gone], "the member that could not be taken out"
    assert problems(case, "word.txt") == ["FILE_MISSING_OR_INCOMPLETE"]
