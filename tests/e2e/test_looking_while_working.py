"""While an import runs, is killed and resumed, whoever only looks never fails and holds nobody up."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.support import postgres
from tests.support.evidence import make_evidence
from tests.support.product import redwell, verified
from tests.support.products import others_in_soak

from redwell.core.case.rows import Exhibit
from redwell.core.search.query_parser import parse
from redwell.core.search.request import Search
from redwell.runtime.bootstrap.open_reader import Reader, open_reader
from redwell.runtime.bootstrap.settings import Settings

CASE = "c"
POINTS = ("walk.after_commit", "read.after_commit", "record.after_commit:2", "index.after_commit")


class Onlooker:
    """Looks at everything again and again, through one reader that it keeps and through new ones."""

    def __init__(self, home: Path, settings: Settings) -> None:
        self._home, self._settings = home, settings
        self._stop = threading.Event()
        self.looks = 0
        self.failure: BaseException | None = None

    def run(self) -> None:
        try:
            with open_reader(self._home, CASE, self._settings) as kept:
                while not self._stop.is_set():
                    self._look(kept)
                    with open_reader(self._home, CASE, self._settings) as new:
                        self._look(new)
        except BaseException as error:
            self.failure = error

    def stop(self) -> None:
        self._stop.set()

    def _look(self, reader: Reader) -> None:
        keys = [exhibit.id for exhibit in pages(reader)]
        assert len(keys) == len(set(keys))
        assert sum(reader.rows.counts().values()) >= len(keys)
        hits = reader.index.search(Search(query=parse("the"))).hits
        assert len(reader.rows.some([hit.exhibit for hit in hits])) == len(hits)
        self.looks += 1


def pages(reader: Reader) -> Iterator[Exhibit]:
    after, more = None, True
    while more:
        page = reader.rows.page(after, 7)
        yield from page.exhibits
        after, more = page.after, page.after is not None


@contextmanager
def looking(home: Path, settings: Settings) -> Iterator[Onlooker]:
    onlooker = Onlooker(home, settings)
    thread = threading.Thread(target=onlooker.run)
    thread.start()
    try:
        yield onlooker
    finally:
        onlooker.stop()
        thread.join()


DATABASES: dict[str, Callable[[], str]] = {"sqlite": lambda: "", "postgres": lambda: postgres.server().url}


@pytest.mark.parametrize("database", others_in_soak(DATABASES, "sqlite"))
def test_a_reader_in_a_loop_never_fails_while_an_import_is_killed_and_resumed(database: str, tmp_path: Path) -> None:
    url, home = DATABASES[database](), tmp_path / "home"
    env = {"REDWELL_DATABASE": url} if url else {}
    source = make_evidence(tmp_path / "in", mails=30)
    run = redwell(home, "import", str(source), "--case", CASE, faulty=True, REDWELL_TRIP="walk.after_close", **env)
    assert run.returncode == -signal.SIGKILL
    with looking(home, Settings(database=url)) as onlooker:
        for point in POINTS:
            killed = redwell(home, "resume", "--case", CASE, faulty=True, REDWELL_TRIP=point, **env)
            assert killed.returncode in (0, -signal.SIGKILL), killed.stderr
        ended = redwell(home, "resume", "--case", CASE, faulty=True, **env)
        assert ended.returncode == 0, ended.stderr
        assert redwell(home, "gc", "--case", CASE, **env).returncode == 0
    assert onlooker.failure is None and onlooker.looks
    verified(home, CASE, **env)
