"""What every search index keeps (ports.search_index): commits, replacements, kills, full disks."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.search_indexes import INDEXES, ask, opened, run_elsewhere

from redwell.core.errors import Permanent, Recoverable
from redwell.ports.search_index import Entry, SearchIndex

Opener = Callable[[], SearchIndex]
embedded = pytest.mark.parametrize("kind", ["tantivy"], indirect=True)  # what only an index in the case's folder can do
ENTRY = Entry(exhibit=2, digest="d2", text="other")


@pytest.fixture(params=INDEXES)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def open_index(kind: str, tmp_path: Path) -> Iterator[Opener]:
    with ExitStack() as stack:

        def opener() -> SearchIndex:
            index = opened(kind, tmp_path / "index", str)
            stack.callback(index.close)
            return index

        yield opener


def test_entries_are_seen_after_commit_and_by_other_readers(open_index: Opener) -> None:
    writer, reader = open_index(), open_index()
    assert ask(reader, "one").total == 0
    assert list(reader.entries()) == []
    writer.replace([Entry(exhibit=7, digest="d7", text="one")])
    assert ask(reader, "one").total == 0
    writer.commit()
    assert ask(reader, "one").total == 1
    assert list(reader.entries()) == [(7, "d7")]


def test_an_index_that_was_closed_can_be_asked_again(open_index: Opener) -> None:
    index = open_index()
    index.replace([ENTRY])
    index.commit()
    index.close()
    assert list(index.entries()) == [(ENTRY.exhibit, ENTRY.digest)]


def test_replacing_an_exhibit_leaves_only_the_last_version(open_index: Opener) -> None:
    index = open_index()
    for version in ("first", "second", "third"):
        index.replace([Entry(exhibit=0, digest=version, text=version), Entry(exhibit=1, digest="x", text="other")])
        if version != "first":
            index.commit()
    assert [ask(index, word).total for word in ("first", "second", "third", "other")] == [0, 0, 1, 1]
    assert list(index.entries()) == [(0, "third"), (1, "x")]


@given(
    st.lists(st.lists(st.tuples(st.integers(0, 12), st.text("abc", max_size=2)), max_size=6), min_size=1, max_size=5)
)
@settings(max_examples=25, deadline=None)
def test_each_exhibit_is_there_once_whatever_order_it_came_in(writings: list[list[tuple[int, str]]]) -> None:
    """Within a commit, across commits, and by a writer that finds what others wrote."""
    model: dict[int, str] = {}
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:  # tantivy may still be tidying up
        for entries in writings:
            index = opened("tantivy", Path(folder) / "index", str)
            for half in (entries[:3], entries[3:]):
                index.replace(Entry(exhibit=exhibit, digest=digest, text="x") for exhibit, digest in half)
                index.commit()
                model |= dict(half)
            index.close()
            assert sorted(index.entries()) == sorted(model.items())


def test_every_entry_is_listed_once_over_many_pages_and_commits(open_index: Opener) -> None:
    index = open_index()
    for start in range(0, 12_000, 3_000):
        index.replace(Entry(exhibit=n, digest=str(n), text="x") for n in reversed(range(start, start + 3_000)))
        index.commit()
    assert sorted(index.entries()) == [(n, str(n)) for n in range(12_000)]


@embedded
def test_a_kill_loses_only_what_was_not_committed(open_index: Opener, kind: str, tmp_path: Path) -> None:
    """SIGKILL in the middle, then going on: the lock is free and committed entries are there."""
    done = run_elsewhere(
        kind,
        tmp_path / "index",
        """
        index.replace(entry(n, "kept") for n in range(100))
        index.commit()
        index.replace(entry(n, "lost") for n in range(50, 3000))
        os.kill(os.getpid(), 9)
    """,
    )
    assert done.returncode == -9, done.stderr
    index = open_index()
    assert sorted(index.entries()) == [(n, f"d{n}") for n in range(100)]
    index.replace([Entry(exhibit=5000, digest="d", text="after")])
    index.commit()
    assert (ask(index, "kept").total, ask(index, "lost").total, ask(index, "after").total) == (100, 0, 1)


@embedded
def test_a_second_writer_is_told_to_come_again(open_index: Opener) -> None:
    index, other = open_index(), open_index()
    index.replace([Entry(exhibit=1, digest="d1", text="x")])
    with pytest.raises(Recoverable):
        other.replace([Entry(exhibit=9, digest="", text="x")])
    index.close()
    other.replace([Entry(exhibit=9, digest="d9", text="x")])
    other.commit()
    assert list(other.entries()) == [(9, "d9")], "what the first never committed is not there"


@embedded
def test_a_disk_that_takes_no_more_leaves_the_last_commit_readable(
    open_index: Opener, kind: str, tmp_path: Path
) -> None:
    done = run_elsewhere(
        kind,
        tmp_path / "index",
        """
        index.replace([entry(1, "kept")])
        index.commit()
        resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))
        try:
            index.replace(entry(n, " ".join(f"{n}x{m}" for m in range(300))) for n in range(2, 100))
            index.commit()
        except Recoverable as error:
            print("told", error)
        print(list(index.entries()))
    """,
    )
    assert done.stdout.startswith("told cannot write the index"), done.stderr
    assert done.stdout.endswith("[(1, 'd1')]\n")
    assert list(open_index().entries()) == [(1, "d1")]


@embedded
def test_damage_is_named(open_index: Opener, tmp_path: Path) -> None:
    index = open_index()
    assert list(index.damaged()) == []
    index.replace([Entry(exhibit=1, digest="d1", text="x")])
    index.commit()
    assert list(index.damaged()) == []
    [terms] = tmp_path.glob("index/*/*.term")
    terms.write_bytes(b"x" + terms.read_bytes()[1:])
    assert list(index.damaged()) == [str(terms.relative_to(tmp_path))]


@embedded
def test_an_index_of_other_rules_is_noticed_and_never_asked(open_index: Opener, tmp_path: Path) -> None:
    index = open_index()
    assert not index.is_outdated()
    index.replace([Entry(exhibit=1, digest="d1", text="x")])
    index.commit()
    index.close()
    [folder] = tmp_path.glob("index/*")
    folder.rename(folder.with_name("v1"))
    older = open_index()
    assert older.is_outdated()
    for use in (lambda: ask(older, "x"), lambda: list(older.entries()), lambda: older.replace([ENTRY])):
        with pytest.raises(Permanent, match="another version; run 'redwell reindex'"):
            use()
    older.forget()
    assert not older.is_outdated()
    older.replace([ENTRY])
    older.commit()
    assert [ask(older, "x").total, ask(older, "other").total] == [0, 1]
    assert list(tmp_path.glob("index/v1")) == []


@embedded
def test_a_damaged_index_says_what_to_do(open_index: Opener, tmp_path: Path) -> None:
    index = open_index()
    index.replace([Entry(exhibit=1, digest="d1", text="x")])
    index.commit()
    index.close()
    (meta,) = tmp_path.glob("index/*/meta.json")
    meta.write_text("{")
    damaged = open_index()
    with pytest.raises(Permanent, match="redwell reindex"):
        ask(damaged, "x")
    damaged.forget()
    assert ask(damaged, "x").total == 0
    damaged.replace([Entry(exhibit=2, digest="d2", text="x")])
    damaged.commit()
    assert list(damaged.entries()) == [(2, "d2")]


@pytest.mark.parametrize("kind", sorted(set(INDEXES) - {"tantivy"}), indirect=True)
def test_an_index_of_other_rules_is_noticed_on_a_cluster_too(
    open_index: Opener, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = open_index()
    index.replace([Entry(exhibit=1, digest="d1", text="x")])
    index.commit()
    assert (index.is_there(), index.is_outdated(), list(index.damaged())) == (True, False, [])
    monkeypatch.setattr(f"redwell.adapters.{kind}.case_alias.VERSION", 999)
    newer = open_index()
    assert newer.is_outdated()
    with pytest.raises(Permanent, match="another version; run 'redwell reindex'"):
        ask(newer, "x")
    newer.forget()
    assert not newer.is_there()
    newer.replace([ENTRY])
    newer.commit()
    assert [ask(newer, "x").total, ask(newer, "other").total] == [0, 1]
