"""Whoever works on understanding may be killed at any trip point: each ingestion completes once, on every queue."""

import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest
from tests.integration.test_understanding import INVOICE, Desk
from tests.support.review_cases import case_with_exhibits, databases
from tests.support.services import SERVICES, Services

from redwell.adapters.sql.database import Database
from redwell.core import trip
from redwell.core.ids import uuid7
from redwell.core.understanding.states import Status
from redwell.ports.queue import Message, Queue
from redwell.ports.understanding import Wish
from redwell.runtime.understanding.messages import IngestionMessages, ingest_queue
from redwell.runtime.understanding.run import Heartbeat, Run
from redwell.understand.pipeline import Document

POINTS = (
    "understand.claim.before_commit",
    "understand.claim.after_commit",
    "understand.fail.before_commit",
    "understand.complete.before_commit",
    "understand.complete.after_commit",
    "understand.before_acknowledge",
)
KILLED = "the killed one"


class Site:
    """A case with its queue, as each process opens them."""

    def __init__(self, opener: Callable[[], Database], services: Services, folder: Path) -> None:
        self._opener, self._services, self._folder = opener, services, folder
        self.name = ingest_queue(services.prefix, 1)

    def desk(self) -> "FlakyDesk":
        return FlakyDesk(self._opener(), self._folder / "failed")

    def queue(self) -> Queue:
        return self._services.queue()

    def work(self, owner: str) -> int:
        """Until nothing is left; how many it completed."""
        desk = self.desk()
        messages, run = IngestionMessages(self.queue(), self.name, desk.store), Run(desk.tools(), owner=owner)
        with Heartbeat(desk.store) as heart:
            while messages.sweep():
                while messages.poll(run, heart, wait_s=0):
                    pass
        return run.account.completed

    def killed_at(self, point: str) -> bool:
        """In a process of its own, which dies there."""
        if not (child := os.fork()):
            try:
                os.setpgid(0, 0)
                trip._armed, trip._left = point, 1
                self.work(KILLED)
            finally:
                os._exit(0)
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL


class FlakyDesk(Desk):
    """The third exhibit's text can't be read at first, in whichever process that is."""

    def __init__(self, database: Database, failed: Path) -> None:
        self.store, self.text, self._failed = self.store_on(database), INVOICE, failed

    def document(self, exhibit: int) -> Document:
        if exhibit % 3 == 0 and not (mark := self._failed.with_name(f"failed-{exhibit}")).exists():
            mark.touch()
            raise OSError("the store is away")
        return super().document(exhibit)


@pytest.fixture(params=SERVICES)
def site(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Site]:
    """Rows in the database that the queue is in; with SQS, in a file."""
    kind = "postgres" if request.param == "postgres" else "sqlite"
    with ExitStack() as opened:
        services = opened.enter_context(SERVICES[request.param](tmp_path))
        opener = opened.enter_context(databases(kind, tmp_path))
        case_with_exhibits(opener(), 3 * len(POINTS))
        yield Site(opener, services, tmp_path)


@pytest.mark.requirement("B3", "B4", "B7")
def test_killed_anywhere_each_ingestion_completes_once(site: Site) -> None:
    desk = site.desk()
    desk.add_schema()
    for number, point in enumerate(POINTS):
        wishes = [Wish(exhibit=3 * number + n, uploader="ada") for n in (1, 2, 3)]
        uids = desk.store.wish(wishes)
        IngestionMessages(site.queue(), site.name, desk.store).post([*uids, uids[0]])
        site.queue().send(site.name, [Message(body="no id at all"), Message(body=str(uuid7()))])
        assert site.killed_at(point), point
        done_before = [uid for uid in uids if desk.store.status(uid) is Status.COMPLETED]
        desk.store.free_dead(lambda owner: owner == KILLED)
        with ThreadPoolExecutor(2) as pool:
            done = sum(pool.map(site.work, ("one", "two")))
        assert (done, desk.store.orphans(1 << 60, 0)) == (3 - len(done_before), []), point
        for wish in wishes:
            (ended,) = desk.store.ingestions(wish.exhibit)
            assert ended.status is Status.COMPLETED and ended.structured_data, point
            assert ended.attempt <= 3 and len(desk.store.proposals(ended.id)) == 3, point
    assert desk.store.counts() == {"needs review": 3 * len(POINTS)} and not desk.store.has_work()
