"""`make bench`, the part of homes: what a document costs on each kind of home, and by several workers.

python -m benchmarks.homes [--mails N] [--page FILE]; writes docs/homes-benchmarks.md. CPU seconds are counted, by
process, not time: machines that do other things at once give the same figures.
"""

import argparse
import platform
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from tests.support.case_homes import STEPS

from benchmarks import home_runs
from benchmarks.engine import replaced
from benchmarks.home_runs import Cost
from benchmarks.run import REPO, generated_mails

PAGE = REPO / "docs" / "homes-benchmarks.md"
GOALS = {"postgres": 0.8, "dynamodb": 0.6}
WORKERS = (1, 2, 4)
SIDE_BY_SIDE = 1.15  # CPU seconds of two workers to those of one


def homes_table(costs: dict[str, Cost]) -> str:
    base = costs["sqlite"]
    heads = (
        "home",
        "ms of CPU a document",
        "of it the parent",
        "servers",
        "rate against embedded",
        "on the same cores",
    )
    rows = f"| {' | '.join(heads)} |\n{'|---' * len(heads)}|\n"
    for kind, cost in costs.items():
        alone = base.redwell_ms / cost.redwell_ms
        together = base.redwell_ms / (cost.redwell_ms + cost.server_ms)
        goal = GOALS.get(kind)
        told = f" (goal: {goal}, {'met' if alone >= goal else 'missed'})" if goal else ""
        name, parent_ms = kind if kind == "sqlite" else f"+ {kind}", 1000 * cost.own / cost.documents
        rows += (
            f"| {name} | {cost.redwell_ms:.2f} | {parent_ms:.2f} "
            f"| {cost.server_ms:.2f} | **{alone:.2f}**{told} | {together:.2f} |\n"
        )
    return rows


def workers_table(costs: dict[int, Cost]) -> str:
    rows = "| workers of one slot, on PostgreSQL | ms of CPU a document | against one | servers |\n|---|---|---|---|\n"
    for count, cost in costs.items():
        ratio = cost.redwell_ms / costs[1].redwell_ms
        goal = f" (goal: at most {SIDE_BY_SIDE}, {'met' if ratio <= SIDE_BY_SIDE else 'missed'})" if count == 2 else ""
        rows += f"| {count} | {cost.redwell_ms:.2f} | **{ratio:.2f}**{goal} | {cost.server_ms:.2f} |\n"
    return rows


def measured(mails: int) -> str:
    with tempfile.TemporaryDirectory(prefix="redwell-homes-") as name, home_runs.servers():
        work = Path(name)
        source, one = generated_mails(work / "mails", mails), work / "one"
        one.mkdir()
        (one / "letter.txt").write_text("one file")
        costs = {}
        for kind in STEPS:
            costs[kind] = home_runs.taken(kind, source, one, work)
            print(kind, costs[kind], file=sys.stderr, flush=True)
        by_workers = {}
        for count in WORKERS:
            by_workers[count] = home_runs.taken("postgres", source, one, work, workers=count)
            print(count, by_workers[count], file=sys.stderr, flush=True)
    where = f"{platform.platform()}, Python {platform.python_version()}, {datetime.now(UTC):%Y-%m-%d}"
    about = f"{costs['sqlite'].documents:,} documents of {mails:,} mails; {where}."
    return f"{homes_table(costs)}\n{workers_table(by_workers)}\n{about}\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mails", type=int, default=4_000)
    parser.add_argument("--page", type=Path, default=PAGE)
    args = parser.parse_args()
    text = replaced(PAGE.read_text(), "homes", measured(args.mails))
    args.page.write_text(text)
    print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
