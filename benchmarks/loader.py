"""`make bench PART=loader`: what the load of a document costs, in small cases and in large ones.

python -m benchmarks.loader [--documents N]; writes docs/loader-benchmarks.md. Made-up documents of 60 words, a tenth of
them mails with headers, a tenth copies of others, are registered and ended by the real store, then loaded by the real
loader, in steps of a tenth. The floor is a bare bulk insert of a row for each into SQLite, and the same entries into
tantivy, committed as often, step by step beside the load.
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

from tests.support.cases import opened
from tests.support.ledger_model import as_text

from benchmarks.search import Texts
from redwell.adapters.tantivy.index import TantivyIndex
from redwell.core.blobs import Digests
from redwell.core.jobs.job import NewJob
from redwell.core.outcomes import Outcome
from redwell.core.search.fields import FieldValue
from redwell.core.work.records import Claim, Found, Read, Result
from redwell.load.loader import Loader
from redwell.ports.contents import keep
from redwell.ports.ledger import Want
from redwell.ports.search_index import Entry
from redwell.runtime.bootstrap.open_case import Case
from redwell.runtime.upkeep.batches import begin

PAGE = Path(__file__).resolve().parents[1] / "docs" / "loader-benchmarks.md"
AT_ONCE, WORDS = 1_000, 60
STEPS = 10


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
    """A row of the same columns and an entry of the same text for each, and nothing else. Laid beside each step: what
    the machine has to do besides changes how much a CPU second is worth, for both alike."""

    def __init__(self, evidence: Evidence, folder: Path) -> None:
        folder.mkdir()
        self._evidence, self._index = evidence, TantivyIndex(folder / "index", lambda _: ())
        self._rows = sqlite3.connect(folder / "rows.sqlite")
        self._rows.execute("CREATE TABLE row (id INTEGER PRIMARY KEY, number INT, control TEXT, key BLOB, folder TEXT)")

    def add(self, first: int, count: int) -> float:
        """Seconds of all threads."""
        took = 0.0
        for start in range(first, first + count, AT_ONCE):
            some = [Made(number) for number in range(start, min(start + AT_ONCE, first + count))]
            entries = [_entry(each, self._evidence.text(each)) for each in some]
            began = time.process_time()
            rows = [(each.number, each.number, f"RW{each.number:08d}", bytes(32), "folder") for each in some]
            self._rows.executemany("INSERT INTO row VALUES (?, ?, ?, ?, ?)", rows)
            self._rows.commit()
            self._index.replace(iter(entries))
            took += time.process_time() - began
        began = time.process_time()
        self._index.commit()
        return took + time.process_time() - began

    def close(self) -> None:
        self._index.close()
        self._rows.close()


def _entry(made: Made, text: str) -> Entry:
    known = {"name": f"{made.number:08d}.txt", "path": f"{made.number // 100:05d}/{made.number:08d}.txt"}
    told = {"control_number": f"RW{made.number:08d}", "sha256": "a" * 64, "md5": "b" * 32, "outcome": "SUCCESS"}
    metadata = {name: value for name, value in made.metadata().items() if name != "message_id"}
    fields: dict[str, FieldValue] = {**known, **told, "kind": "text", "batch": "1", "size": 20, **metadata}
    return Entry(exhibit=made.number, digest="d", text=text, fields=fields)


def measured(documents: int) -> str:
    step = documents // STEPS
    with tempfile.TemporaryDirectory() as folder:
        case = opened(Path(folder) / "home", create=True)
        evidence, times, under = Evidence(case), list[float](), list[float]()
        try:
            case.store.begin_loading()
            with closing(Floor(evidence, Path(folder) / "floor")) as floor:
                for number in range(STEPS):
                    batch = evidence.ended(number * step, step)
                    times.append(loaded(case))
                    assert case.store.finish_batch(batch), "not all of them were loaded"
                    under.append(floor.add(number * step, step))
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
    PAGE.write_text(f"# What the load of a document costs\n\n{head}\n\n{told}\n")
    print(told)


if __name__ == "__main__":
    main()
