"""Ledger, outbox, queue and leases together, every interleaving of two workers and the relay.

One message is doubled, one worker crashes at any step, and one is frozen past its leases or the queue loses
everything once. All states that the protocol can reach are visited. A content is recorded once, whatever happens, and
from every state there is a way to its end, with nothing left over.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache

import pytest

from redwell.core.errors import StaleClaim
from redwell.core.outcomes import Outcome
from redwell.core.work import transitions
from redwell.core.work.kinds import Attempts
from redwell.core.work.transitions import CLAIM, FINISH, RELEASE, Derivation, Work

TABLE = Attempts()
WORKERS = (0, 1)
MOST = 2  # messages at once; more of them are no new kind of state


@dataclass(frozen=True)
class Worker:
    """What one has in its memory, and what it believes."""

    alive: bool = True
    suspected: bool = False  # it lives, but is frozen for so long that it is taken for dead; it may wake up any time
    message: bool = False  # received and not acknowledged
    leased: bool = False  # the queue still hides that message for it
    attempt: int | None = None  # of the claim it believes it has
    over: bool = False  # the claim is recorded or was refused: the message is to be acknowledged


@dataclass(frozen=True)
class State:
    """What is durable (the row, the outbox, the queue), the two workers, and what may still go wrong."""

    row: Derivation = field(default_factory=Derivation)
    posted: int = 0  # the claim that a message was last written for
    outbox: int = 0
    visible: int = 0
    workers: tuple[Worker, Worker] = (Worker(), Worker())
    duplicates: int = 1
    crashes: int = 1
    freezes: int = 1
    losses: int = 0  # of everything in the queue
    polls: bool = False  # somebody looks for what was lost; before that it would send nothing new
    recorded: int = 0


def written(state: State, row: Derivation, recorded: int = 0) -> State:
    """One transaction of the ledger: what it makes claimable is posted with it (adapters.sql_queues.task_posts)."""
    unposted = row.state is Work.QUEUED and state.posted != row.attempt + 1
    return replace(
        state,
        row=row,
        outbox=state.outbox + unposted,
        posted=row.attempt + 1 if unposted else state.posted,
        recorded=state.recorded + recorded,
    )


def with_worker(state: State, number: int, **changes: object) -> State:
    workers = list(state.workers)
    workers[number] = replace(workers[number], **changes)  # type: ignore[arg-type]
    return replace(state, workers=(workers[0], workers[1]))


def steps(state: State) -> Iterator[State]:
    yield from delivery(state)
    for number in WORKERS:
        if state.workers[number].alive:
            yield from work(state, number)
        yield from lease(state, number)
    yield from sweeping(state)


def delivery(state: State) -> Iterator[State]:
    """The relay sends, and removes from the outbox in a step of its own; the queue doubles, and loses."""
    if state.outbox and state.visible < MOST:
        sent = replace(state, visible=state.visible + 1)
        yield sent  # a crash here leaves it in the outbox
        yield replace(sent, outbox=state.outbox - 1)
    if state.visible and state.duplicates:
        yield replace(state, visible=state.visible + 1, duplicates=0)
    if state.losses:
        yield replace(state, visible=0, losses=0, polls=True)
    if state.polls and state.row.state is Work.QUEUED and not state.visible and not state.outbox:
        yield replace(state, outbox=1)


def work(state: State, number: int) -> Iterator[State]:
    worker = state.workers[number]
    if not worker.message and state.visible:
        yield with_worker(replace(state, visible=state.visible - 1), number, message=True, leased=True)
    if worker.message and worker.attempt is None and not worker.over:
        try:
            row = transitions.moved(state.row, CLAIM, str(number))
            yield with_worker(written(state, row), number, attempt=row.attempt)
        except StaleClaim:
            yield with_worker(state, number, over=True)  # somebody else has it, or it is done: it is dropped
    if worker.attempt is not None:
        yield from end(state, number, worker.attempt)
    if worker.over:
        yield with_worker(state, number, message=False, leased=False, over=False)
    if state.crashes and worker.message:
        yield with_worker(replace(state, crashes=0), number, alive=False)
    if state.freezes and worker.message:
        yield with_worker(replace(state, freezes=0), number, suspected=True)


def end(state: State, number: int, attempt: int) -> Iterator[State]:
    """Recorded, or given back, or refused because the claim is over."""
    over = with_worker(state, number, attempt=None, over=True)
    try:
        yield written(
            over, replace(transitions.fenced(state.row, attempt, FINISH), outcome=Outcome.SUCCESS), recorded=1
        )
        if state.row.attempt < 2:
            yield written(over, transitions.fenced(state.row, attempt, RELEASE))
    except StaleClaim:
        yield over


def lease(state: State, number: int) -> Iterator[State]:
    """A message that nobody extends comes again, to anybody."""
    worker = state.workers[number]
    if worker.leased and state.visible < MOST and (worker.suspected or not worker.alive):
        yield with_worker(replace(state, visible=state.visible + 1), number, leased=False)


def sweeping(state: State) -> Iterator[State]:
    """A dead owner's row goes back; so does that of one that only seems dead, and wakes up then."""
    if state.row.state is Work.LEASED:
        number = int(state.row.owner or 0)
        if not state.workers[number].alive:
            yield written(state, transitions.sweep(state.row, TABLE))
        elif state.workers[number].suspected:
            yield written(with_worker(state, number, suspected=False), transitions.sweep(state.row, TABLE))


@cache
def reachable(losses: int) -> dict[State, frozenset[State]]:
    found: dict[State, frozenset[State]] = {}
    todo = [written(State(losses=losses, freezes=1 - losses), Derivation())]  # all at once would show nothing more
    while todo:
        state = todo.pop()
        if state not in found:
            found[state] = frozenset(steps(state))
            todo += found[state]
    return found


def leading_to(ends: Iterable[State], found: dict[State, frozenset[State]]) -> set[State]:
    before: dict[State, set[State]] = {}
    for state, following in found.items():
        for each in following:
            before.setdefault(each, set()).add(state)
    todo, saved = list(ends), set(ends)
    while todo:
        fresh = before.get(todo.pop(), set()) - saved
        saved |= fresh
        todo += fresh
    return saved


@pytest.mark.parametrize("losses", [0, 1])
def test_every_interleaving_records_a_content_once_and_ends_with_nothing_left(losses: int) -> None:
    found = reachable(losses)
    assert len(found) > 2_000
    assert all(state.recorded == (state.row.state is Work.DONE) for state in found)
    quiet = {state for state in found if state.recorded and not (state.outbox or state.visible)}
    ends = {state for state in quiet if not any(each.leased for each in state.workers)}
    assert set(found) == leading_to(ends, found), "a state from which nothing leads to the end"


def test_a_row_that_waits_has_a_message_on_its_way_unless_the_queue_lost_it() -> None:
    """So whoever finds nothing to claim may drop the message; nobody has to look whether a worker still lives."""
    for state in reachable(0):
        if state.row.state is Work.QUEUED:
            in_hand = [each.leased and each.attempt is None and not each.over for each in state.workers]
            assert state.outbox or state.visible or any(in_hand), state


def test_a_worker_whose_attempt_is_over_never_changes_the_row() -> None:
    for state, following in reachable(0).items():
        for number, worker in enumerate(state.workers):
            if worker.alive and worker.attempt is not None and worker.attempt != state.row.attempt:
                written_by = [each for each in following if each.workers[number].over and not worker.over]
                assert written_by
                assert all(each.row == state.row for each in written_by)
