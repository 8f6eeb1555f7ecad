"""Ledger, outbox and leases together, every interleaving: two workers, one duplicate, one crash, one freeze.

All states that the protocol can reach are visited. A content is recorded once, whatever happens, and from every
state there is a way to its end.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from redwell.core import ledger
from redwell.core.errors import StaleClaim
from redwell.core.ledger import Attempts, Derivation, Work
from redwell.core.outcomes import Outcome

TABLE = Attempts()
WORKERS = (0, 1)


@dataclass(frozen=True)
class State:
    """What is durable (the row, the outbox, the queue), and what each worker has in its memory."""

    row: Derivation = field(default_factory=Derivation)
    outbox: bool = True  # written with the row
    messages: int = 0
    holding: tuple[int | None, int | None] = (None, None)  # the attempt that a worker believes it has
    alive: tuple[bool, bool] = (True, True)
    duplicates: int = 1  # that the queue may still make
    crashes: int = 1
    freezes: int = 1  # a worker that lives is taken for dead
    recorded: int = 0


def held(state: State, worker: int, attempt: int | None) -> tuple[int | None, int | None]:
    first, second = state.holding
    return (attempt, second) if worker == 0 else (first, attempt)


def steps(state: State) -> Iterator[State]:
    yield from delivery(state)
    for worker in WORKERS:
        if state.alive[worker]:
            yield from work(state, worker)
    yield from sweeping(state)


def delivery(state: State) -> Iterator[State]:
    """The relay sends, and removes from the outbox in a step of its own; the queue may deliver twice."""
    if state.outbox and state.messages < 2:
        yield replace(state, messages=state.messages + 1)  # a crash here leaves it in the outbox
        yield replace(state, messages=state.messages + 1, outbox=False)
    if state.messages and state.duplicates:
        yield replace(state, messages=state.messages + 1, duplicates=0)
    if state.row.state is Work.QUEUED and not state.messages and not state.outbox:
        yield replace(state, outbox=True)  # the sweeper sends again what nobody has


def work(state: State, worker: int) -> Iterator[State]:
    attempt = state.holding[worker]
    if attempt is None and state.messages:
        taken = replace(state, messages=state.messages - 1)
        try:
            row = ledger.claim(state.row, str(worker))
            yield replace(taken, row=row, holding=held(state, worker, row.attempt))
        except StaleClaim:
            yield taken  # somebody else has it, or it is done: the message is dropped
    if attempt is not None:
        over = replace(state, holding=held(state, worker, None))
        try:
            row = ledger.finish(state.row, attempt, Outcome.SUCCESS)
            yield replace(over, row=row, recorded=state.recorded + 1)
        except StaleClaim:
            yield over  # the fence: what it has made is dropped
        if state.crashes:
            alive = (False, state.alive[1]) if worker == 0 else (state.alive[0], False)
            yield replace(over, alive=alive, crashes=0)


def sweeping(state: State) -> Iterator[State]:
    """A dead owner's row goes back; so does that of one that only seems dead, which may wake up any time."""
    if state.row.state is Work.LEASED:
        owner = int(state.row.owner or 0)
        if not state.alive[owner]:
            yield replace(state, row=ledger.sweep(state.row, TABLE))
        elif state.freezes:
            yield replace(state, row=ledger.sweep(state.row, TABLE), freezes=0)


def reachable() -> dict[State, set[State]]:
    found: dict[State, set[State]] = {}
    todo = [State()]
    while todo:
        state = todo.pop()
        if state not in found:
            found[state] = set(steps(state))
            todo += found[state]
    return found


def test_every_interleaving_records_a_content_once_and_comes_to_its_end() -> None:
    found = reachable()
    assert len(found) > 500
    assert all(state.recorded == (state.row.state is Work.DONE) for state in found)
    ends = {state for state in found if state.row.state is Work.DONE}
    before: dict[State, set[State]] = {}
    for state, following in found.items():
        for each in following:
            before.setdefault(each, set()).add(state)
    todo, saved = list(ends), set(ends)
    while todo:
        fresh = before.get(todo.pop(), set()) - saved
        saved |= fresh
        todo += fresh
    assert set(found) == saved, "a state from which nothing leads to the end"


def test_a_worker_whose_attempt_is_over_never_changes_the_row() -> None:
    for state, following in reachable().items():
        for worker in WORKERS:
            stale = state.holding[worker] is not None and state.holding[worker] != state.row.attempt
            if stale and state.alive[worker]:
                written = [each for each in following if each.holding == held(state, worker, None)]
                assert all(each.row == state.row for each in written if each.alive == state.alive)
