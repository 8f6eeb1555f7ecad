"""Cases made without children: the real store, blobs and index, driven with results that a test makes up."""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.support.ledger_model import as_text

from redwell.core.blobs import Digests, Stored
from redwell.core.jobs.job import NewJob
from redwell.core.outcomes import Code, Outcome
from redwell.core.reading import Problem
from redwell.core.work.records import Claim, Found, Member, Read, Result
from redwell.load.loader import Loader
from redwell.ports.contents import keep
from redwell.ports.ledger import Want
from redwell.runtime.bootstrap.open_case import Case, open_case
from redwell.runtime.bootstrap.settings import load_settings
from redwell.runtime.upkeep.batches import begin

NAME = "Smith v Jones"
SETTINGS = ("max_depth=2", "small_blob_kb=1")


def opened(home: Path, *, create: bool = False, database: str = "") -> Case:
    return open_case(home, NAME, load_settings([*SETTINGS, f"database={database}"], environ={}), create=create)


@dataclass(frozen=True)
class Item:
    """A made-up file and what a handler is said to make of it."""

    name: str
    data: bytes = b""
    text: str = ""
    outcome: Outcome = Outcome.SUCCESS
    members: tuple["Item | Lost | Skipped", ...] = ()
    declared: int | None = None
    metadata: Mapping[str, str] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    media_type: str = "text/plain"

    @property
    def container(self) -> bool:
        return bool(self.members) or self.declared is not None


@dataclass(frozen=True)
class Lost:
    """A member that could not be taken out, or a file that could not be read."""

    name: str


@dataclass(frozen=True)
class Skipped:
    name: str


def imported(
    case: Case, files: Iterable[Item | Lost], custodian: str = "Ann Lee", step: Callable[[], None] = lambda: None
) -> int:
    """Import these files to the end; `step` is called after every transaction."""
    driver = Driver(case, step)
    batch = begin(case, [f"/evidence/{custodian}"], "files", custodian, NewJob())
    step()
    driver.walk(batch, list(files))
    driver.work(batch)
    return batch


class Driver:
    def __init__(self, case: Case, step: Callable[[], None] = lambda: None) -> None:
        self._case, self._step = case, step
        self._stored: dict[Digests, Stored] = {}
        self.items: dict[bytes, Item] = {}  # what to make of each content

    def walk(self, batch: int, files: list[Item | Lost]) -> None:
        [walk] = self._case.store.claim_walks(batch)
        for file in files[:-1]:
            self._case.store.add_found(walk, [_found(file)])
        self._step()
        self._case.store.close_walk(walk, [_found(file) for file in files[-1:]], len(files))
        self._step()
        contents = {file.name: file for file in files if isinstance(file, Item)}
        while reads := self._case.store.claim_reads(batch, 3):
            self._step()
            stored = {read.name: self.stored(contents[read.name]) for read in reads}
            self._case.blobs.sync()
            self._case.store.record_reads(
                [Read(id=r.id, attempt=r.attempt, name=r.name, stored=stored[r.name]) for r in reads]
            )
            self._step()

    def stored(self, item: Item) -> Stored:
        self.items[Digests.of(item.data).sha256] = item
        return self._kept(item.data, Digests.of(item.data))

    def _kept(self, data: bytes, digests: Digests) -> Stored:
        """Each content once, whether rows know it already or not."""
        if digests not in self._stored:
            small = len(data) <= self._case.blobs.small_bytes
            kept = keep({digests: data} if small else {}, self._case.store, self._case.blobs)
            self._stored[digests] = kept[digests] if small else self._case.blobs.spill([data])
        return self._stored[digests]

    def work(self, batch: int) -> None:
        store = self._case.store
        while claims := store.claim_work(2, 1 << 20, Want(batch=batch)):
            self._step()
            for claim in claims:
                self._extract(claim, self.items[claim.sha256])
            while store.settle_some(batch):
                self._step()
        loader = Loader(store, self._case.blobs, self._case.index)
        while loader.load_some(at_once=5):
            loader.commit()
            self._step()
        assert store.finish_batch(batch)

    def _extract(self, claim: Claim, item: Item) -> None:
        """Members first, by themselves, then the result: as a long container does it."""
        members = list(self._members(claim, item))
        text = item.text.encode()
        kept = self._kept(text, Digests.identity_of(text)) if text else None
        self._case.blobs.sync()
        for member in members:
            self._case.store.record([member], [])
            self._step()
        self._case.store.record([], [_result(claim, item, kept)])
        self._step()

    def _members(self, claim: Claim, item: Item) -> Iterator[Member]:
        for place, member in enumerate(item.members):
            lost = isinstance(member, Lost)
            yield Member(
                derivation=claim.id,
                attempt=claim.attempt,
                locator=str(place),
                name=member.name,
                stored=self.stored(member) if isinstance(member, Item) else None,
                outcome=Outcome.INVALID_FILE if lost else None,
                detail="its checksum is wrong" if lost else "",
                metadata={"packed": "yes"} if isinstance(member, Item) else {},
            )


def _found(file: Item | Lost) -> Found:
    problem = Problem(code=Code.SYMLINK_NOT_FOLLOWED, detail="a link to elsewhere")
    lost = isinstance(file, Lost)
    return Found(
        locator=file.name,
        name=file.name,
        path=file.name,
        size=None if isinstance(file, Lost) else len(file.data),
        dates={"modified": "2024-05-01T10:00:00+00:00"},
        outcome=Outcome.UNSUPPORTED if lost else None,
        problem=problem if lost else None,
    )


def _result(claim: Claim, item: Item, text: Stored | None) -> Result:
    return Result(
        derivation=claim.id,
        attempt=claim.attempt,
        outcome=item.outcome,
        media_type="application/zip" if item.container else item.media_type,
        kind="archive" if item.container else "text",
        handler="made-up",
        artifacts=as_text(text, len(item.text)),
        pages=1,
        container=item.container,
        declared=item.declared,
        metadata=item.metadata,
        problems=item.problems,
    )


LETTER = Item("letter.txt", b"Dear Ann", text="Dear Ann,")
PAIR = Item("pair.zip", b"PK pair", declared=1, members=(LETTER,))
DEEP = Item("deep.zip", b"PK deep", members=(Item("deepest.txt", b"too deep", text="too deep"),))
MAIL = Item(
    "mail.zip",
    b"PK mail",
    declared=7,
    metadata={"comment": "packed by hand"},
    members=(
        Item("inner.txt", b"inner bytes", text="inner text", metadata={"title": "Inner"}),
        Lost("broken.doc"),
        Skipped("folder/"),
        Item("inner.zip", b"PK inner", members=(DEEP,)),
        PAIR,
    ),
)
FILES = (
    LETTER,
    Item("copy of letter.txt", b"Dear Ann", text="Dear Ann,"),
    Item("large.txt", b"large " * 1000, text="text " * 1000),
    MAIL,
    Lost("link"),
    Item("empty.txt", outcome=Outcome.EMPTY),
    Item("set.z01", b"PK first volume"),
    Item("set.zip", b"PK last volume", text="of both volumes"),
)


def prepare(home: Path, database: str = "") -> Path:
    """A case in which everything occurs: containers in containers, copies, exceptions, loose files, two batches."""
    with opened(home, create=True, database=database) as case:
        imported(case, FILES)
        imported(case, [PAIR], "Bob Ray")
    return home


@contextmanager
def by_hand(case: Case) -> Iterator[sqlite3.Connection]:
    """Plain SQL on the case's file, each statement for good: as somebody with a database tool would do it."""
    with closing(sqlite3.connect(case.folder / "case.sqlite", isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        yield connection


def flip(path: Path, offset: int) -> None:
    """Change one bit on the disk; twice changes nothing."""
    with path.open("r+b") as file:
        file.seek(offset)
        byte = file.read(1)[0]
        file.seek(offset)
        file.write(bytes([byte ^ 0x40]))
