"""What of a case's events the endpoint is told, and what the ledger is told of that (runtime.webhook)."""

import json
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from redwell.core.events import EventType
from redwell.runtime.bootstrap import Case
from redwell.runtime.settings import Settings
from redwell.runtime.webhook import Webhook

DOCUMENTS = (EventType.DOCUMENT_PROCESSED,) * 100


class Store:
    """Events that are there, and how far they were told; each time it is told that is a transaction."""

    def __init__(self, kinds: Sequence[EventType]) -> None:
        self._kinds = kinds
        self.marks = [0]

    def told(self, _who: str) -> int:
        return self.marks[-1]

    def events(self, after: int) -> list[dict[str, Any]]:
        numbered = list(enumerate(self._kinds, 1))[after:]
        return [{"id": key, "type": kind, "body": json.dumps({"id": key})} for key, kind in numbered]

    def tell_up_to(self, _who: str, event: int) -> None:
        self.marks.append(event)


class Endpoint(Webhook):
    def __init__(self, store: Store, folder: Path) -> None:
        super().__init__(cast(Case, SimpleNamespace(store=store, folder=folder, settings=Settings())))
        self.heard: list[int] = []

    def post(self, event: dict[str, Any]) -> None:
        self.heard.append(event["id"])


def told(kinds: Sequence[EventType], folder: Path) -> tuple[list[int], list[int]]:
    endpoint = Endpoint(store := Store(kinds), folder)
    endpoint.stop()
    endpoint.run()
    return endpoint.heard, store.marks[1:]


@pytest.mark.parametrize("last", [(), (EventType.JOB_FINISHED,)])
def test_a14_events_that_are_not_for_the_endpoint_cost_no_transaction_each(
    last: tuple[EventType, ...], tmp_path: Path
) -> None:
    end = 1 + len(DOCUMENTS) + len(last)
    heard, marks = told((EventType.JOB_QUEUED, *DOCUMENTS, *last), tmp_path)
    assert heard == [1, end][: 1 + len(last)]
    assert marks == [1, end]


def test_a14_what_is_for_the_endpoint_is_marked_as_told_one_by_one(tmp_path: Path) -> None:
    heard, marks = told((EventType.JOB_QUEUED, EventType.WORKER_STARTED, EventType.JOB_FINISHED), tmp_path)
    assert heard == marks == [1, 2, 3]
