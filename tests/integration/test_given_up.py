"""A17: work whose last attempt failed ends with a named problem and tells so, and its exhibits are complete."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from redwell.core.blobs import Digests, Stored
from redwell.core.events import EventType
from redwell.core.jobs import NewJob
from redwell.core.ledger import Attempts
from redwell.core.outcomes import Code, Outcome
from redwell.core.records import Claim, Failure, Found, Member, Problem, Read
from redwell.ports.contents import keep
from redwell.runtime.bootstrap import Case, open_case
from redwell.runtime.imports import begin
from redwell.runtime.settings import load_settings

TOLD = (EventType.ERROR, EventType.TASK_FINISHED, EventType.DOCUMENT_PROCESSED)


@pytest.fixture
def case(tmp_path: Path) -> Iterator[Case]:
    with open_case(tmp_path / "home", "case", load_settings(["events=documents"], environ={}), create=True) as made:
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


def told(case: Case, exhibit: int) -> list[tuple[str, str, dict[str, Any]]]:
    """Of the exhibit's events, and of those about its content, which name no exhibit."""
    facts = [json.loads(row["body"]) for row in case.store.events()]
    of_it = [fact for fact in facts if fact["event_type"] in TOLD and (exhibit in fact["exhibits"] or fact["document"])]
    return [(fact["event_type"], fact["status"], fact["detail"]) for fact in of_it]


def problems(case: Case, name: str) -> list[str]:
    [row] = [row for row in case.store.exhibits() if row["name"] == name]
    return [problem["code"] for problem in row["problems"]]


def test_a17_a_file_that_cannot_be_read_is_complete_and_its_task_has_failed(case: Case) -> None:
    read(case)
    [gone] = [row["id"] for row in case.store.exhibits() if row["name"] == "gone.txt"]
    detail = {
        "task": "intake-document",
        "outcome": "INVALID_FILE",
        "reason": "no such file",
        "problem": "FILE_MISSING_OR_INCOMPLETE",
    }
    assert told(case, gone) == [
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
    assert told(case, exhibit=0) == [
        ("ERROR", "ERROR", {"outcome": "CRASHED", "reason": reason}),
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
        case.store.blame([Failure(derivation=claim.id, attempt=attempt, outcome=Outcome.CRASHED, detail="it died")])
        case.store.claim_work(1, 1 << 20)
    task = {
        "task": "unpack-document",
        "outcome": "CRASHED",
        "reason": "it died",
        "problem": "FILE_MISSING_OR_INCOMPLETE",
    }
    assert told(case, exhibit=0)[-2:] == [
        ("TASK_FINISHED", "ERROR", task),
        ("DOCUMENT_PROCESSED", "SUCCESS", {"outcome": "PARTIAL"}),
    ]
    unseen = [json.loads(row["body"])["detail"] for row in case.store.events() if row["type"] == "DOCUMENT_PROCESSED"]
    assert {"outcome": "INVALID_FILE", "count": 1} in unseen, "the member that could not be taken out"
    assert problems(case, "word.txt") == ["FILE_MISSING_OR_INCOMPLETE"]
