"""docs/soak.md: the last results of benchmarks.soak and, below its own heading, of benchmarks.soak_cluster."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.fuzz_page import cell, machine
from benchmarks.soak_checks import Tally

COLUMNS = (
    "imports",
    "kills",
    "resumes",
    "stops",
    "bystanders",
    "documents",
    "parent MB",
    "orphans",
    "orphan KB",
    "disk KB",
    "undisturbed KB",
)
HEAD = """# Soak

Written by `make soak`. Each round imports new evidence, partly the same as before and with files that crash, hang or
bloat their parser, into a home with several cases: one import, two at once into two cases, or two at once into one.
The importing processes are killed with all that they started at random moments and resumed at once. In between, they
and their children are stopped and let go on, and `gc`, `search` and the listings run beside them. After each round,
when all is finished:

- every exhibit of the case is as in a home that had the same imports undisturbed;
- `verify` exits with 0, before and after `gc`; what kills had left is named by `gc --dry-run` and gone afterwards;
- no process and no temporary file is left, and the evidence is unchanged, times included;
- the home is not more than twice as large as the undisturbed one.

Before the rounds one mailbox of gigabytes is imported, killed when half of its messages are known, and resumed. All of
them must be there once, `verify` must be content, and importing process and children together stay below 500 MB.

"""
COUNTED = ("imports", "kills", "resumes", "stops", "bystanders")
NOTE = """
`parent MB` is the largest peak of an importing process, its children not counted. Cases grow and are then left for new
ones; documents are those of the round's cases.

"""
CLUSTER = "\n## A cluster under fire\n"
CLUSTER_HEAD = """
Workers on PostgreSQL and S3, with imports queued into one or two cases; in every second round the workers belong to
services. At random they are killed, frozen (half of the time past their lease), told to stop, and replaced; both
servers are restarted, and connections to them are cut. When the fire ends a last worker does what is left. Then every
job is finished and every service free, every exhibit is as in an undisturbed import into SQLite and files, `verify`
exits with 0, no worker has ended by itself, and no process is left.

"""
CLUSTER_COLUMNS = ("workers", "kills", "freezes", "replacements", "restarts", "cuts", "documents")


def write_page(page: Path, tally: Tally, told: Mapping[str, object], seconds: float) -> None:
    """The part of the cluster stays as it is."""
    _, mark, cluster = page.read_text().partition(CLUSTER) if page.exists() else ("", "", "")
    page.write_text(HEAD + _facts(tally, told, COUNTED, seconds) + NOTE + _rounds(tally, COLUMNS) + mark + cluster)


def write_cluster(page: Path, tally: Tally, told: Mapping[str, object], seconds: float) -> None:
    before = page.read_text().partition(CLUSTER)[0]
    facts = _facts(tally, told, CLUSTER_COLUMNS[:-1], seconds)
    page.write_text(before + CLUSTER + CLUSTER_HEAD + facts + "\n" + _rounds(tally, CLUSTER_COLUMNS))


def _facts(tally: Tally, told: Mapping[str, object], counted: Sequence[str], seconds: float) -> str:
    facts = {
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "machine": machine(),
        "time": f"{seconds / 60:.0f} minutes",
        **told,
        "rounds": len(tally.rounds),
        **{what: f"{tally.total(what):,}" for what in counted},
        "documents compared": f"{tally.total('documents'):,}",
        "failures": len(tally.failures),
    }
    failures = "".join(f"\n- {cell(failure, 2_000)}\n" for failure in tally.failures)
    return "| | |\n|---|---|\n" + "".join(f"| {key} | {value} |\n" for key, value in facts.items()) + failures


def _rounds(tally: Tally, columns: Sequence[str]) -> str:
    head = f"| round | {' | '.join(columns)} |\n|---|{'---|' * len(columns)}\n"
    return head + "".join(
        f"| {number} | {' | '.join(f'{each[column]:,}' for column in columns)} |\n"
        for number, each in enumerate(tally.rounds, 1)
    )
