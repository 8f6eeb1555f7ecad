"""An index that is only searched: it answers on a disk that cannot be written, and nothing is written beside it."""

import threading
from contextlib import closing
from pathlib import Path

import pytest
from tests.support.search_indexes import ask

from redwell.adapters.tantivy.index import TantivyIndex
from redwell.core.errors import Permanent, Recoverable
from redwell.ports.search_index import Entry


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path / "index", 1)
    return tmp_path / "index"


def write(folder: Path, *exhibits: int) -> None:
    with closing(TantivyIndex(folder, lambda keys: ())) as index:
        for exhibit in exhibits:
            index.replace([Entry(exhibit=exhibit, digest=f"d{exhibit}", text="word")])
            index.commit()


def looked_at(folder: Path) -> TantivyIndex:
    return TantivyIndex(folder, lambda keys: (), read_only=True)


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the links go."""
    links = tmp_path / "temporary"
    links.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(links))
    return links


def listing(folder: Path) -> set[tuple[str, int]]:
    return {(str(path), path.stat().st_mtime_ns) for path in [folder, *folder.rglob("*")]}


def test_it_answers_and_leaves_no_trace(folder: Path, temporary: Path) -> None:
    for lock in folder.rglob(".tantivy*"):
        lock.unlink()
    before = listing(folder)
    with closing(looked_at(folder)) as index:
        assert ask(index, "word").total == 1
        assert list(temporary.iterdir()) == [], "the links are needed for a moment only"
        assert list(index.entries()) == [(1, "d1")]
        assert list(index.damaged()) == []
    assert listing(folder) == before


def test_where_nothing_was_indexed_yet_nothing_is_found_and_nothing_made(tmp_path: Path) -> None:
    with closing(looked_at(tmp_path / "index")) as index:
        assert ask(index, "word").total == 0
    assert not (tmp_path / "index").exists()


def test_it_follows_what_others_commit(folder: Path, temporary: Path) -> None:
    with closing(looked_at(folder)) as index:
        assert ask(index, "word").total == 1
        write(folder, 2)
        assert ask(index, "word").total == 2
    assert list(temporary.iterdir()) == []


def test_it_answers_while_another_one_commits_and_merges(folder: Path) -> None:
    writing = threading.Thread(target=write, args=(folder, *range(2, 60)))
    writing.start()
    with closing(looked_at(folder)) as index:
        totals = [ask(index, "word").total]
        while writing.is_alive():
            totals.append(ask(index, "word").total)
        writing.join()
        assert totals == sorted(totals)
        assert ask(index, "word").total == 59


def test_it_is_not_written(folder: Path) -> None:
    with closing(looked_at(folder)) as index, pytest.raises(Recoverable, match="searched only"):
        index.replace([Entry(exhibit=2, digest="", text="")])


def test_a_damaged_one_says_what_to_do(folder: Path) -> None:
    [meta] = folder.rglob("meta.json")
    meta.write_text("{")
    with closing(looked_at(folder)) as index, pytest.raises(Permanent, match="redwell reindex"):
        ask(index, "word")
