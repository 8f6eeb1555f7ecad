"""`make bench`, third part: what the engine itself costs, written into docs/engine-benchmarks.md.

python -m benchmarks.engine [--tasks N] [--waiting N] [--mails N] [--behind N] [--only tasks|imports] [--page FILE]

- No-op tasks a second, through the queue and through the ledger, beside bare SQL in the same rounds (noop).
- The time of a claim when few tasks wait and when very many do.
- The same mails by a plain import, and queued for a worker.
- Two workers against one on the same import.
- Ten files queued behind very many, in another case and in the same one.
"""

import argparse
import platform
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from benchmarks import noop
from benchmarks.engine_imports import behind, overhead, speed_up
from benchmarks.run import REPO, generated_mails

FEW = 10
PAGE = REPO / "docs" / "engine-benchmarks.md"
HEAD = "| what | measured | against |\n|---|---|---|\n"
GOAL = 0.5  # of what bare SQL does


def tasks_table(work: Path, args: argparse.Namespace) -> str:
    rates = noop.measured(work, args.tasks)
    rows = [
        _row("queue", rates.queue, "bare SQL that does the same job", goal=True),
        _row("ledger", rates.writes, "the driver alone with the same writes", goal=True),
        _row("ledger", rates.statements, "the driver alone with all of its statements"),
        _row("ledger", rates.table, "bare SQL on a table of three columns", goal=True),
    ]
    for waiting in (args.tasks, args.waiting):
        case = work / f"{waiting}.sqlite"
        took = noop.claim_ms(case, noop.made_case(case, waiting))
        rows.append(f"| claim of {noop.AT_ONCE} with {waiting:,} waiting | {took:.1f} ms | |\n")
    return HEAD + "".join(rows)


def _row(way: str, pair: noop.Pair, against: str, *, goal: bool = False) -> str:
    ours, bare = pair.middle
    ratio = ours / bare
    said = f" (goal: at least {GOAL}, {'met' if ratio >= GOAL else 'missed'})" if goal else ""
    return (
        f"| no-op tasks a second through the {way} | {ours:,.0f} | {bare:,.0f} by {against}: **{ratio:.2f}**{said} |\n"
    )


def imports_table(work: Path, args: argparse.Namespace) -> str:
    mails = generated_mails(work / "mails", args.mails)
    many, few = generated_mails(work / "many mails", args.behind), generated_mails(work / "few mails", FEW)
    r = {**overhead(mails, work), **speed_up(mails, work)}
    waits = "".join(
        f"| {FEW} files behind {args.behind:,} in {b['where']} | {b['waited_s']:.1f} s, "
        f"with {b['done']:,} documents of these done | {'they still ran' if b['running'] else 'THEY WERE OVER'} |\n"
        for b in (behind(many, few, work / "home", case) for case in ("few", "many"))
    )
    return (
        f"{HEAD}| {args.mails:,} mails, queued for a worker | {r['queued_s']:.1f} s "
        f"| {r['plain_s']:.1f} s by a plain import: **{100 * r['overhead']:+.0f}%** (goal: at most +10%) |\n"
        f"| the same by two workers with a slot each | {r['two_s']:.1f} s | {r['one_s']:.1f} s by one: "
        f"**{r['speed_up']:.2f}** times as fast |\n{waits}"
    )


PARTS: dict[str, Callable[[Path, argparse.Namespace], str]] = {"tasks": tasks_table, "imports": imports_table}


def measured(part: str, args: argparse.Namespace) -> str:
    """Its table, and where and when it was taken."""
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="redwell-engine-bench-") as name:
        table = PARTS[part](Path(name), args)
    where, seconds = f"{platform.platform()}, Python {platform.python_version()}", time.monotonic() - started
    return f"{table}\n{where}, {datetime.now(UTC):%Y-%m-%d}, {seconds:.0f} s in all.\n"


def replaced(text: str, part: str, measured: str) -> str:
    """The page with another measurement between the marks of a part."""
    begin, end = f"<!-- measured: {part} -->\n", f"<!-- end: {part} -->\n"
    before, _, rest = text.partition(begin)
    return before + begin + measured + end + rest.partition(end)[2]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for option, count in (("tasks", 20_000), ("waiting", 1_000_000), ("mails", 10_000), ("behind", 20_000)):
        parser.add_argument(f"--{option}", type=int, default=count)
    parser.add_argument("--only", choices=PARTS)
    parser.add_argument("--page", type=Path, default=PAGE)
    args = parser.parse_args()
    text = PAGE.read_text()
    for part in [args.only] if args.only else PARTS:
        text = replaced(text, part, measured(part, args))
    args.page.write_text(text)
    print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
