"""`redwell reindex` brings back an index that is gone, damaged or wrong, from the rows and texts alone."""

import shutil
from pathlib import Path

import pytest
from tests.support.cases import opened, prepare

from redwell.core.errors import Recoverable
from redwell.runtime.reindex import reindex
from redwell.runtime.verify import verify


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
        case.store.index_again()
        case.index.forget()
        taken = case.store.pending_index(3)
        assert taken
    with opened(home) as case:
        reindex(case, lambda _: None)
        assert not list(verify(case))


def test_two_never_write_one_index(home: Path) -> None:
    with opened(home) as case:
        lock = case.indexer_lock()
        assert lock
        with pytest.raises(Recoverable, match="try again"):
            reindex(case, lambda _: None)
        lock.release()
