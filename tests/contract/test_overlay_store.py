"""What the store of overlays promises (ports.overlays), on every database."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import select
from tests.support.review_cases import KINDS, case_with_exhibits, databases

from redwell.adapters.sql.case_tables import exhibit
from redwell.adapters.sql.database import Database
from redwell.adapters.sql.review_tables import audit_entry
from redwell.adapters.sql.tables import blob, load_pending
from redwell.adapters.sql_overlays.overlay_store import SqlOverlayStore
from redwell.core.blobs import Digests, Location, Stored
from redwell.core.errors import NotFound
from redwell.core.loadfiles.given_text import FIELD, GivenText
from redwell.core.loadfiles.overlay import NewValue

pytestmark = pytest.mark.requirement("A13")
Opener = Callable[[], Database]


@pytest.fixture(params=KINDS)
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Opener]:
    with databases(request.param, tmp_path) as opener:
        case_with_exhibits(opener(), 5)
        yield opener


@pytest.fixture
def store(opened: Opener) -> SqlOverlayStore:
    return SqlOverlayStore(opened())


def laid(store: SqlOverlayStore, changes: dict[int, list[NewValue]]) -> int:
    key = store.begin("o.dat", "00", "ada")
    store.apply(key, changes, "ada")
    store.finish(key, {"rows": len(changes)}, "ada")
    return key


def overlaid(opened: Opener) -> dict[int, dict[str, object]]:
    with opened().read() as tx:
        rows = tx.execute(select(exhibit.c.id, exhibit.c.overlaid).where(exhibit.c.overlaid.is_not(None)))
        return {row.id: json.loads(row.overlaid) for row in rows}


def test_the_last_overlay_of_a_field_counts_and_undoing_one_leaves_the_others(
    store: SqlOverlayStore, opened: Opener
) -> None:
    first = laid(store, {1: [NewValue("status", None, "hot"), NewValue("to", "a", ["a", "b"])]})
    second = laid(store, {1: [NewValue("status", "hot", None)], 2: [NewValue("status", None, "þ")]})
    assert overlaid(opened) == {1: {"status": None, "to": ["a", "b"]}, 2: {"status": "þ"}}
    assert store.undo(first, "eve") == 1
    assert overlaid(opened) == {1: {"status": None}, 2: {"status": "þ"}}
    assert store.undo(second, "eve") == 2
    assert overlaid(opened) == {}
    assert [(each.undone, each.counts) for each in store.overlays()] == [(True, {"rows": 1}), (True, {"rows": 2})]


def test_what_it_changed_is_told_by_document_and_field(store: SqlOverlayStore) -> None:
    key = laid(store, {3: [NewValue("a", 1, 2)], 4: [NewValue("b", None, "x"), NewValue("c", "y", None)]})
    told = [(each.control, each.name, each.before, each.after) for each in store.values(key)]
    assert told == [("RW00000003", "a", 1, 2), ("RW00000004", "b", None, "x"), ("RW00000004", "c", "y", None)]


def test_an_overlay_is_undone_once_and_one_that_is_not_there_is_named(store: SqlOverlayStore) -> None:
    key = laid(store, {1: [NewValue("a", 1, 2)]})
    store.undo(key, "eve")
    for wrong in (key, 99):
        with pytest.raises(NotFound, match="overlay list"):
            store.undo(wrong, "eve")
    with pytest.raises(NotFound):
        list(store.values(99))


def test_each_change_is_in_the_log_and_waits_for_the_index(store: SqlOverlayStore, opened: Opener) -> None:
    store.undo(laid(store, {2: [NewValue("a", 1, 2)]}), "eve")
    with opened().read() as tx:
        log = [(row.who, row.action, row.exhibit) for row in tx.execute(select(audit_entry).order_by(audit_entry.c.id))]
        assert list(tx.execute(select(load_pending.c.exhibit)).scalars()) == [2]
        assert tx.execute(select(exhibit.c.checkpoint).where(exhibit.c.id == 2)).scalar_one() < 10
    assert log == [
        ("ada", "fields overlaid", 2),
        ("ada", "fields overlaid", None),
        ("eve", "overlay undone", None),
    ]


def given(words: str) -> tuple[NewValue, Stored]:
    digests = Digests.identity_of(words.encode())
    told = GivenText(digests.sha256, len(words)).told()
    return NewValue(FIELD, None, told), Stored(digests, len(words), Location("p", 0, len(words)))


def texts(opened: Opener) -> dict[int, tuple[bytes, int]]:
    with opened().read() as tx:
        columns = exhibit.c.id, exhibit.c.given_text, exhibit.c.given_chars
        rows = tx.execute(select(*columns).where(exhibit.c.given_text.is_not(None)))
        return {row.id: (bytes(row.given_text), row.given_chars) for row in rows}


def test_a_text_is_given_with_its_bytes_and_undoing_it_brings_the_one_before_back(
    store: SqlOverlayStore, opened: Opener
) -> None:
    keys, kept = [], []
    for words in ("first words", "second"):
        value, stored = given(words)
        kept.append(stored.digests.sha256)
        keys.append(store.begin("o.dat", "00", "ada"))
        store.apply(keys[-1], {1: [value, NewValue("to", None, "a")]}, "ada", [stored])
    assert texts(opened) == {1: (kept[1], 6)}
    assert overlaid(opened) == {1: {"to": "a"}}, "a text is no field"
    assert [each.after["chars"] for each in store.values(keys[0]) if each.name == FIELD] == [11]
    store.undo(keys[1], "eve")
    assert texts(opened) == {1: (kept[0], 11)}
    store.undo(keys[0], "eve")
    assert texts(opened) == {}
    with opened().read() as tx:
        assert {bytes(sha256) for sha256 in tx.execute(select(blob.c.sha256)).scalars()} == set(kept)
        assert list(tx.execute(select(load_pending.c.exhibit)).scalars()) == [1]
