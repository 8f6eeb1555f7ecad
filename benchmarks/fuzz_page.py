"""docs/fuzz.md: the last result of benchmarks.fuzz."""

import os
import platform
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from benchmarks.fuzz import Finding, Tally

_REASON_CHARS = 160

HEAD = """# Fuzzing

Written by `make fuzz`. It damages good files (`benchmarks/mutations.py` says how) and imports them with the real
product, a few hundred in a batch, good files between them. After each batch it checks that

- the import and `verify` exit with 0;
- every damaged file is an exhibit with its own bytes and a named outcome;
- no process and no temporary file is left;
- the good files came out exactly as they do alone.

"""
FINDINGS = """
## Findings

Where a parser died, took too long or too much memory, or raised an error that its handler did not foresee.
Each cost one document a named outcome and nothing else. Given the same good files, this makes one again and says
what becomes of it: `.venv/bin/python -m benchmarks.fuzz --seed {seed} --only LABEL`.

| outcome | reason | times | labels and mutations |
|---|---|---|---|
"""


def write_page(page: Path, tally: "Tally", run: dict[str, Any]) -> None:
    page.write_text(HEAD + _facts(tally, run) + _outcomes(tally) + _failures(tally) + _findings(tally, run))


def machine() -> str:
    return f"{platform.platform()}, {os.cpu_count()} cores, Python {platform.python_version()}"


def _facts(tally: "Tally", run: dict[str, Any]) -> str:
    rows = {
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "machine": machine(),
        "time": f"{run['seconds'] / 60:.0f} minutes",
        "seed": run["seed"],
        "good files": f"{run['seeds']:,}",
        "damaged files": f"{tally.mutants:,} in {tally.rounds} batches",
        "documents": f"{tally.documents:,}, members and good files included",
        "failures": len(tally.failures),
        "findings": len(tally.findings),
    }
    return "| | |\n|---|---|\n" + "".join(f"| {key} | {value} |\n" for key, value in rows.items())


def _outcomes(tally: "Tally") -> str:
    names = sorted({name for counts in tally.outcomes.values() for name in counts})
    lines = [
        f"| {family} | {' | '.join(f'{counts[n]:,}' for n in names)} |" for family, counts in tally.outcomes.items()
    ]
    head = f"| family | {' | '.join(names)} |\n|---|{'---|' * len(names)}\n"
    return "\n## Outcomes of the damaged files\n\nA family is named after the handler that takes the good file.\n\n" + (
        head + "\n".join(lines) + "\n"
    )


def _failures(tally: "Tally") -> str:
    lines = [f"- {cell(failure, 2_000)}\n" for failure in tally.failures]
    return "\n## Failures\n\n" + ("".join(lines) or "None.\n")


def _findings(tally: "Tally", run: dict[str, Any]) -> str:
    groups: dict[tuple[str, str], list[Finding]] = {}
    for finding in tally.findings:
        groups.setdefault((finding.outcome, cell(_general(finding.reason), _REASON_CHARS)), []).append(finding)
    lines = [
        f"| {outcome} | {reason} | {len(found)} | {', '.join(dict.fromkeys(map(_named, found)))} |\n"
        for (outcome, reason), found in sorted(groups.items())
    ]
    return FINDINGS.format(seed=run["seed"]) + "".join(lines) if lines else "\n## Findings\n\nNone.\n"


def _named(finding: "Finding") -> str:
    inside = " inside" if finding.inside else ""
    return f"`{finding.label}`{inside} ({'+'.join(finding.mutations)})"


def _general(reason: str) -> str:
    """Without the numbers and quotations that make each of the same kind another."""
    return re.sub(r"0x[0-9a-f]+|\d+", "N", re.sub(r"(['\"`]).*?\1", "…", reason))


def cell(text: str, limit: int) -> str:
    """One line of a Markdown table."""
    printable = "".join(c if c.isprintable() else " " for c in text)[:limit]
    return printable.replace("|", "\\|").replace("<", "&lt;")
