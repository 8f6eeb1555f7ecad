"""`make bench`, second part: the SQL queue against bare SQL in the same run, and claims from a long queue.

python -m benchmarks.queue [--tasks N] [--waiting N]; writes docs/queue-benchmarks.md. A task does nothing: it is sent,
claimed with nine others and acknowledged with them. The floor does the same with the driver and the fewest
statements, in a table of its own: one claim and one delete for ten tasks, with the same settings of the database.
"""

import argparse
import multiprocessing
import platform
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from datetime import UTC, datetime
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import Any

from tests.support import postgres

from benchmarks.queue_floor import FLOORS
from redwell.adapters.postgres.database import PostgresDatabase
from redwell.adapters.sql.database import Database
from redwell.adapters.sql_queues.queue import SqlQueue, prepare
from redwell.adapters.sqlite.database import SqliteDatabase
from redwell.ports.messaging.queue import Message, QueueSpec

PAGE = Path(__file__).resolve().parents[1] / "docs" / "queue-benchmarks.md"
CONSUMERS = 2
BATCH = 10
ROUNDS = 3  # the middle one counts
CLAIMS = 200  # of each length
BODY = '{"case":7,"job":70,"documents":[1,2,3,4,5,6,7,8,9,10]}'
NAME = "bench"
Consume = Callable[[str, str, int], int]


def connect(kind: str, where: str, name: str = "bench") -> Database:
    """A file in the folder, or a schema on the server."""
    return SqliteDatabase(Path(where, f"{name}.sqlite")) if kind == "sqlite" else PostgresDatabase(where, name)


def consume_ours(kind: str, where: str, batch: int) -> int:
    with closing(connect(kind, where)) as database:
        queue, done = SqlQueue(database), 0
        while some := queue.receive(NAME, batch):
            assert queue.acknowledge(some) == []
            done += len(some)
    return done


def consume_floor(kind: str, where: str, batch: int) -> int:
    return FLOORS[kind].consume(where, batch)


def rate(consume: Consume, kind: str, where: str, tasks: int) -> float:
    """Tasks per second of all consumers together; starting them does not count."""
    context = multiprocessing.get_context("spawn")
    barrier, counts = context.Barrier(CONSUMERS + 1), context.Queue()
    processes = [
        context.Process(target=_consumer, args=(consume, kind, where, barrier, counts)) for _ in range(CONSUMERS)
    ]
    for each in processes:
        each.start()
    barrier.wait()
    started = time.monotonic()
    assert sum(counts.get() for _ in processes) == tasks
    took = time.monotonic() - started
    for each in processes:
        each.join()
    return tasks / took


def _consumer(consume: Consume, kind: str, where: str, barrier: Barrier, counts: Any) -> None:
    barrier.wait()
    counts.put(consume(kind, where, BATCH))


def fill(database: Database, count: int) -> None:
    queue = SqlQueue(database)
    for start in range(0, count, 5_000):
        queue.send(NAME, [Message(body=BODY)] * min(5_000, count - start))


def claims_by_length(kind: str, where: str, lengths: Sequence[int]) -> list[tuple[int, float, float]]:
    """Median and 95th percentile of a claim of ten, for each length of the queue.

    Each length has a database of its own, and they take turns: what the disk and other programs do at a moment is
    the same for all of them.
    """
    took: dict[int, list[float]] = {length: [] for length in lengths}
    with ExitStack() as stack:
        queues = {n: SqlQueue(stack.enter_context(_filled(kind, where, n))) for n in lengths}
        for _ in range(CLAIMS):
            for length, queue in queues.items():
                started = time.perf_counter()
                assert len(queue.receive(NAME, BATCH)) == BATCH
                took[length].append(1000 * (time.perf_counter() - started))
    return [(n, statistics.median(each), statistics.quantiles(each, n=20)[-1]) for n, each in took.items()]


@contextmanager
def _filled(kind: str, where: str, length: int) -> Iterator[Database]:
    with prepared(kind, where, f"bench_{length}") as database:
        fill(database, length + CLAIMS * BATCH)
        yield database


@contextmanager
def prepared(kind: str, where: str, name: str = "bench") -> Iterator[Database]:
    """A database with a queue that has no messages yet."""
    with closing(connect(kind, where, name)) as database:
        prepare(database)
        SqlQueue(database).create(QueueSpec(name=NAME, lease_s=3600))
        yield database


def measured(kind: str, where: str, tasks: int, waiting: int) -> dict[str, Any]:
    with prepared(kind, where) as database:
        rates = [rates_of(kind, where, database, tasks) for _ in range(ROUNDS)]
    floor, ours = sorted(rates, key=_ratio)[ROUNDS // 2]
    claims = claims_by_length(kind, where, (waiting // 1000, waiting // 10, waiting))
    return {"kind": kind, "floor": floor, "ours": ours, "claims": claims}


def rates_of(kind: str, where: str, database: Database, tasks: int) -> tuple[float, float]:
    """Bare SQL and the queue, one right after the other: the machine has other things to do, too."""
    FLOORS[kind].fill(where, tasks, BODY)
    floor = rate(consume_floor, kind, where, tasks)
    fill(database, tasks)
    return floor, rate(consume_ours, kind, where, tasks)


def _ratio(rates: tuple[float, float]) -> float:
    return rates[1] / rates[0]


@contextmanager
def places() -> Iterator[dict[str, str]]:
    with tempfile.TemporaryDirectory(prefix="redwell-bench-") as folder:
        try:
            yield {"sqlite": folder, "postgres": postgres.server().url}
        finally:
            postgres.stop_server()


def page(results: list[dict[str, Any]], seconds: float) -> str:
    lines = ["| database | bare SQL, tasks/s | queue, tasks/s | queue / bare |", "|---|---|---|---|"]
    lines += [
        f"| {r['kind']} | {r['floor']:,.0f} | {r['ours']:,.0f} | **{r['ours'] / r['floor']:.2f}** |" for r in results
    ]
    lines += ["", "| database | waiting | claim of ten, median ms | 95th percentile ms |", "|---|---|---|---|"]
    lines += [f"| {r['kind']} | {n:,} | {mid:.2f} | {high:.2f} |" for r in results for n, mid, high in r["claims"]]
    machine = f"{platform.platform()}, Python {platform.python_version()}"
    when = f"{machine}, {datetime.now(UTC):%Y-%m-%d}, {seconds:.0f} s in all."
    head = PAGE.read_text().partition("<!-- measured -->")
    return f"{head[0]}{head[1]}\n" + "\n".join([*lines, "", when]) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tasks", type=int, default=20_000)
    parser.add_argument("--waiting", type=int, default=1_000_000)
    args = parser.parse_args()
    started = time.monotonic()
    with places() as where:
        results = [measured(kind, where[kind], args.tasks, args.waiting) for kind in where]
    PAGE.write_text(page(results, time.monotonic() - started))
    print(PAGE.read_text())


if __name__ == "__main__":
    main()
