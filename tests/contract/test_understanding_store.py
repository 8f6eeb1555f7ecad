"""What the store of documents as data promises (ports.understanding), on every database."""

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import pytest
from sqlalchemy import select
from tests.support.review_cases import KINDS, case_with_exhibits, databases, read_only

from redwell.adapters.sql.database import Database
from redwell.adapters.sql.tables import batch
from redwell.adapters.sql.understanding_tables import document_data
from redwell.adapters.sql_reader.case_reader import SqlCaseReader
from redwell.adapters.sql_understanding.sources import SqlSourceStore
from redwell.adapters.sql_understanding.store import SqlUnderstandingStore
from redwell.core.errors import Conflict, UserError
from redwell.core.understanding.data_query import read_data_query
from redwell.core.understanding.models import ModelChoice
from redwell.core.understanding.proposals import Doubt, Proposal
from redwell.core.understanding.states import DocumentState, Status
from redwell.core.understanding.turns import Answer, Claimed, Ended, Reserved, Result, Want, Window
from redwell.ports.sources import Arrival, Sighted
from redwell.ports.understanding import Decision, Plan, Wish

Opener = Callable[[], Database]
SCHEMA = json.dumps(
    {
        "title": "invoice",
        "properties": {"total": {"format": "money"}, "date": {"format": "date"}},
        "required": ["total"],
    }
)


@pytest.fixture(params=KINDS)
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Opener]:
    with databases(request.param, tmp_path) as opener:
        case_with_exhibits(opener(), 20)
        yield opener


@pytest.fixture
def looked_at(opened: Opener) -> Iterator[SqlCaseReader]:
    reader = SqlCaseReader(read_only(opened()))
    yield reader
    reader.close()


@pytest.fixture
def store(opened: Opener) -> SqlUnderstandingStore:
    made = SqlUnderstandingStore(opened())
    made.add_schema("invoice", SCHEMA, "ada")
    return made


def asked(store: SqlUnderstandingStore, *exhibits: int) -> list[bytes]:
    return store.wish([Wish(exhibit=key, uploader="ada") for key in exhibits])


def claimed(store: SqlUnderstandingStore, now_ms: int = 1_000, owner: str = "w") -> Claimed:
    claim = claim_of(store, owner, now_ms)
    assert claim is not None
    return claim


def claim_of(store: SqlUnderstandingStore, owner: str, now_ms: int) -> Claimed | None:
    return next(iter(store.claim(Want(owner=owner, now_ms=now_ms, stale_s=600))), None)


def complete(store: SqlUnderstandingStore, claim: Claimed, result: Result, now_ms: int) -> bool:
    return store.end([Ended(claim=claim, result=result)], (), now_ms).statuses == [Status.COMPLETED]


def fail(store: SqlUnderstandingStore, claim: Claimed, detail: str, now_ms: int) -> Status | None:
    return store.end([Ended(claim=claim, detail=detail)], (), now_ms).statuses[0]


def result(total: str = "200.50 EUR", *, flagged: bool = True) -> Result:
    doubts = (Doubt.UNPROVEN,) if flagged else ()
    proposals = [
        Proposal(path="total", value=total, quote="Total", score=0.8, doubts=doubts),
        Proposal(path="date", value="2023-04-03", score=0.8),
    ]
    data = {"total": total, "date": "2023-04-03"}
    return Result(
        schema=1, name="invoice", proposals=proposals, data=data, is_flagged=flagged, doubt=500, model="rules alone"
    )


def copied(opened: Opener) -> dict[int, tuple[str | None, int]]:
    with opened().read() as tx:
        rows = tx.execute(select(document_data))
        return {row.document: (row.structured_data, row.needs_human_review) for row in rows}


def test_every_version_of_a_schema_is_kept(store: SqlUnderstandingStore) -> None:
    assert store.add_schema("invoice", SCHEMA, "bob").version == 1, "nothing has changed"
    assert store.add_schema("invoice", SCHEMA + " ", "bob").version == 2
    assert [each.version for each in store.schemas()] == [2]
    assert [each.version for each in store.schemas(every=True)] == [1, 2]


@pytest.mark.requirement("B3")
def test_b3_one_of_many_gets_a_claim_and_a_stale_one_is_taken_over(
    opened: Opener, store: SqlUnderstandingStore
) -> None:
    asked(store, 1, 2, 3)
    stores = [SqlUnderstandingStore(opened()) for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        claims = list(pool.map(lambda each: claim_of(each, "w", 1_000), stores))
    assert sorted(claim.id for claim in claims if claim) == [1, 2, 3]
    assert claim_of(store, "late", 601_000) is None
    again = claim_of(store, "late", 601_001)
    assert again is not None and again.attempt == 2
    first = next(claim for claim in claims if claim and claim.id == again.id)
    assert not complete(store, first, result(), 700_000), "whoever lost the claim writes nothing"
    assert complete(store, again, result(), 700_000)
    assert not complete(store, again, result(), 700_001), "a result is written once"


@pytest.mark.requirement("B4")
def test_b4_a_claim_that_beats_is_not_stale(store: SqlUnderstandingStore) -> None:
    asked(store, 1)
    claim = claimed(store)
    assert store.beat([claim], 500_000) == set()
    assert claim_of(store, "late", 700_000) is None and store.orphans(700_000, 600) == []
    assert store.orphans(1_200_000, 600) == [claim.uid]
    taken = claimed(store, 1_200_000)
    assert store.beat([claim], 1_200_001) == {taken.id}, "the first one has lost it"


def test_what_a_dead_one_held_is_free_at_once(store: SqlUnderstandingStore) -> None:
    asked(store, 1, 2)
    lost, kept = claimed(store, owner="dead"), claimed(store, owner="alive")
    assert claim_of(store, "next", 2_000) is None
    assert store.free_dead(lambda owner: owner == "dead") == 1
    taken = claimed(store, 2_000)
    assert (taken.id, taken.attempt) == (lost.id, 2) and taken.id != kept.id
    assert not complete(store, lost, result(), 3_000)


@pytest.mark.requirement("B9")
def test_b9_what_is_handed_back_is_anybodys_and_a_late_result_is_dropped(store: SqlUnderstandingStore) -> None:
    asked(store, 1)
    first = claimed(store)
    store.hand_back([first])
    second = claimed(store, 1_001, "other")
    assert (second.id, second.attempt) == (first.id, 1), "it has cost no attempt"
    store.hand_back([first])
    assert claim_of(store, "third", 1_002) is None, "only who holds it hands it back"
    assert not complete(store, first, result(), 2_000) and complete(store, second, result(), 2_000)


def imported(opened: Opener, key: int, finished_ms: int | None) -> None:
    row = {"id": key, "uid": b"u", "type": "files", "settings": "{}", "sources": 1, "created_ms": 1, "seal": b""}
    opened().write(lambda tx: tx.execute(batch.insert().values(**row, finished_ms=finished_ms)))


@pytest.mark.requirement("B2")
def test_b2_imports_are_planned_once_in_pages_when_they_are_over(opened: Opener) -> None:
    store, later = SqlUnderstandingStore(opened()), 1 << 45
    imported(opened, 1, 5)
    imported(opened, 2, later)
    imported(opened, 3, None)
    assert store.unplanned() == [] and not store.has_work(), "there is no schema, and nobody brought anything"
    store.add_schema("invoice", SCHEMA, "ada")
    (plan,) = store.unplanned()
    assert plan == Plan(batch=2), "what ended before the schema waits to be asked about"
    store.note_uploader(1, "ada")
    assert [each.uploader for each in store.unplanned()] == ["ada", None]
    wishes = [Wish(exhibit=1, uploader="bob"), Wish(exhibit=2, uploader="bob")]
    assert len(store.plan_on(plan, wishes[:1], "1 RW00000001")) == 1
    assert store.plan_on(plan, wishes, None) == [], "somebody else was there first"
    further = Plan(batch=2, cursor="1 RW00000001")
    assert store.unplanned()[1] == further
    assert len(store.plan_on(further, wishes[1:], None)) == 1 and store.plan_on(further, wishes[1:], None) == []
    assert [each.batch for each in store.unplanned()] == [1] and store.has_work()
    assert [len(store.ingestions(key)) for key in (1, 2)] == [1, 1]


@pytest.mark.requirement("B6")
def test_b6_the_database_itself_takes_a_result_to_the_document(opened: Opener, store: SqlUnderstandingStore) -> None:
    asked(store, 5)
    assert copied(opened) == {}
    complete(store, claimed(store), result(), 2_000)
    data, needs_review = copied(opened)[5]
    assert json.loads(data or "")["total"] == "200.50 EUR" and needs_review == 1
    assert store.state(5) is DocumentState.NEEDS_REVIEW and store.counts() == {"needs review": 1}


@pytest.mark.requirement("B7")
def test_b7_three_failures_ask_for_a_person_and_a_later_success_clears_that(
    opened: Opener, store: SqlUnderstandingStore
) -> None:
    asked(store, 5)
    for attempt, status in ((1, Status.IN_PROGRESS), (2, Status.IN_PROGRESS), (3, Status.FAILED)):
        claim = claimed(store)
        assert claim.attempt == attempt
        assert fail(store, claim, "the model is away", 2_000) is status
    assert copied(opened) == {5: (None, 1)} and store.state(5) is DocumentState.NEEDS_REVIEW
    asked(store, 5)
    complete(store, claimed(store), result(flagged=False), 3_000)
    assert copied(opened)[5][1] == 0 and store.state(5) is DocumentState.READY


def test_an_older_ingestion_that_ends_later_changes_nothing_of_the_document(
    opened: Opener, store: SqlUnderstandingStore
) -> None:
    asked(store, 5)
    old = claimed(store)
    store.wish([Wish(exhibit=5, schema=1, uploader="ada")])
    complete(store, claimed(store), result("9.00 EUR"), 2_000)
    complete(store, old, result("1.00 EUR"), 3_000)
    assert json.loads(copied(opened)[5][0] or "")["total"] == "9.00 EUR"


def test_a_wish_that_is_open_stands_and_one_by_a_source_is_always_new(store: SqlUnderstandingStore) -> None:
    assert asked(store, 5) == asked(store, 5)
    store.wish([Wish(exhibit=5, source=1)])
    store.wish([Wish(exhibit=5, source=1)])
    assert len(store.ingestions(5)) == 3 and store.known([4, 5]) == {5}


def test_decisions_keep_who_when_before_and_after_and_the_data_follow_at_once(
    opened: Opener, store: SqlUnderstandingStore, looked_at: SqlCaseReader
) -> None:
    asked(store, 5)
    complete(store, claimed(store), result(), 2_000)
    key = store.ingestions(5)[0].id
    changed = store.decide(key, [Decision(path="total", kind="corrected", who="ada", after="20.05 EUR")], 3_000)
    assert changed.structured_data == {"date": "2023-04-03", "total": "20.05 EUR"} and not changed.is_flagged
    (kept,) = store.decisions(key)
    assert (kept.who, kept.at_ms, kept.before, kept.after) == ("ada", 3_000, "200.50 EUR", "20.05 EUR")
    assert store.proposals(key)[0].value == "200.50 EUR", "what was proposed stays"
    assert copied(opened)[5][1] == 0 and store.state(5) is DocumentState.READY
    assert [(each.column, each.was_right) for each in store.decided("invoice")] == [("total", False)]
    assert looked_at.with_data(read_data_query("invoice.total", "20.05")) == ["RW00000005"]
    with pytest.raises(UserError, match="no field"):
        store.decide(key, [Decision(path="colour", kind="accepted", who="ada", after="")], 4_000)


def test_several_reviewers_never_get_the_same_document(store: SqlUnderstandingStore) -> None:
    asked(store, 5, 6)
    for total in ("1.00", "2.00"):
        complete(store, claimed(store), result(total), 2_000)
    ada, bob = store.next_doubt("ada", 3_000, 900), store.next_doubt("bob", 3_000, 900)
    assert ada and bob and ada.id != bob.id and store.next_doubt("cy", 3_000, 900) is None
    again = store.next_doubt("ada", 4_000, 900)
    assert again is not None and again.id == ada.id
    with pytest.raises(Conflict, match="ada has this document"):
        store.decide(ada.id, [Decision(path="total", kind="accepted", who="bob", after="")], 4_000)
    taken = store.next_doubt("cy", 3_000 + 900_001, 900)
    assert taken is not None and taken.id == bob.id, "a lease ends"
    store.release(ada.id, "ada")
    freed = store.next_doubt("dee", 5_000, 900)
    assert freed is not None and freed.id == ada.id


@pytest.mark.parametrize(
    ("field", "asked_for", "hits"),
    [
        ("invoice.total", ">200.50", 0),
        ("invoice.total", ">=200.50", 1),
        ("invoice.total", "<100", 0),
        ("invoice.date", "2023", 1),
        ("invoice.date", "2024", 0),
        ("invoice", "*", 1),
    ],
)
def test_data_are_found(
    field: str, asked_for: str, hits: int, store: SqlUnderstandingStore, looked_at: SqlCaseReader
) -> None:
    asked(store, 5)
    complete(store, claimed(store), result(), 2_000)
    assert len(looked_at.with_data(read_data_query(field, asked_for))) == hits
    assert [each.control_number for each in store.data()] == ["RW00000005"]


def test_answers_are_remembered_and_what_was_sent_is_in_the_log(
    store: SqlUnderstandingStore, looked_at: SqlCaseReader
) -> None:
    assert looked_at.model().told == "rules alone"
    store.choose_model(ModelChoice(kind="openai", name="m", url="http://127.0.0.1:1/v1"), "ada")
    assert looked_at.model() == store.model()
    assert store.model().name == "m" and store.spent().tokens == 0
    answer = Answer(key=b"k" * 32, model="m", text="{}", tokens_in=10, tokens_out=5, cost=7)
    sent = {"sha256": "aa", "characters": 100}
    store.keep_answers([msgspec.structs.replace(answer, sent=sent, exhibit=5)])
    assert store.answer(b"k" * 32) == answer and store.answer(b"x" * 32) is None
    assert (store.spent().tokens, store.spent().cost) == (15, 7)


def test_a_budget_is_reserved_before_a_question_is_sent_whoever_else_asks(store: SqlUnderstandingStore) -> None:
    choice = ModelChoice(kind="openai", budget_tokens=100, budget_cost=10)
    assert store.reserve(choice, Reserved(60, 4)) and not store.reserve(choice, Reserved(60, 4))
    assert not store.reserve(choice, Reserved(40, 7)) and store.reserve(choice, Reserved(40, 6))
    store.give_back(Reserved(40, 6))
    paid = Answer(key=b"k" * 32, model="m", text="{}", tokens_in=10, cost=1, reserved=Reserved(60, 4))
    store.keep_answers([paid])
    assert (store.spent().tokens, store.spent().cost) == (10, 1)
    assert store.reserve(ModelChoice(), Reserved(1_000, 1_000)), "without a budget nothing is refused"


@pytest.mark.requirement("B7")
def test_b7_one_whose_process_dies_each_time_fails_by_name_and_holds_up_no_other(
    store: SqlUnderstandingStore,
) -> None:
    doomed, other = asked(store, 1, 2)
    for attempt in (1, 2, 3):
        (claim,) = store.claim(Want(owner=f"w{attempt}", now_ms=1_000, stale_s=600, uid=doomed))
        assert claim.attempt == attempt
        store.free_dead(lambda _: True)
    assert claimed(store).uid == other
    ended = store.by_uid(doomed)
    assert ended is not None and (ended.status, ended.attempt, ended.is_flagged) == (Status.FAILED, 3, True)
    assert ended.detail.startswith("WORKER_DIED") and store.state(1) is DocumentState.NEEDS_REVIEW


def test_results_their_answers_and_the_next_claims_are_one_step(store: SqlUnderstandingStore) -> None:
    first, second, third, *_ = asked(store, 1, 2, 3, 4, 5)
    answer = Answer(key=b"k" * 32, model="m", text="{}", tokens_in=1)
    two = store.claim(Want(owner="w", now_ms=1_000, stale_s=600, most=2))
    assert [claim.uid for claim in two] == [first, second]
    ended = [Ended(claim=two[0], result=result()), Ended(claim=two[1], detail="its text can't be read")]
    turned = store.end(ended, [answer], 2_000, Want(owner="w", now_ms=2_000, stale_s=600, most=2))
    assert turned.statuses == [Status.COMPLETED, Status.IN_PROGRESS] and store.answer(answer.key) is not None
    assert [claim.uid for claim in turned.claims] == [second], "one that was tried before travels alone"
    assert next(claim.uid for claim in store.claim(Want(owner="v", now_ms=2_000, stale_s=600, most=2))) == third
    assert store.status(first) is Status.COMPLETED


def test_windows_end_in_named_states(store: SqlUnderstandingStore) -> None:
    asked(store, 5)
    claim = claimed(store)
    windows = [
        Window(start=0, stop=10, part=0, state="asked again smaller"),
        Window(start=0, stop=10, part=0, state="gap", detail="cut"),
    ]
    result = Result(schema=None, name="", proposals=(), data=None, is_flagged=True, doubt=1, model="m", windows=windows)
    assert complete(store, claim, result, 2_000)
    assert [(each.state, each.detail) for each in store.windows(claim.id)] == [("gap", "cut")]


@pytest.mark.requirement("B1", "B2")
def test_b1_an_arrival_is_noted_once_with_the_cursor_of_its_source(opened: Opener) -> None:
    sources = SqlSourceStore(opened())
    made = sources.add("imap", "ada@mail/INBOX", {"host": "mail"}, "ada")
    assert sources.add("imap", "ada@mail/INBOX", {"host": "mail"}, "ada").id == made.id
    mail = Arrival(key="9/1", name="1.eml", sha256=b"s" * 32, said={"from": "bo"})
    assert sources.arrive(made.id, [mail]) == [mail] and sources.arrive(made.id, [mail]) == []
    assert sources.open_arrivals(made.id) == [mail] and sources.known(made.id, ["9/1", "9/2"]) == {"9/1"}
    sources.taken(made.id, ["9/1"], 3)
    assert sources.open_arrivals(made.id) == [] and len(sources.arrivals(made.id, 3)) == 1
    seen = [Sighted(key=key, name="n.eml", cursor=key) for key in ("9/1", "9/2", "9/3")]
    assert sources.queue(made.id, seen, "9/3") == 2, "one has arrived"
    assert sources.queue(made.id, seen, "9/3") == 0 and [each.key for each in sources.queued(made.id, 9)] == [
        "9/2",
        "9/3",
    ]
    sources.not_acquired(made.id, "9/2", "not now")
    assert [each.key for each in sources.queued(made.id, 9)] == ["9/3", "9/2"], "behind the others"
    other = Arrival(key="9/3", name="3.eml", sha256=b"t" * 32)
    assert sources.acquired(made.id, "9/3", other) and not sources.acquired(made.id, "9/3", other)
    (row,) = sources.all()
    assert row.waiting == 1 and row.cursor == "9/3" and row.last_arrival_ms and row.state == "active"
    assert sources.set_state(made.id, "paused", "ada").state == "paused"
    sources.set_state(made.id, "removed", "ada")
    assert sources.all() == []
