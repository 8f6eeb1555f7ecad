"""Whatever is loaded, by whom, in what order and however often a loader dies: the case says what plain Python says.

Random mails in random batches, taken out by one worker in random order, so that what is attached may come late; two
loaders with the real plan, of which each may go on in the middle of a step of the other, and die before any step or
commit. In the end copies, custodians, paths, threads and the index are compared with tests.support.mail_world.
"""

from collections.abc import Sequence
from typing import Any, cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.support.case_stores import DATABASES, Opener, case_stores
from tests.support.ledger_model import as_text, stored
from tests.support.mail_world import SOURCE, Batch, Expected, Mail, MailWorld, attachment, mail_worlds

from redwell.core.blobs import Location
from redwell.core.case.rows import Exhibit, ToLoad
from redwell.core.outcomes import Outcome
from redwell.core.work.kinds import Attempts
from redwell.core.work.records import Claim, Found, Member, Read, Result
from redwell.load.loader import Loader
from redwell.load.loading import Loading
from redwell.load.plan import PLAN, Step
from redwell.load.project import entry_of, filed_of, standing_of
from redwell.ports.ledger import NewBatch
from redwell.ports.search_index import Entry

pytestmark = pytest.mark.requirement("D3", "D6")
MOVES = ("go", "go", "go", "other", "die", "extract")
EXAMPLES = {"sqlite": 60, "postgres": 12}  # a schema takes longer to make than a file


class Died(BaseException):
    """A loader is killed; nothing in it may catch this."""


class Texts:
    """As blobs: what is written of each mail."""

    def __init__(self, world: MailWorld) -> None:
        known = {stored(mail.text).digests.sha256: mail.text for mail in world.of_content().values()}
        self._known = {**known, **{stored(f"text {n}").digests.sha256: f"text {n}" for n in range(3)}}

    def read(self, sha256: bytes, _location: Location) -> bytes:
        return self._known[sha256].encode()


class Index:
    """Of one loader: what it has not committed dies with it."""

    def __init__(self, committed: dict[int, str]) -> None:
        self._committed, self._given = committed, dict[int, str]()

    def replace(self, entries: Sequence[Entry]) -> None:
        self._given |= {entry.exhibit: entry.digest for entry in entries}

    def commit(self) -> None:
        self._committed |= self._given
        self._given = {}


class Play:
    """A case of a world, and what happens to it, move by move; when no move is left, everything goes on undisturbed."""

    def __init__(self, opener: Opener, world: MailWorld, moves: Sequence[str]) -> None:
        self.world, self.store, self.index = world, opener("worker"), dict[int, str]()
        self.texts, self._moves = Texts(world), iter(moves)
        self._stores = [opener("loader 1"), opener("loader 2")]
        self._loaders: dict[int, Loader] = {}
        self._busy: list[int] = []
        self._claims: list[Claim] = []

    def run(self) -> list[list[int]]:
        return [self._wave(batches) for batches in self.world.waves]

    def _wave(self, batches: Sequence[Batch]) -> list[int]:
        numbers = [self._import(batch) for batch in batches]
        for turn, move in enumerate(self._moves):
            self._extract() if move == "extract" else self._load(turn % 2)
            if turn > 10 * len(numbers):
                break
        while self._extract():
            pass
        while self._load(0) or self._load(1):
            pass
        assert all(self.store.finish_batch(number) for number in numbers)
        return numbers

    def _import(self, batch: Batch) -> int:
        chosen = {"dedupe": self.world.scope}
        new = NewBatch(type="files", custodian=batch.custodian, settings=chosen, sources=[SOURCE + batch.custodian])
        number = self.store.create_batch(new)
        [walk] = self.store.claim_walks(number)
        names = [f"{place}.eml" for place in range(len(batch.mails))]
        found = [Found(locator=name, name=name, path=f"mails/{name}", size=1) for name in names]
        self.store.close_walk(walk, found, len(found))
        files = self.store.claim_reads(number, 100)
        mails = [batch.mails[names.index(file.locator)].bytes for file in files]
        self.store.record_reads(
            [Read(id=f.id, attempt=f.attempt, name=f.name, stored=mail) for f, mail in zip(files, mails, strict=True)]
        )
        return number

    def _extract(self) -> bool:
        """The last that was claimed is done first, so members come before heads and after them."""
        self._claims += self.store.claim_work(2, 1 << 20)
        if not self._claims:
            return False
        claim = self._claims.pop()
        mail = self.world.of_content().get(claim.sha256)
        about = {"derivation": claim.id, "attempt": claim.attempt}
        if mail is None:
            [number] = [number for number in range(3) if attachment(number).digests.sha256 == claim.sha256]
            text = as_text(stored(f"text {number}"), 6)
            self.store.record([], [Result(**about, outcome=Outcome.SUCCESS, kind="text", artifacts=text)])
            return True
        members = [self._member(about, place, number) for place, number in enumerate(mail.files)]
        self.store.record(members, [self._result(about, mail)])
        return True

    @staticmethod
    def _member(about: dict[str, Any], place: int, number: int) -> Member:
        return Member(**about, locator=str(place), name="a.txt", role="attachment", stored=attachment(number))

    @staticmethod
    def _result(about: dict[str, Any], mail: Mail) -> Result:
        text = as_text(stored(mail.text), len(mail.text))
        about |= {"declared": len(mail.files), "container": True} if mail.files else {}
        metadata = dict(mail.metadata)
        return Result(**about, outcome=Outcome.SUCCESS, kind="mail", metadata=metadata, artifacts=text)

    def _load(self, which: int) -> int:
        """A chunk of one loader's; how many were in it. A new one comes where the last one died."""
        if which in self._busy:
            return 0
        self._busy.append(which)
        try:
            if which not in self._loaders:
                self._begin(which)
            loader = self._loaders[which]
            count = loader.load_some(3)
            if self._move() != "other":  # else what it has loaded waits for the next commit
                loader.commit()
            return count
        except Died:
            del self._loaders[which]
            return 1
        finally:
            self._busy.remove(which)

    def _begin(self, which: int) -> None:
        """Who gets the lock takes over from the dead, when the others hold nothing: so these commit first."""
        if len(self._busy) == 1:
            for loader in self._loaders.values():
                loader.commit()
            self._stores[which].begin_loading()
        plan = [Step(s.name, s.checkpoint, s.run and self._disturbed(which, s.run)) for s in PLAN]
        blobs, index = cast(Any, self.texts), cast(Any, Index(self.index))
        self._loaders[which] = Loader(self._stores[which], blobs, index, plan)

    def _disturbed(self, which: int, run: Any) -> Any:
        def step(case: Loading, exhibits: Sequence[ToLoad]) -> None:
            self._happens(which)
            run(case, exhibits)
            self._happens(which)

        return step

    def _happens(self, which: int) -> None:
        match self._move():
            case "die":
                raise Died
            case "other":
                self._load(1 - which)
            case "extract":
                self._extract()

    def _move(self) -> str:
        return next(self._moves, "go")


@pytest.mark.parametrize("adapter", DATABASES)
def test_copies_threads_and_index_are_those_of_plain_python_whatever_happens_to_the_loaders(
    adapter: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    @settings(
        max_examples=EXAMPLES[adapter],
        deadline=None,
        derandomize=True,
        suppress_health_check=[HealthCheck.too_slow],
    )
    @given(world=mail_worlds, moves=st.lists(st.sampled_from(MOVES), max_size=80))
    def run(world: MailWorld, moves: list[str]) -> None:
        with case_stores(adapter, tmp_path_factory.mktemp("loads"), Attempts()) as opener:
            play = Play(opener, world, moves)
            check(play, play.run())

    run()


def check(play: Play, batches: list[list[int]]) -> None:
    rows = list(play.store.rows.exhibits())
    expected = Expected(play.world, batches, rows)
    assert {row.id: row.duplicate_of for row in rows if row.duplicate_of} == expected.originals()
    held = expected.held()
    assert {row.id: (row.custodians, sorted(row.paths)) for row in rows if row.id in held} == held
    heads = [row for row in rows if row.family == row.id]
    assert {row.id: row.thread for row in heads} == expected.threads()
    assert {row.id for row in heads if row.inclusive} == expected.inclusive()
    assert len({row.control_number for row in rows}) == len(rows)
    assert play.index == {row.id: digest_of(row) for row in rows}, "each is found as it is now"
    with play.store.rows.audit() as audit:
        assert list(audit.imbalances()) == []


def digest_of(row: Exhibit) -> str:
    return entry_of(row, "", standing_of(row), filed_of(row)).digest
