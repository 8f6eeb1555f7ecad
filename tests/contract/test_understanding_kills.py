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
from redwell.core.work.attempts import UNDERSTANDING
from redwell.ports.messaging.queue import Message, Queue
from redwell.ports.understanding import Wish
from redwell.runtime.understanding.heartbeat import Heartbeat
from redwell.runtime.understanding.messages import IngestionMessages, ingest_queue
from redwell.runtime.understanding.run import Run
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
DEADLY = 3 * len(POINTS) + 1


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

    def work_by_rows(self, owner: str) -> int:
        """Without messages: many are claimed and written at once."""
        return Run(self.desk().tools(), owner=owner).until_none_is_left().completed

    def killed_at(self, point: str, passing: int = 1, by_rows: bool = False) -> bool:
        """In a process of its own, which dies there."""
        if not (child := os.fork()):
            try:
                os.setpgid(0, 0)
                trip._armed, trip._left = point, passing
                (self.work_by_rows if by_rows else self.work)(KILLED)
            finally:
                os._exit(0)
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL


class FlakyDesk(Desk):
    """The third exhibit's text can't be read at first, in whichever process that is."""

    def __init__(self, database: Database, failed: Path) -> None:
        self.store, self.text, self._failed = self.store_on(database), INVOICE, failed

    def document(self, exhibit: int) -> Document:
        if exhibit == DEADLY:
            os.killpg(0, signal.SIGKILL)
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
        case_with_exhibits(opener(), DEADLY)
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


@pytest.mark.requirement("B3", "B7")
def test_killed_with_many_in_hand_each_completes_once_and_as_in_a_clean_run(site: Site) -> None:
    desk, count, uids = site.desk(), 3 * len(POINTS), list[bytes]()
    desk.add_schema()
    for number, point in enumerate(POINTS):
        more = desk.store.wish([Wish(exhibit=3 * number + n, uploader="ada") for n in (1, 2, 3)])
        if point != POINTS[-1]:  # nothing is acknowledged here
            assert site.killed_at(point, passing=1 if "fail" in point else 2, by_rows=True), point
        desk.store.free_dead(lambda owner: owner == KILLED)
        before = sum(desk.store.status(uid) is Status.COMPLETED for uid in more)
        assert before + site.work_by_rows("one") == len(more) and not desk.store.has_work(), point
        uids += more
    ended = [each for key in range(1, count + 1) for each in desk.store.ingestions(key)]
    assert [each.uid for each in ended] == uids and {each.status for each in ended} == {Status.COMPLETED}
    clean = [(each.path, each.value, each.quote) for each in desk.store.proposals(ended[0].id)]
    assert all([(p.path, p.value, p.quote) for p in desk.store.proposals(each.id)] == clean for each in ended)
    assert len({str(each.structured_data) for each in ended}) == 1 and desk.store.counts() == {"needs review": count}


@pytest.mark.requirement("B7")
def test_an_ingestion_whose_process_dies_each_time_ends_with_a_person(site: Site) -> None:
    desk = site.desk()
    desk.add_schema()
    doomed, other = desk.store.wish([Wish(exhibit=key, uploader="ada") for key in (DEADLY, 2)])
    for number in range(UNDERSTANDING):
        assert site.killed_at("nowhere", by_rows=number % 2 == 0), "by the document itself"
        desk.store.free_dead(lambda owner: owner == KILLED)
    assert site.work("one") + (desk.store.status(other) is Status.COMPLETED) >= 1
    ended = desk.store.by_uid(doomed)
    assert ended and ended.status is Status.FAILED and ended.detail.startswith("WORKER_DIED")
    assert desk.store.status(other) is Status.COMPLETED and not desk.store.has_work()
