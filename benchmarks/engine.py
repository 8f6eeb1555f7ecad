"""What the engine itself costs: python -m benchmarks.engine [--tasks N] [--waiting N] [--mails N].

- No-op tasks a second: claimed and recorded in the ledger by one process, beside bare SQL that only claims and ends.
- The time of a claim when few tasks wait and when very many do.
- Two workers against one on the same import.
Prints one JSON object; everything is measured in one run.
"""

import argparse
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.run import REPO, generated_mails
from redwell.adapters.sql.contents import Recipe
from redwell.adapters.sql.occurrences import Limits
from redwell.adapters.sql.store import SqlCaseStore, create_case
from redwell.adapters.sqlite.database import PRAGMAS, SqliteDatabase
from redwell.core.blobs import Digests, Location, Stored
from redwell.core.outcomes import Outcome
from redwell.core.records import Found, Read, Result
from redwell.ports.case_store import NewBatch, Want

AT_ONCE = 100


def ledger(folder: Path, tasks: int) -> tuple[SqlCaseStore, int]:
    """A case whose files are read and wait to be worked on; the bytes are made up."""
    folder.mkdir()
    database = SqliteDatabase(folder / "case.sqlite")
    create_case(database, {"name": "bench"})
    store = SqlCaseStore(database, "w", Recipe("engine/1", "", 1 << 30), limits=Limits(9, 9), prefix="RW")
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
    times = []
    for _ in range(20):
        started = time.perf_counter()
        claims = store.claim_work(AT_ONCE, 1 << 30, Want(batch=batch))
        times.append(1_000 * (time.perf_counter() - started))
        assert len(claims) == AT_ONCE
    return median(times)


def workers_s(source: Path, home: Path, workers: int) -> float:
    """From the start of the workers until the last of them has nothing left; a slot each."""
    env = {**os.environ, "REDWELL_HOME": str(home), "REDWELL_SLOTS": "1"}
    program = [sys.executable, "-m", "redwell.entrypoints.cli.main"]
    subprocess.run([*program, "import", str(source), "--case", "bench", "--queue"], env=env, cwd=REPO, check=True)
    running = [subprocess.Popen([*program, "worker", "--cluster"], env=env, cwd=REPO) for _ in range(workers)]
    assert [process.wait() for process in running] == [0] * workers
    listed = subprocess.run([*program, "jobs", "--all", "--json"], env=env, cwd=REPO, capture_output=True, check=True)
    job = json.loads(listed.stdout)
    assert job["state"] == "finished"
    began, ended = (time.strptime(job[key][:19], "%Y-%m-%dT%H:%M:%S") for key in ("started", "finished"))
    return time.mktime(ended) - time.mktime(began)


def measured(tasks: int, waiting: int, mails: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="redwell-engine-bench-") as name:
        work = Path(name)
        store, batch = ledger(work / "few", tasks)
        few_ms = claim_ms(store, batch)
        rate, ceiling = noop_rate(store, batch), bare_rate(work / "bare.sqlite", tasks)
        store.close()
        store, batch = ledger(work / "many", waiting)
        many_ms = claim_ms(store, batch)
        store.close()
        source = generated_mails(work / "mails", mails)
        one_s, two_s = (workers_s(source, work / f"home{count}", count) for count in (1, 2))
    return {
        "noop_tasks_s": round(rate),
        "bare_sql_tasks_s": round(ceiling),
        "of_bare_sql": round(rate / ceiling, 3),
        f"claim_ms_of_{tasks}": round(few_ms, 2),
        f"claim_ms_of_{waiting}": round(many_ms, 2),
        "one_worker_s": one_s,
        "two_workers_s": two_s,
        "speed_up": round(one_s / two_s, 2) if two_s else None,
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for option, count in (("tasks", 20_000), ("waiting", 1_000_000), ("mails", 10_000)):
        parser.add_argument(f"--{option}", type=int, default=count)
    print(json.dumps(measured(**vars(parser.parse_args()))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
