"""`make bench`, third part: what the engine itself costs, written into docs/engine-benchmarks.md.

python -m benchmarks.engine [--tasks N] [--waiting N] [--mails N] [--behind N] [--page FILE]

- No-op tasks a second: claimed and recorded in the ledger by one process, beside bare SQL that only claims and ends.
- The time of a claim when few tasks wait and when very many do.
- The same mails by a plain import, and queued for a worker.
- Two workers against one on the same import.
- Ten files queued behind very many, in another case and in the same one.
"""

import argparse
import platform
import sqlite3
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.engine_imports import behind, overhead, speed_up
from benchmarks.run import REPO, generated_mails
from redwell.adapters.sql.contents import Recipe
from redwell.adapters.sql.settled import Limits
from redwell.adapters.sql.store import SqlCaseStore, create_case
from redwell.adapters.sqlite.database import PRAGMAS, SqliteDatabase
from redwell.core.blobs import Digests, Location, Stored
from redwell.core.outcomes import Outcome
from redwell.core.records import Found, Read, Result
from redwell.ports.case_store import NewBatch, Want

AT_ONCE = 100
FEW = 10
PAGE = REPO / "docs" / "engine-benchmarks.md"
MEASURED = "<!-- measured -->\n"


def ledger(folder: Path, tasks: int) -> tuple[SqlCaseStore, int]:
    """A case whose files are read and wait to be worked on; the bytes are made up."""
    folder.mkdir()
    database = SqliteDatabase(folder / "case.sqlite")
    create_case(database, {"name": "bench"})
    store = SqlCaseStore(database, "w", Recipe(lambda: "engine/1", "", 1 << 30), limits=Limits(9, 9), prefix="RW")
    batch = store.create_batch(NewBatch(type="files", custodian=None, settings={}, sources=["/made/up"]))
    [walk] = store.claim_walks(batch)
    names = [f"{number:08d}" for number in range(tasks)]
    files = [Found(locator=name, name=name, path=name, size=1) for name in names]
    for start in range(0, tasks, 10_000):
        store.add_found(walk, files[start : start + 10_000])
    store.close_walk(walk, [], tasks)
    while reads := store.claim_reads(batch, 10_000):
        store.record_reads([_read(file.id, file.attempt, file.name) for file in reads])
    return store, batch


def _read(key: int, attempt: int, name: str) -> Read:
    data = name.encode()
    stored = Stored(Digests.of(data), len(data), Location("pack", 0, len(data)))
    return Read(id=key, attempt=attempt, name=name, stored=stored)


def noop_rate(store: SqlCaseStore, batch: int) -> float:
    """Tasks a second through the ledger: claim, record, settle their exhibits."""
    started, done = time.perf_counter(), 0
    while claims := store.claim_work(AT_ONCE, 1 << 30, Want(batch=batch)):
        store.record([], [Result(derivation=c.id, attempt=c.attempt, outcome=Outcome.SUCCESS) for c in claims])
        done += len(claims)
    return done / (time.perf_counter() - started)


def bare_rate(path: Path, tasks: int) -> float:
    """The ceiling: one table, a claim and an end per hundred, the same durability."""
    connection = sqlite3.connect(path, isolation_level=None)
    for pragma in PRAGMAS:
        connection.execute(f"PRAGMA {pragma}").fetchall()
    connection.execute("CREATE TABLE task (id INTEGER PRIMARY KEY, state INTEGER, owner TEXT)")
    connection.execute("CREATE INDEX waiting ON task (id) WHERE state = 0")
    connection.execute("BEGIN")
    connection.executemany("INSERT INTO task (state) VALUES (?)", [(0,)] * tasks)
    connection.execute("COMMIT")
    taken = "SELECT id FROM task WHERE state = 0 ORDER BY id LIMIT ?"
    claim = f"UPDATE task SET state = 1, owner = 'w' WHERE id IN ({taken}) RETURNING id"
    started = time.perf_counter()
    while True:
        connection.execute("BEGIN IMMEDIATE")
        claimed = connection.execute(claim, (AT_ONCE,)).fetchall()
        connection.execute("COMMIT")
        if not claimed:
            break
        connection.execute("BEGIN IMMEDIATE")
        connection.executemany("UPDATE task SET state = 2 WHERE id = ? AND state = 1", claimed)
        connection.execute("COMMIT")
    rate = tasks / (time.perf_counter() - started)
    connection.close()
    return rate


def claim_ms(store: SqlCaseStore, batch: int) -> float:
    """The median of twenty; what was claimed goes back."""
    times, held = [], list[tuple[int, int]]()
    for _ in range(20):
        started = time.perf_counter()
        claims = store.claim_work(AT_ONCE, 1 << 30, Want(batch=batch))
        times.append(1_000 * (time.perf_counter() - started))
        assert len(claims) == AT_ONCE
        held += [(claim.id, claim.attempt) for claim in claims]
    store.release(held)
    return median(times)


def ledger_figures(work: Path, tasks: int, waiting: int) -> dict[str, Any]:
    store, batch = ledger(work / "few", tasks)
    few_ms = claim_ms(store, batch)
    ours, bare = noop_rate(store, batch), bare_rate(work / "bare.sqlite", tasks)
    store.close()
    store, batch = ledger(work / "many", waiting)
    many_ms = claim_ms(store, batch)
    store.close()
    return {"ours": ours, "bare": bare, "claims": [(tasks, few_ms), (waiting, many_ms)]}


def measured(args: argparse.Namespace) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="redwell-engine-bench-") as name:
        work = Path(name)
        mails = generated_mails(work / "mails", args.mails)
        many, few = generated_mails(work / "many mails", args.behind), generated_mails(work / "few mails", FEW)
        return {
            **ledger_figures(work, args.tasks, args.waiting),
            **overhead(mails, work),
            **speed_up(mails, work),
            "behind": [behind(many, few, work / "home", case) for case in ("few", "many")],
        }


def page(r: dict[str, Any], args: argparse.Namespace, seconds: float) -> str:
    claims = "".join(f"| claim of {AT_ONCE} with {n:,} waiting | {ms:.1f} ms | |\n" for n, ms in r["claims"])
    waits = "".join(
        f"| {FEW} files behind {args.behind:,} in {b['where']} | {b['waited_s']:.1f} s, "
        f"with {b['done']:,} documents of these done | {'they still ran' if b['running'] else 'THEY WERE OVER'} |\n"
        for b in r["behind"]
    )
    return (
        "| what | measured | against |\n|---|---|---|\n"
        f"| no-op tasks a second through the ledger | {r['ours']:,.0f} | {r['bare']:,.0f} in bare SQL: "
        f"**{r['ours'] / r['bare']:.2f}** (goal: at least 0.5) |\n{claims}"
        f"| {args.mails:,} mails, queued for a worker | {r['queued_s']:.1f} s "
        f"| {r['plain_s']:.1f} s by a plain import: **{100 * r['overhead']:+.0f}%** (goal: at most +10%) |\n"
        f"| the same by two workers with a slot each | {r['two_s']:.1f} s | {r['one_s']:.1f} s by one: "
        f"**{r['speed_up']:.2f}** times as fast |\n{waits}\n"
        f"{platform.platform()}, Python {platform.python_version()}, {datetime.now(UTC):%Y-%m-%d}, "
        f"{seconds:.0f} s in all.\n"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for option, count in (("tasks", 20_000), ("waiting", 1_000_000), ("mails", 10_000), ("behind", 20_000)):
        parser.add_argument(f"--{option}", type=int, default=count)
    parser.add_argument("--page", type=Path, default=PAGE)
    args, started = parser.parse_args(), time.monotonic()
    figures = measured(args)
    head = PAGE.read_text().partition(MEASURED)[0]
    args.page.write_text(head + MEASURED + page(figures, args, time.monotonic() - started))
    print(args.page.read_text())
    return 0


if __name__ == "__main__":
    sys.exit(main())
