"""`redwell reindex` brings back an index that is gone, damaged or wrong, from the rows and texts alone."""

import shutil
from pathlib import Path

import pytest
from tests.support.cases import opened, prepare
from tests.support.search_indexes import ask

from redwell.core.case.checkpoints import Checkpoint
from redwell.core.errors import Permanent, Recoverable
from redwell.load.loader import Loader
from redwell.load.loading import Added
from redwell.ports.search_index import Entry
from redwell.runtime.upkeep.reindex import reindex
from redwell.runtime.upkeep.verify import verify
from redwell.runtime.worker.indexer import Indexer
from redwell.runtime.worker.progress import Progress


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return prepare(tmp_path / "home")


def test_a_deleted_index_is_made_again_with_every_entry(home: Path) -> None:
    with opened(home) as case:
        before = list(case.index.entries())
    [folder] = home.glob("cases/*/index")
    shutil.rmtree(folder)
    with opened(home) as case:
        told: list[int] = []
        assert reindex(case, told.append) == len(before) > 0
        assert told[-1] == len(before)
        assert list(case.index.entries()) == before
        assert not list(verify(case))


def test_a_damaged_index_is_made_again(home: Path) -> None:
    [meta] = home.glob("cases/*/index/*/meta.json")
    meta.write_text("{")
    with opened(home) as case:
        reindex(case, lambda _: None)
        assert not list(verify(case))


def test_a_reindex_that_was_killed_is_finished_by_the_next_one(home: Path) -> None:
    with opened(home) as case:
        case.store.load_again(Checkpoint.INDEX)
        case.index.forget()
        taken = case.store.take_to_load(3)
        assert taken
    with opened(home) as case:
        reindex(case, lambda _: None)
        assert not list(verify(case))


def test_a_case_is_searched_while_its_index_is_made_anew(home: Path) -> None:
    with opened(home) as case:
        before, found = list(case.index.entries()), ask(case.index, "letter").total
        case.store.load_again(Checkpoint.INDEX)
    seen: list[tuple[int, int]] = []
    with opened(home) as case:

        def look(_: int) -> None:
            seen.append((ask(case.index, "letter").total, sum(1 for _ in case.index.entries())))

        load_some = Loader.load_some
        with pytest.MonkeyPatch.context() as patch:  # a commit for every three
            patch.setattr(Loader, "load_some", lambda loader: load_some(loader, 3))
            patch.setattr(Added, "is_much", lambda added, _: len(added.exhibits) > 0)
            reindex(case, look)
        assert len(seen) > 3 and set(seen) == {(found, len(before))}
        assert found and not list(verify(case))


def test_an_entry_that_belongs_to_no_exhibit_goes(home: Path) -> None:
    with opened(home) as case:
        before = list(case.index.entries())
        case.index.replace([Entry(exhibit=999, digest="x", text="letter")])
        case.index.commit()
        assert reindex(case, lambda _: None) == len(before)
        assert list(case.index.entries()) == before


def test_two_never_write_one_index(home: Path) -> None:
    with opened(home) as case:
        lock = case.indexer_lock()
        assert lock
        with pytest.raises(Recoverable, match="try again"):
            reindex(case, lambda _: None)
        lock.release()


def test_an_index_of_another_version_is_told_of_and_made_anew_by_the_next_import(home: Path, tmp_path: Path) -> None:
    """Nothing is read anew for it but texts; until then a search says what to do instead of finding nothing."""
    with opened(home) as case:
        before = list(case.index.entries())
    [folder] = home.glob("cases/*/index/*")
    folder.rename(folder.with_name("v1"))
    with opened(home) as case:
        with pytest.raises(Permanent, match="run 'redwell reindex'"):
            ask(case.index, "letter")
        assert next(finding.detail for finding in verify(case)).startswith("it cannot be read: ")
        indexer = Indexer(case, Progress())
        indexer.hurry.set()
        while indexer.step():
            pass
        indexer.stop()
        indexer.run()
        assert list(case.index.entries()) == before
        assert not list(verify(case))
    assert not folder.with_name("v1").exists()
