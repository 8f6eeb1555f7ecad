"""What the store of productions and redactions promises (ports.productions), on every database."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.support.review_cases import KINDS, case_with_exhibits, databases

from redwell.adapters.sql.database import Database
from redwell.adapters.sql_productions.production_store import SqlProductionStore
from redwell.core.errors import Conflict, NotFound, UserError
from redwell.core.production.redactions import Redaction
from redwell.core.production.values import Member, Production, Terms, Treatment
from redwell.ports.productions import NewProduction

Opener = Callable[[], Database]


@pytest.fixture(params=KINDS)
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Opener]:
    with databases(request.param, tmp_path) as opener:
        case_with_exhibits(opener(), 20)
        yield opener


@pytest.fixture
def store(opened: Opener) -> SqlProductionStore:
    return SqlProductionStore(opened())


def members(count: int, start: int) -> list[Member]:
    return [
        Member(
            ordinal=n,
            exhibit=n,
            control=f"RW{n:08d}",
            family=n,
            parent=None,
            treatment=Treatment.PRODUCED,
            pages=2,
            first=start + 2 * (n - 1),
        )
        for n in range(1, count + 1)
    ]


def create(store: SqlProductionStore, name: str, start: int = 1, count: int = 3, prefix: str = "ABC") -> Production:
    terms = Terms(prefix=prefix, start=start)
    new = NewProduction(name=name, query="", who="ada", terms=terms, left_out={"container": 1})
    return store.create(new, members(count, start))


def box(exhibit: int, page: int = 1, **more: object) -> Redaction:
    return Redaction(exhibit=exhibit, page=page, left=0.1, top=0.2, right=0.3, bottom=0.4, **more)  # type: ignore[arg-type]


def test_a_set_is_kept_as_it_was_made(store: SqlProductionStore) -> None:
    made = create(store, "First")
    assert (made.range, made.documents, made.pages) == ("ABC000001 - ABC000006", 3, 6)
    assert store.productions() == [made] == [store.find("first")]
    assert list(store.members(made.id)) == members(3, 1)
    assert store.issued([2, 9]) == {2: [("First", "ABC000003")]}
    with pytest.raises(Conflict, match="frozen"):
        create(store, "FIRST", start=100)
    with pytest.raises(NotFound):
        store.find("second")


@pytest.mark.parametrize("start", [1, 6, 0])
def test_no_number_is_issued_twice(start: int, store: SqlProductionStore) -> None:
    create(store, "First")
    with pytest.raises(Conflict, match="--start 7"):
        create(store, "Second", start=start, prefix="abc")
    assert store.next_number("Abc") == 7
    create(store, "Second", start=7)
    create(store, "Third", prefix="XYZ")
    assert store.next_number("XYZ") == 7


def test_of_many_who_want_the_same_numbers_at_once_one_gets_them(opened: Opener) -> None:
    stores = [SqlProductionStore(opened()) for _ in range(4)]

    def tried(n: int) -> bool:
        try:
            create(stores[n], f"set {n}")
        except Conflict:
            return False
        return True

    with ThreadPoolExecutor(4) as threads:
        assert sum(threads.map(tried, range(4))) == 1


def test_redactions_are_made_removed_and_undone_each_as_one(store: SqlProductionStore) -> None:
    first = store.redact([box(1), box(1, 2, reason="Privileged"), box(2)], "ada", "by hand")
    kept = store.redactions([1, 2, 3])
    assert [(each.page, each.reason, each.change) for each in kept[1]] == [(1, "", first), (2, "Privileged", first)]
    assert (kept[2][0].left, kept[2][0].bottom) == (0.1, 0.4)
    taken = store.remove([kept[1][0].id], "bob")
    assert [len(boxes) for boxes in store.redactions([1, 2]).values()] == [1, 1]
    with pytest.raises(NotFound):
        store.remove([kept[1][0].id], "bob")
    assert store.undo(taken, "bob") == 1
    assert store.redactions([1, 2, 3]) == kept
    assert store.undo(first, "ada") == 3
    assert store.redactions([1, 2, 3]) == {}
    with pytest.raises(NotFound):
        store.undo(first, "ada")
    assert [(each.id, each.boxes, each.removed, each.undone) for each in store.changes()] == [
        (taken, 0, 0, True),
        (first, 3, 0, True),
    ]


def test_a_box_outside_of_the_page_is_refused(store: SqlProductionStore) -> None:
    with pytest.raises(UserError, match="from 0 to 1"):
        store.redact([Redaction(exhibit=1, page=1, left=0.5, top=0.1, right=1.5, bottom=0.2)], "ada")
    with pytest.raises(UserError, match="nothing"):
        store.redact([], "ada")


def test_a_production_goes_out_with_the_redactions_of_its_first_writing(store: SqlProductionStore) -> None:
    made = create(store, "First")
    store.redact([box(1), box(9)], "ada")
    fixed = store.fix(made.id, "ada")
    assert list(fixed) == [1]
    store.redact([box(2)], "ada")
    store.undo(1, "ada")
    assert store.fix(made.id, "ada") == fixed
    store.written(made.id, "0" * 64, "ada")
    assert (store.find("first").is_fixed, store.find("first").manifest) == (True, "0" * 64)
