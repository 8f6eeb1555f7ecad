"""What must hold after each batch of fuzzing, and what is worth a look. Used by benchmarks.fuzz."""

import hashlib
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.support.children import processes_of
from tests.support.product import redwell

from benchmarks.mutations import Mutant
from redwell.core.outcomes import Code, Outcome

CASE = "fuzz"
HANG_S = 900
CONTROL = "control"
_BAD_ENDS = {Outcome.CRASHED, Outcome.TIMED_OUT, Outcome.OUT_OF_MEMORY}
_UNFORESEEN = re.compile(r"\w+: \w+: ")  # `handler: Type: message`; what a handler foresees reads otherwise
_OF_THIS_RUN = {"source", "id", "uid", "document", "control_number", "ordinal"} | {
    *("family", "family_number", "duplicate_of", "duplicate_number", "is_copied", "custodians", "paths"),
    *("thread", "inclusive", "near", "near_score"),  # mutants of a mail are of its thread
}

Row = dict[str, Any]


def exhibits(home: Path) -> list[Row]:
    """All of them, with references as paths."""
    lines = redwell(home, "documents", "--case", CASE, "--json", "--text", timeout=HANG_S).stdout.split("\n")
    rows = [json.loads(line) for line in lines if line]
    paths = {row["id"]: row["path"] for row in rows}
    for row in rows:
        row["parent"], row["root"] = paths.get(row["parent"]), paths[row["root"]]
        row["text"] = hashlib.sha256(row["text"].encode()).hexdigest()
    return rows


def label_of(row: Row) -> str:
    """`00017 pdf-3.pdf//attachment` is of mutant `pdf-3`."""
    return str(row["root"]).partition(" ")[2].partition(".")[0]


def controls_of(rows: list[Row]) -> list[str]:
    """The good files' exhibits, without what depends on their place among the mutants."""
    kept = []
    for row in rows:
        if label_of(row).startswith(f"{CONTROL}-"):
            place = row["root"].partition(CONTROL)[0]
            lasting = {key: value for key, value in row.items() if key not in _OF_THIS_RUN}
            kept.append(json.dumps(lasting, sort_keys=True).replace(f'"{place}{CONTROL}-', f'"{CONTROL}-'))
    return sorted(kept)


def lost(rows: list[Row], mutants: Mapping[str, Mutant]) -> list[str]:
    """Mutants that are no exhibit with their own bytes, and whatever has no named outcome."""
    roots = {label_of(row): row for row in rows if row["depth"] == 0}
    wrong = [f"{label} is no exhibit" for label in mutants if label not in roots]
    for label, mutant in mutants.items():
        if label in roots and roots[label]["sha256"] != hashlib.sha256(mutant.data).hexdigest():
            wrong.append(f"{label} has other bytes than were imported")
    return wrong + [f"{row['path']} has no named outcome" for row in rows if row["outcome"] not in set(Outcome)]


def harmed(controls: list[str], clean: list[str]) -> list[str]:
    """Good files that came out otherwise than they do alone."""
    gone, new = sorted(set(clean) - set(controls)), sorted(set(controls) - set(clean))
    if controls == clean:
        return []
    return [f"good files came out differently, {len(gone)} were {gone[:3]}, {len(new)} are {new[:3]}"]


def left_behind(home: Path) -> list[str]:
    processes = [f"process {pid} is left" for pid in processes_of(home)]
    return processes + [f"{path.relative_to(home)} is left" for path in home.glob("cases/*/scratch/*")]


def unforeseen(row: Row) -> str:
    """Why whoever keeps the handler should have a look; empty where there is nothing to see."""
    if row["outcome"] in _BAD_ENDS:
        return f"{row['handler'] or row['media_type'] or 'content'}: {row['detail']}"
    for problem in row["problems"]:
        died = problem["detail"].partition(":")[0] in _BAD_ENDS
        if died or (problem["code"] == Code.HANDLER_ERROR and _UNFORESEEN.match(problem["detail"])):
            return str(problem["detail"])
    return ""
