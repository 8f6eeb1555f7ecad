"""Whatever makes a content claimable posts a message that names it, in the same transaction."""

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import select
from tests.contract.test_case_store_renditions import RECIPE, result
from tests.support.case_stores import DATABASES
from tests.support.ledger_model import LARGE_BYTES, MAX_DEPTH, Content, File, Part, World
from tests.support.ledger_worker import Worker, begin, dead, failure, read_all

from redwell.adapters.sql.job_tables import event
from redwell.adapters.sql.new_case import create_case
from redwell.adapters.sql_ledger.claim_rows import Taker
from redwell.adapters.sql_ledger.ledger_store import SqlCaseStore
from redwell.adapters.sql_queues.posting_database import PostingDatabase
from redwell.adapters.sql_queues.task_queue_store import SqlTaskStore
from redwell.core.artifacts import ArtifactKind
from redwell.core.case.settled import Limits
from redwell.core.events.outbox_posts import OUTBOX, Post
from redwell.core.jobs.job import NewJob
from redwell.core.outcomes import Outcome
from redwell.core.work.kinds import Profile, TaskType
from redwell.core.work.lanes import Lane
from redwell.core.work.message_ranges import MOST
from redwell.core.work.polling import USUAL_PACE, Verdict
from redwell.core.work.recipe import Recipe
from redwell.core.work.records import Claim, Selection
from redwell.core.work.task_messages import TaskMessage, TaskQueue
from redwell.ports.ledger import Want
from redwell.ports.messaging.task_store import Room

pytestmark = pytest.mark.requirement("A2", "C1", "C2", "C3", "C4", "C5", "C6")

PLAIN = World((Content(),) * 4, ((File(0), File(1), File(2)),))
MAILBOX = World((Content(parts=(Part(1), Part(2))), Content(), Content()), ((File(0),),))
ROOM = Room(100, 1 << 20)


class Ledger:
    def __init__(self, database: PostingDatabase, recipe: Recipe) -> None:
        self.store = SqlCaseStore(database, "w1", recipe, limits=Limits(MAX_DEPTH, 1_000), prefix="RW")
        self.tasks = SqlTaskStore(database, Taker("w1"), USUAL_PACE)

    def open(self, job: int = 1, attempt: int = 1) -> list[TaskQueue]:
        made = [TaskQueue(job=job, lane=lane, batch=job, name=f"{lane}-{attempt}", attempt=attempt) for lane in Lane]
        for queue in made:
            self.tasks.opened(queue)
        return made

    def posted(self) -> list[tuple[str, int, int | None]]:
        """Queue and range of everything in the outbox, which is empty then."""
        found: list[tuple[str, int, int | None]] = []
        while some := self.tasks.outbox.receive(OUTBOX, 100):
            posts = [Post.from_json(each.body) for each in some]
            tasks = [TaskMessage.from_json(post.body) for post in posts]
            assert {task.case for task in tasks} == {"uid"}
            found += [(p.queue, t.start_pos, t.end_pos) for p, t in zip(posts, tasks, strict=True)]
            self.tasks.outbox.acknowledge(some)
        return sorted(found, key=str)

    def claim(
        self, start: int, end: int, lane: Lane = Lane.SMALL, *, batch: int = 1, lent: bool = False
    ) -> list[Claim]:
        task = TaskMessage(case="uid", batch=batch, job=batch, lane=lane, start_pos=start, end_pos=end, lent=lent)
        sent = self.tasks.claim_sent([task], "small-1", ROOM, Want(batch=batch))
        assert sent
        return sent.claims

    def end(self, claims: list[Claim]) -> None:
        self.store.record([], [result(claim, (ArtifactKind.TEXT,)) for claim in claims])


@pytest.fixture(params=DATABASES)
def ledger(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Ledger]:
    with opened(request.param, tmp_path, Recipe(settings="s", large_bytes=LARGE_BYTES)) as ledger:
        yield ledger


@pytest.fixture(params=DATABASES)
def rendering(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Ledger]:
    """Each text is followed by a PDF."""
    with opened(request.param, tmp_path, replace(RECIPE, large_bytes=1 << 30)) as ledger:
        yield ledger


@contextmanager
def opened(database: str, folder: Path, recipe: Recipe) -> Iterator[Ledger]:
    with DATABASES[database](folder) as connect, closing(connect.work()) as made:
        create_case(made, {"name": "tasks"})
        yield Ledger(PostingDatabase(made, "uid", "dead"), recipe)


def test_nothing_is_posted_before_a_job_has_its_queues_and_then_everything(ledger: Ledger) -> None:
    read_all(ledger.store, PLAIN)
    assert ledger.posted() == []
    ledger.open()
    assert ledger.posted() == [("small-1", 1, 4)]
    ledger.open()
    assert ledger.posted() == [], "once more changes nothing"


def test_what_is_read_is_posted_with_its_rows_and_each_row_once(ledger: Ledger) -> None:
    batch, worker = begin(ledger.store, PLAIN), Worker("w1", ledger.store, PLAIN)
    ledger.open()
    while worker.walk(batch, 100) or worker.claim_reads(batch, 1):
        worker.record_reads(1)
    assert ledger.posted() == [("small-1", 1, 2), ("small-1", 2, 3), ("small-1", 3, 4)]
    ledger.store.settle_some()
    assert ledger.posted() == []


def test_members_are_posted_with_their_rows(ledger: Ledger) -> None:
    read_all(ledger.store, MAILBOX)
    ledger.open()
    assert ledger.posted() == [("small-1", 1, 2)]
    worker = Worker("w1", ledger.store, MAILBOX)
    worker.claim_work(1)
    worker.work(5, flush=True)
    assert ledger.posted() == [("small-1", 2, 4)]


@pytest.mark.requirement("A5")
def test_a5_what_is_given_up_goes_to_the_dead_letters_and_again_after_a_retry(ledger: Ledger) -> None:
    read_all(ledger.store, PLAIN)
    ledger.open()
    ledger.posted()
    for _ in range(2):
        for lane in Lane:
            [claim] = ledger.claim(1, 2, lane)
            ledger.posted()
            ledger.store.blame([failure(claim, Outcome.TIMED_OUT)])
        assert ledger.posted() == [("dead", 1, 2)]
        ledger.store.settle_some()
        assert ledger.posted() == [], "once is enough"
        assert ledger.store.retry_parked([1], NewJob()) == 1
        assert ledger.posted() == [("small-1", 1, 2)]


@pytest.mark.parametrize("how", ["released", "swept", "blamed", "retried"])
def test_what_comes_back_is_posted_again_however_it_comes_back(ledger: Ledger, how: str) -> None:
    """So a message that finds nothing to claim can be dropped."""
    read_all(ledger.store, PLAIN)
    ledger.open()
    ledger.posted()
    first, *others = ledger.claim(1, 4)
    assert ledger.posted() == []
    if how == "released":
        ledger.store.release([(first.id, first.attempt)])
    elif how == "swept":
        ledger.store.sweep(dead("w1"))
    elif how == "blamed":
        ledger.store.blame([failure(first, Outcome.CRASHED)])
    else:
        ledger.store.blame([failure(first, Outcome.TIMED_OUT)])
        [again] = ledger.claim(1, 2, Lane.LARGE)
        ledger.store.blame([failure(again, Outcome.TIMED_OUT)])
        ledger.posted()
        assert ledger.store.reopen(Selection(outcome=Outcome.TIMED_OUT)) == 1
    assert ledger.posted() == [("small-1", 1, 4 if how == "swept" else 2)]
    assert [claim.attempt for claim in ledger.claim(1, 2)] == [first.attempt + (2 if how == "retried" else 1)]
    assert len(others) == 2


@pytest.mark.requirement("A5")
def test_a5_what_needs_more_is_posted_to_the_large_queue_alone(ledger: Ledger) -> None:
    read_all(ledger.store, PLAIN)
    ledger.open()
    ledger.posted()
    for claim in ledger.claim(1, 4)[:2]:
        ledger.store.blame([failure(claim, Outcome.OUT_OF_MEMORY)])
    assert ledger.posted() == [("large-1", 1, 2), ("large-1", 2, 3)]
    assert ledger.claim(1, 4) == []


@pytest.mark.requirement("A4")
def test_a4_renditions_are_posted_when_the_last_text_has_ended(rendering: Ledger) -> None:
    read_all(rendering.store, PLAIN)
    rendering.open()
    assert rendering.posted() == [("small-1", 1, 4)]
    *most, last = rendering.claim(1, 4)
    rendering.end(most)
    assert rendering.posted() == [], "text is open"
    rendering.end([last])
    assert rendering.posted() == [("small-1", 4, 7)]


def test_renditions_that_nobody_gets_text_before_are_posted_by_the_poll(rendering: Ledger) -> None:
    """As when a mailbox is read for hours by one worker, and the others have nothing to do."""
    read_all(rendering.store, PLAIN)
    [queue, _] = rendering.open()
    rendering.end(rendering.claim(1, 4)[1:])
    rendering.posted()
    while (seen := rendering.tasks.poll(queue, 0)) and not seen.stalled:
        assert rendering.posted() == []
    assert rendering.posted() == [("small-1", 4, 6)]


def test_what_a_cancelled_job_had_is_posted_to_nobody(ledger: Ledger) -> None:
    read_all(ledger.store, PLAIN)
    ledger.open()
    ledger.claim(1, 4)
    ledger.posted()
    ledger.store.begin_cancelling(1)
    while ledger.store.cancel_some(1):
        pass
    assert ledger.posted() == []
    assert [queue.ended for queue in ledger.tasks.queues()] == [False, False]


def test_a_message_is_claimed_once_and_only_what_is_in_its_range(ledger: Ledger) -> None:
    read_all(ledger.store, PLAIN)
    ledger.open()
    assert [claim.id for claim in ledger.claim(2, 3)] == [2]
    assert [claim.id for claim in ledger.claim(1, 4)] == [1, 3]
    assert ledger.claim(1, 4) == []


def test_what_there_is_no_room_for_travels_on_in_a_message_of_its_own(ledger: Ledger) -> None:
    read_all(ledger.store, PLAIN)
    ledger.open()
    ledger.posted()
    whole = TaskMessage(case="uid", batch=1, job=1, lane=Lane.SMALL, start_pos=1, end_pos=4)
    for room in (Room(1, 1 << 20), Room(100, 1)):
        sent = ledger.tasks.claim_sent([whole], "small-1", room, Want(batch=1))
        assert sent
        [claim] = sent.claims
        assert ledger.posted() == [("small-1", claim.id + 1, 4)]


@pytest.mark.requirement("A9")
def test_a9_a_worker_that_opens_no_containers_says_that_a_message_is_for_others(ledger: Ledger) -> None:
    read_all(ledger.store, PLAIN)
    ledger.open()
    ledger.posted()
    first = ledger.claim(1, 4)[0]
    ledger.store.leave_containers([(first.id, first.attempt)])
    assert ledger.posted() == [("small-1", 1, 2)]
    task = TaskMessage(case="uid", batch=1, job=1, lane=Lane.SMALL, start_pos=1, end_pos=2)
    spot = ledger.tasks.claim_sent(
        [task], "small-1", ROOM, Want(batch=1, turns=((TaskType.EXTRACT_TEXT, Profile.PARSER),))
    )
    assert spot
    assert (spot.claims, spot.for_others) == ([], True)
    assert [claim.id for claim in ledger.claim(1, 2)] == [1]


def test_a_lent_message_takes_what_the_batch_waits_for_from_another(ledger: Ledger) -> None:
    first, second = read_all(ledger.store, PLAIN), read_all(ledger.store, PLAIN)
    ledger.open(second)
    assert ledger.posted() == [], "they belong to the first one"
    queue = ledger.tasks.queues()[1]
    assert ledger.tasks.lend(queue, ()) == {(1, 0), (2, 0), (3, 0)}
    assert ledger.posted() == [("small-1", 1, 2), ("small-1", 2, 3), ("small-1", 3, 4)]
    assert ledger.tasks.lend(queue, {(1, 0), (2, 0), (3, 0)}) == set()
    assert ledger.claim(1, 2, batch=second) == []
    assert [claim.id for claim in ledger.claim(1, 2, batch=second, lent=True)] == [1]
    assert first != second


def test_c2_a_dispatch_ends_after_a_thousand_messages_and_is_gone_on_with(ledger: Ledger) -> None:
    """Each large document has a message of its own. What waits is gone on with by the next transaction; what is sent
    anew, because the queue was made again, by a continuation."""
    count = MOST + 20
    read_all(ledger.store, World((Content(),) * count, (tuple(File(n) for n in range(count)),)))
    ledger.open()
    first = [each for each in ledger.posted() if each[0] == "large-1"]
    assert len(first) == MOST
    ledger.store.settle_some()
    rest = ledger.posted()
    assert len(rest) > 10
    assert {end - start for _, start, end in (*first, *rest) if end} == {1}
    _, large = sorted(ledger.open(attempt=2), key=lambda queue: queue.lane, reverse=True)
    anew = [each for each in ledger.posted() if each[0] == "large-2"]
    [(_, start, _)] = [each for each in anew if each[2] is None]
    assert len(anew) == MOST + 1
    ledger.tasks.go_on(TaskMessage(case="uid", batch=1, job=1, lane=Lane.LARGE, start_pos=start), large.name)
    continued = ledger.posted()
    named = {each[1] for each in (*anew, *continued) if each[2] is not None}
    assert named == {start for _, start, _ in (*first, *rest)}


def test_c3_c6_a_poll_sends_anew_what_did_not_move_and_goes_on_when_it_is_exhausted(ledger: Ledger) -> None:
    read_all(ledger.store, PLAIN)
    queue = ledger.open()[0]
    ledger.posted()
    verdicts = []
    for _ in range(USUAL_PACE.stalls + 2):
        seen = ledger.tasks.poll(queue, 0)
        assert seen
        verdicts.append((seen.verdict, bool(ledger.posted())))
    assert verdicts == [
        (Verdict.PROGRESS_MADE, False),
        *[(Verdict.RETRY_NEEDED, True)] * (USUAL_PACE.stalls - 1),
        (Verdict.RETRIES_EXHAUSTED, True),
        (Verdict.PROGRESS_MADE, False),
    ]
    assert ledger.tasks.waiting(queue) == [f"folder/0-{n}.bin" for n in range(3)]
    ledger.claim(1, 4)
    with ledger.store.database.read() as tx:
        told = [json.loads(detail) for (detail,) in tx.execute(select(event.c.body).where(event.c.type == "WARNING"))]
    assert len(told) == 1 and len(told[0]["detail"]["incomplete"]) == 3, "by name"
    assert ledger.tasks.poll(queue, 1).verdict is Verdict.ALL_PROCESSED  # type: ignore[union-attr]
    assert ledger.tasks.poll(queue, 1) is None, "it is not time yet"
