"""What the store of reviewers' work promises (ports.review), on every database."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.support.review_cases import KINDS, case_with_exhibits, databases

from redwell.adapters.sql.database import Database
from redwell.adapters.sql_audit.review_log import broken_links
from redwell.adapters.sql_review.imported import import_tags
from redwell.adapters.sql_review.review_store import SqlReviewStore
from redwell.core.errors import Conflict, NotFound, UserError
from redwell.core.review.values import Action, Coding, Entry

Opener = Callable[[], Database]


@pytest.fixture(params=KINDS)
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Opener]:
    with databases(request.param, tmp_path) as opener:
        case_with_exhibits(opener(), 120)
        yield opener


@pytest.fixture
def store(opened: Opener) -> SqlReviewStore:
    return SqlReviewStore(opened())


def code(
    store: SqlReviewStore, tag: int, *exhibits: int, who: str = "ada", on: bool = True, seen: int | None = None
) -> int:
    return store.code(Coding(who=who, tag=tag, on=on, exhibits=exhibits, seen=seen)).change


class _Rows:
    """A session of verify over the same database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def stream(self, query: str) -> Iterator[tuple[object, ...]]:
        with self._database.read() as tx:
            yield from [tuple(row) for row in tx.exec_driver_sql(query)]


def findings(opened: Opener) -> list[str]:
    return [finding.subject for finding in broken_links(_Rows(opened()))]  # type: ignore[arg-type]


def test_each_of_the_first_nine_tags_gets_a_key(store: SqlReviewStore) -> None:
    made = [store.add_tag(f"tag {n}", "ada") for n in range(10)]
    assert [tag.key for tag in made] == [*"123456789", ""]
    assert store.tags() == made
    with pytest.raises(UserError, match="already"):
        store.add_tag("TAG 3", "ada")


def test_a_tag_is_set_once_and_taken_back_once(store: SqlReviewStore) -> None:
    tag = store.add_tag("Responsive", "ada")
    assert store.code(Coding(who="ada", tag=tag.id, on=True, exhibits=(1, 2, 999))).exhibits == 2
    assert store.code(Coding(who="bob", tag=tag.id, on=True, exhibits=(1, 2))).change == 0
    assert [(each.exhibit, each.who) for each in store.taggings([1, 2, 3])] == [(1, "ada"), (2, "ada")]
    assert store.tag_counts() == {tag.id: 2}
    assert sorted(store.tagged(tag.id)) == ["RW00000001", "RW00000002"]
    code(store, tag.id, 1, on=False)
    assert store.tagged(tag.id) == ["RW00000002"]
    with pytest.raises(NotFound):
        code(store, 99, 1)


def test_a_change_of_many_is_undone_as_one(store: SqlReviewStore) -> None:
    tag = store.add_tag("Responsive", "ada")
    code(store, tag.id, 5)
    change = code(store, tag.id, *range(1, 101))
    assert store.last_change("ada") == change
    undone = store.undo(change, "ada")
    assert (undone.exhibits, undone.kept) == (99, 0)
    assert store.tagged(tag.id) == ["RW00000005"]
    with pytest.raises(NotFound):
        store.undo(change, "ada")


def test_an_undo_leaves_what_somebody_changed_since(store: SqlReviewStore) -> None:
    tag = store.add_tag("Responsive", "ada")
    change = code(store, tag.id, 1, 2)
    code(store, tag.id, 2, who="bob", on=False)
    code(store, tag.id, 2, who="bob")
    assert store.undo(change, "ada").kept == 1
    assert store.tagged(tag.id) == ["RW00000002"]


def test_nobody_undoes_the_change_of_another(store: SqlReviewStore) -> None:
    tag = store.add_tag("Responsive", "ada")
    change = code(store, tag.id, 1)
    with pytest.raises(NotFound):
        store.undo(change, "bob")


def test_who_decides_on_an_older_state_is_told(store: SqlReviewStore) -> None:
    tag, other = store.add_tag("Responsive", "ada"), store.add_tag("Privileged", "ada")
    seen = store.version(1)
    code(store, tag.id, 1, who="bob", seen=seen)
    with pytest.raises(Conflict):
        code(store, other.id, 1, seen=seen)
    code(store, other.id, 1, seen=store.version(1))


def test_notes_and_saved_searches_are_kept(store: SqlReviewStore) -> None:
    note = store.add_note(3, " call Bo ", "ada")
    assert store.notes(3) == [note] and note.text == "call Bo"
    with pytest.raises(UserError):
        store.add_note(3, "   ", "ada")
    saved = store.save_search("coating", "q=coating", "ada")
    assert store.saved_searches() == [saved]
    assert store.drop_search(saved.id, "bob")
    assert not store.drop_search(saved.id, "bob")


def test_views_mark_what_each_person_has_read(store: SqlReviewStore) -> None:
    views = [
        Entry(who=who, action=Action.VIEWED, exhibit=4, at_ms=at) for who, at in (("ada", 10), ("bob", 20), ("ada", 30))
    ]
    store.record(views)
    assert store.readers([4, 5]) == {4: ["ada", "bob"]}
    assert [(entry.who, entry.at_ms) for entry in store.history(4)] == [("ada", 30), ("bob", 20), ("ada", 10)]


def test_every_change_is_in_the_log_and_the_log_is_a_chain(store: SqlReviewStore, opened: Opener) -> None:
    tag = store.add_tag("Responsive", "ada")
    change = code(store, tag.id, 1)
    store.undo(change, "ada")
    store.add_note(1, "n", "ada")
    assert [entry.action for entry in reversed(store.log())] == ["tag made", "tagged", "undone", "noted"]
    assert [entry.id for entry in store.log(before=3, limit=1)] == [2]
    assert findings(opened) == []


def test_many_writers_make_one_chain(opened: Opener) -> None:
    stores = [SqlReviewStore(opened()) for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        for who, store in enumerate(stores):
            entries = [Entry(who=str(who), action=Action.SEARCHED)] * 2
            for _ in range(5):
                pool.submit(store.record, entries)
    assert len(stores[0].log(limit=1000)) == 40
    assert findings(opened) == []


@pytest.mark.parametrize(
    "edit",
    [
        "UPDATE audit_entry SET who = 'bob' WHERE id = 2",
        "UPDATE audit_entry SET at_ms = at_ms + 1 WHERE id = 2",
        "UPDATE audit_entry SET detail = '{}' WHERE id = 2",
        "DELETE FROM audit_entry WHERE id = 2",
    ],
)
def test_an_entry_that_was_changed_or_taken_out_is_found(store: SqlReviewStore, opened: Opener, edit: str) -> None:
    for n in range(3):
        store.record([Entry(who="ada", action=Action.SEARCHED, detail={"query": str(n)})])
    opened().write(lambda tx: tx.exec_driver_sql(edit))
    assert findings(opened) != []


@pytest.mark.requirement("D6")
def test_tags_of_an_import_are_made_once_and_set_once_and_a_reviewer_has_the_last_word(opened: Opener) -> None:
    store, database = SqlReviewStore(opened()), opened()
    store.add_tag("Hot", "ada")
    wanted = {1: ("hot", "Privileged"), 2: ("HOT",)}
    for _ in range(2):  # as after a kill
        database.write(lambda tx: import_tags(tx, wanted))
    hot, privileged = store.tags()
    assert (hot.name, privileged.name) == ("Hot", "Privileged")
    assert [(each.exhibit, each.tag, each.who) for each in store.taggings([1, 2])] == [
        (1, hot.id, "import"),
        (2, hot.id, "import"),
        (1, privileged.id, "import"),
    ]
    code(store, hot.id, 1, on=False)
    database.write(lambda tx: import_tags(tx, {1: ("hot",), 3: ("HOT",)}))
    assert [each.name for each in store.tags()] == ["Hot", "Privileged"], "a person has spelt it"
    assert [each.exhibit for each in store.taggings([1, 2, 3]) if each.tag == hot.id] == [2, 3]
    assert [each.action for each in store.log(None, 99)].count(Action.TAGGED) == 4 and findings(opened) == []


@pytest.mark.parametrize("first", [0, 1, 2])
def test_a_tag_that_records_write_differently_is_spelt_the_same_whichever_is_loaded_first(
    store: SqlReviewStore, opened: Opener, first: int
) -> None:
    database = opened()
    records: list[dict[int, tuple[str, ...]]] = [
        {1: ("privileged",)},
        {2: ("Privileged",), 3: ("PriVileged",)},
        {4: ("privileGed",)},
    ]
    for wanted in records[first:] + records[:first]:
        database.write(lambda tx, wanted=wanted: import_tags(tx, wanted))  # type: ignore[misc]
    [tag] = store.tags()
    assert tag.name == "PriVileged"
    assert sorted(each.exhibit for each in store.taggings([1, 2, 3, 4])) == [1, 2, 3, 4]
    assert findings(opened) == []
