"""`make bench PART=loader`: what the load of a document costs, in small cases and in large ones.

python -m benchmarks.loader [--documents N]; writes docs/loader-benchmarks.md. Made-up documents of 60 words, a tenth of
them mails with headers, a tenth copies of others, are registered and ended by the real store, then loaded by the real
loader, in steps of a tenth. The floor is a bare bulk insert of the rows that the load leaves behind (an exhibit with
number, checkpoint, key of copies, thread, folder and date; folders, custodians, sources, threads) into the same tables
of SQLite, and the same entries into tantivy, which both are at hand ready made; step by step beside the load.
"""

import argparse
import os
import platform
import resource
import sqlite3
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import StaticPool, Table, create_engine, select
from tests.support.cases import opened
from tests.support.ledger_model import as_text

from benchmarks.search import Texts
from redwell.adapters.sql.case_tables import batch_source, custodian, exhibit, folder, held_by, thread_key
from redwell.adapters.sql.tables import metadata
from redwell.adapters.sqlite.database import PRAGMAS
from redwell.adapters.tantivy.index import TantivyIndex
from redwell.core.blobs import Digests
from redwell.core.jobs.job import NewJob
from redwell.core.outcomes import Outcome
from redwell.core.work.records import Claim, Found, Read, Result
from redwell.load.loader import Loader
from redwell.load.project import entries_of
from redwell.ports.contents import keep
from redwell.ports.ledger import Want
from redwell.runtime.bootstrap.open_case import Case
from redwell.runtime.upkeep.batches import begin

PAGE = Path(__file__).resolve().parents[1] / "docs" / "loader-benchmarks.md"
AT_ONCE, WORDS = 1_000, 60
STEPS = 10
FLOOR = """The floor puts the rows that the load leaves behind into the case's own tables with their indexes, and gives
tantivy the same entries ready made. Until 2026-11-18 it was a row of five columns without an index, and entries of
fewer fields: against that one, 100,000 documents cost 3.63 times the floor.
Figures of the two are not comparable."""
TABLES = (exhibit, folder, custodian, batch_source, held_by, thread_key)


@dataclass(frozen=True, slots=True)
class Made:
    """A document, by its number: every tenth is a mail, and every tenth the copy of the one before it."""

    number: int

    @property
    def content(self) -> int:
        return self.number - (self.number % 10 == 9)

    @property
    def is_mail(self) -> bool:
        return self.content % 10 == 3

    def metadata(self) -> dict[str, str]:
        mail = {
            "message_id": f"<{self.content}@example.com>",
            "from": "ann@example.com",
            "date": "2023-04-05T06:07:08Z",
        }
        return {"subject": f"about {self.content}", **mail} if self.is_mail else {"title": f"about {self.content}"}


class Evidence:
    def __init__(self, case: Case) -> None:
        self._case, self._texts = case, Texts()
        self._by_sha: dict[bytes, Made] = {}

    def text(self, made: Made) -> str:
        return " ".join(self._texts(made.content).split()[:WORDS])

    def ended(self, first: int, count: int) -> int:
        """A batch of these, up to where the loader takes them."""
        store, blobs = self._case.store, self._case.blobs
        batch = begin(self._case, [f"/evidence/{first}"], "files", f"Custodian {first}", NewJob())
        [walk] = store.claim_walks(batch)
        names = [f"{number // 100:05d}/{number:08d}.txt" for number in range(first, first + count)]
        for start in range(0, count, AT_ONCE):
            some = names[start : start + AT_ONCE]
            store.add_found(walk, [Found(locator=name, name=name[6:], path=name, size=9) for name in some])
        store.close_walk(walk, [], count)
        while reads := store.claim_reads(batch, AT_ONCE):
            made = [Made(int(read.name.partition(".")[0])) for read in reads]
            data = {Digests.of(self._data(each)): self._data(each) for each in made}
            self._by_sha |= {Digests.of(self._data(each)).sha256: each for each in made}
            kept = keep(data, store, blobs)
            blobs.sync()
            store.record_reads(
                [
                    Read(id=read.id, attempt=read.attempt, name=read.name, stored=kept[Digests.of(self._data(each))])
                    for read, each in zip(reads, made, strict=True)
                ]
            )
        while claims := store.claim_work(AT_ONCE, 1 << 30, Want(batch=batch)):
            store.record([], list(self._results(claims)))
            while store.settle_some(batch):
                pass
        return batch

    def _data(self, made: Made) -> bytes:
        return f"document {made.content}".encode()

    def _results(self, claims: Sequence[Claim]) -> Iterator[Result]:
        made = {claim.id: self._by_sha[claim.sha256] for claim in claims}
        texts = {key: self.text(each).encode() for key, each in made.items()}
        kept = keep({Digests.identity_of(text): text for text in texts.values()}, self._case.store, self._case.blobs)
        self._case.blobs.sync()
        for claim in claims:
            each, text = made[claim.id], texts[claim.id]
            yield Result(
                derivation=claim.id,
                attempt=claim.attempt,
                outcome=Outcome.SUCCESS,
                media_type="message/rfc822" if each.is_mail else "text/plain",
                kind="mail" if each.is_mail else "text",
                handler="made-up/1",
                artifacts=as_text(kept[Digests.identity_of(text)], len(text)),
                metadata=each.metadata(),
            )


def loaded(case: Case) -> float:
    """Seconds of all threads until nothing waits; a machine that others use too makes no difference."""
    loader, began = Loader(case.store, case.blobs, case.index), time.process_time()
    while loader.load_some():
        if loader.added.is_much(case.settings.index_documents):
            loader.commit()
    loader.commit()
    return time.process_time() - began


class Floor:
    """The same rows and the same entries, and nothing else: nobody asks for what is to be written. Laid beside each
    step: what the machine has to do besides changes how much a CPU second is worth, for both alike."""

    def __init__(self, case: Case, place: Path) -> None:
        place.mkdir()
        self._case, self._index = case, TantivyIndex(place / "index", lambda _: ())
        self._loaded = create_engine(f"sqlite:///{case.folder / 'case.sqlite'}")
        self._rows = sqlite3.connect(place / "rows.sqlite")
        for pragma in PRAGMAS:
            self._rows.execute(f"PRAGMA {pragma}")
        made = create_engine("sqlite://", creator=lambda: self._rows, poolclass=StaticPool)
        metadata.create_all(made, tables=TABLES)
        self._last, self._known = 0, set[tuple[Any, ...]]()

    def add(self) -> float:
        """Seconds of all threads for what was loaded since."""
        rows = {table: self._since(table) for table in TABLES}
        keys = [row[0] for row in rows[exhibit]]
        took = 0.0
        for start in range(0, len(keys), AT_ONCE):
            entries = list(entries_of(self._case.rows, self._case.blobs, keys[start : start + AT_ONCE]))
            began = time.process_time()
            for table, some in rows.items():
                self._insert(table, some[start : start + AT_ONCE])
            self._rows.commit()
            self._index.replace(iter(entries))
            took += time.process_time() - began
        began = time.process_time()
        self._index.commit()
        return took + time.process_time() - began

    def _since(self, table: Table) -> list[tuple[Any, ...]]:
        wanted = select(table)
        if table is exhibit:
            wanted = wanted.where(exhibit.c.id > self._last).order_by(exhibit.c.id)
        with self._loaded.connect() as reading:
            new = [row for row in map(tuple, reading.execute(wanted)) if row not in self._known]
        if table is exhibit:
            self._last = new[-1][0]
        else:
            self._known.update(new)
        return new

    def _insert(self, table: Table, rows: Sequence[tuple[Any, ...]]) -> None:
        places = ", ".join("?" * len(table.columns))
        self._rows.executemany(f"INSERT OR IGNORE INTO {table.name} VALUES ({places})", rows)

    def close(self) -> None:
        self._index.close()
        self._rows.close()
        self._loaded.dispose()


def measured(documents: int) -> str:
    step = documents // STEPS
    with tempfile.TemporaryDirectory() as home:
        case = opened(Path(home) / "home", create=True)
        evidence, times, under = Evidence(case), list[float](), list[float]()
        try:
            case.store.begin_loading()
            with closing(Floor(case, Path(home) / "floor")) as floor:
                for number in range(STEPS):
                    batch = evidence.ended(number * step, step)
                    times.append(loaded(case))
                    assert case.store.finish_batch(batch), "not all of them were loaded"
                    under.append(floor.add())
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        finally:
            case.close()
    return _told(step, times, under, peak)


def _told(step: int, times: Sequence[float], under: Sequence[float], peak: float) -> str:
    lines = [
        f"| {(n + 1) * step:,} | {1e6 * took / step:,.0f} | {1e6 * bare / step:,.0f} | {took / bare:.2f} |"
        for n, (took, bare) in enumerate(zip(times, under, strict=True))
    ]
    last, ratio = times[-1] / under[-1] / (times[0] / under[0]), sum(times) / sum(under)
    return "\n".join(
        [
            "| documents in the case | CPU microseconds for each more | of the floor | times the floor |",
            "| ---: | ---: | ---: | ---: |",
            *lines,
            "",
            f"{ratio:.2f} times the floor in all; measured by the floor beside it, the last tenth cost {last:.2f} times"
            f" the first. Peak memory {peak:,.0f} MB, with what makes the evidence up and the floor.",
        ]
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=100_000)
    documents = parser.parse_args().documents
    when, here = datetime.now(UTC).strftime("%Y-%m-%d"), f"{platform.machine()}, Python {platform.python_version()}"
    head = f"Written by `python -m benchmarks.loader` on {when}: {documents:,} made-up documents, {here}."
    told = measured(documents)
    head += f" {os.cpu_count()} cores, which {os.getloadavg()[0]:.0f} processes wanted."
    PAGE.write_text(f"# What the load of a document costs\n\n{head}\n\n{told}\n\n{FLOOR}\n")
    print(told)


if __name__ == "__main__":
    main()
