"""A plan on paper: hours and cost of a very large case on many workers, and which part is busy all the time first.

python -m benchmarks.plan [--page FILE]; writes docs/plan.md. Messages of documents go through stations by a simulation
whose times were measured one by one; the same simulation says how long one, two and four workers of this machine take,
which was measured as a whole, beside each other. So the page shows how far it can be believed.
"""

import argparse
import heapq
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from benchmarks.engine import replaced
from benchmarks.run import REPO

PAGE = REPO / "docs" / "plan.md"
MESSAGE = 100  # documents that travel together
SCALE = 100  # so many times fewer documents are simulated: the beginning and the end weigh nothing either way


@dataclass(frozen=True)
class Times:
    """CPU milliseconds for a document, each at its station."""

    child: float  # reading it
    parent: float  # of the worker: claiming, recording
    database: float
    keeper: float  # loading it and giving it to the index: one process for each case
    index: float  # the search engine's own


@dataclass(frozen=True)
class Cluster:
    workers: int
    slots: int = 1
    keepers: int = 1
    database_cores: int = 2
    index_cores: int = 2
    shared_cores: int = 0  # everything runs on so many; 0: each has its own


# Milliseconds of CPU: docs/homes-benchmarks.md (8,277 documents on PostgreSQL, one worker); docs/loader-benchmarks.md
# tells the keeper's part of the parent.
MAILS = Times(child=0.34, parent=0.16, database=0.23, keeper=0.20, index=0.0)
# Documents and seconds of the same runs, by workers: two cores for everything, the index a part of the keeper.
WALLS = {1: (8_277, 5.1), 2: (8_277, 5.2), 4: (8_277, 4.9)}
OPENSEARCH_MS = 1.0  # docs/search-benchmarks.md: 1,539 documents a second on two cores
# The test corpus (1,345 documents, 38 KB each): its text, and all with `ocr=auto pdf=eager` (4.3, 106.3 s in children).
TEXT = Times(child=3.2, parent=0.47, database=0.23, keeper=0.20, index=OPENSEARCH_MS)
EVERYTHING = Times(child=79.0, parent=2.8, database=0.8, keeper=0.20, index=OPENSEARCH_MS)
PLANS = (
    Cluster(workers=20, slots=3, keepers=1, database_cores=16, index_cores=32),
    Cluster(workers=200, slots=3, keepers=1, database_cores=16, index_cores=32),
    Cluster(workers=200, slots=3, keepers=10, database_cores=16, index_cores=32),
    Cluster(workers=200, slots=3, keepers=10, database_cores=64, index_cores=128),
)


@dataclass
class Station:
    """So many at once, first come, first served; those on shared cores want one of these as well."""

    places: list[float]
    busy: float = 0.0

    @classmethod
    def of(cls, count: int) -> "Station":
        return cls([0.0] * count)

    def serve(self, ready: float, seconds: float, cores: "Station | None") -> float:
        start = max(ready, self.places[0], cores.places[0] if cores else 0.0)
        end = start + seconds
        heapq.heapreplace(self.places, end)
        if cores:
            heapq.heapreplace(cores.places, end)
            cores.busy += seconds
        self.busy += seconds
        return end

    def used(self, wall: float) -> float:
        return self.busy / (wall * len(self.places)) if wall else 0.0


@dataclass(frozen=True)
class Course:
    """How it went: seconds, and how much of them each part was busy."""

    seconds: float
    used: Mapping[str, float] = field(default_factory=dict)

    @property
    def fullest(self) -> str:
        return max(self.used, key=lambda name: self.used[name])


def simulated(documents: int, times: Times, cluster: Cluster) -> Course:
    """Each message is read in a slot, written by its worker and the database, then loaded and indexed."""
    cores = Station.of(cluster.shared_cores) if cluster.shared_cores else None
    children = Station.of(cluster.workers * cluster.slots)
    parents, keepers = Station.of(cluster.workers), Station.of(cluster.keepers)
    database, index = Station.of(cluster.database_cores), Station.of(cluster.index_cores)
    steps = (
        (children, times.child),
        (parents, times.parent),
        (database, times.database),
        (keepers, times.keeper),
        (index, times.index),
    )
    waiting = [(0.0, number, 0) for number in range(-(-documents // MESSAGE))]  # a heap as it stands
    last, per_message = 0.0, MESSAGE / 1000
    while waiting:
        ready, number, step = heapq.heappop(waiting)
        station, cost = steps[step]
        end = station.serve(ready, cost * per_message, cores)
        last = max(last, end)
        if step + 1 < len(steps):
            heapq.heappush(waiting, (end, number, step + 1))
    names = ("children", "parents of workers", "database", "keepers", "search engine")
    used = {name: station.used(last) for name, (station, _) in zip(names, steps, strict=True)}
    return Course(last, used | ({"cores": cores.used(last)} if cores else {}))


@dataclass(frozen=True)
class Prices:
    """Dollars, as anybody may look them up; change them for your region and contract."""

    vcpu_hour: float = 0.0405  # Fargate, on demand
    gb_hour: float = 0.00445
    database_vcpu_hour: float = 0.29
    index_vcpu_hour: float = 0.17
    storage_gb_month: float = 0.023
    gb_per_vcpu: int = 2


def dollars(cluster: Cluster, hours: float, terabytes: float, prices: Prices) -> float:
    """Of the hours of work, and of a month of the bytes, natives and what was made of them (a half more)."""
    vcpus = cluster.workers * (cluster.slots + 1) + cluster.keepers
    machines = vcpus * (prices.vcpu_hour + prices.gb_per_vcpu * prices.gb_hour)
    servers = cluster.database_cores * prices.database_vcpu_hour + cluster.index_cores * prices.index_vcpu_hour
    return hours * (machines + servers) + 1.5 * terabytes * 1000 * prices.storage_gb_month


def checked_rows(times: Times, walls: Mapping[int, tuple[int, float]]) -> list[str]:
    """By workers: documents and seconds as measured, and what the simulation says."""
    rows = ["| workers of one slot | measured s | simulated s | simulated / measured |", "|---|---|---|---|"]
    for workers, (documents, wall) in walls.items():
        course = simulated(documents, times, Cluster(workers=workers, shared_cores=2))
        rows.append(f"| {workers} | {wall:.1f} | {course.seconds:.1f} | **{course.seconds / wall:.2f}** |")
    return rows


def planned_rows(documents: int, terabytes: float, times: Times, clusters: Sequence[Cluster] = PLANS) -> list[str]:
    rows = [
        "| workers | slots each | cases | database vCPUs | search vCPUs | hours | busy all the time | dollars |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for cluster in clusters:
        course = simulated(documents // SCALE, times, cluster)
        hours = SCALE * course.seconds / 3600
        counts = (cluster.workers, cluster.slots, cluster.keepers, cluster.database_cores, cluster.index_cores)
        fullest = f"{course.fullest} ({course.used[course.fullest]:.0%})"
        cost = f"{dollars(cluster, hours, terabytes, Prices()):,.0f}"
        rows.append(f"| {' | '.join(map(str, counts))} | {hours:,.1f} | {fullest} | {cost} |")
    return rows


def measured(documents: int, terabytes: float) -> str:
    plans = [
        line
        for name, times in (
            ("Mails and attachments of a few KB", replace(MAILS, index=OPENSEARCH_MS)),
            ("Files of many kinds, their text", TEXT),
            ("The same with recognition and a PDF of each", EVERYTHING),
        )
        for line in (f"{name}:", "", *planned_rows(documents, terabytes, times), "")
    ]
    return "\n".join([*checked_rows(MAILS, WALLS), "", f"{documents:,} documents, {terabytes:g} TB.", "", *plans])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=100_000_000)
    parser.add_argument("--terabytes", type=float, default=50.0)
    parser.add_argument("--page", type=Path, default=PAGE)
    args = parser.parse_args()
    page = replaced(PAGE.read_text(), "plan", measured(args.documents, args.terabytes))
    args.page.write_text(page)
    print(page)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
