"""docs/soak.md: the last result of benchmarks.soak."""

from collections.abc import Mapping
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


def write_page(page: Path, tally: Tally, told: Mapping[str, object], seconds: float) -> None:
    facts = {
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "machine": machine(),
        "time": f"{seconds / 60:.0f} minutes",
        **told,
        "rounds": len(tally.rounds),
        **{what: f"{tally.total(what):,}" for what in ("imports", "kills", "resumes", "stops", "bystanders")},
        "documents compared": f"{tally.total('documents'):,}",
        "failures": len(tally.failures),
    }
    table = "| | |\n|---|---|\n" + "".join(f"| {key} | {value} |\n" for key, value in facts.items())
    page.write_text(HEAD + table + _failures(tally) + _rounds(tally))


def _failures(tally: Tally) -> str:
    return "\n## Failures\n\n" + ("".join(f"- {cell(failure, 2_000)}\n" for failure in tally.failures) or "None.\n")


def _rounds(tally: Tally) -> str:
    """Cases grow and are then left for new ones; documents are those of the round's cases."""
    head = f"| round | {' | '.join(COLUMNS)} |\n|---|{'---|' * len(COLUMNS)}\n"
    rows = "".join(
        f"| {number} | {' | '.join(f'{each[column]:,}' for column in COLUMNS)} |\n"
        for number, each in enumerate(tally.rounds, 1)
    )
    note = "`parent MB` is the largest peak of an importing process, its children not counted.\n\n"
    return "\n## Rounds\n\n" + note + head + rows
