"""What must hold after each round of a soak, and what is counted. Used by benchmarks.soak."""

import hashlib
import json
import shutil
import sys
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tests.support.children import processes_of
from tests.support.product import REPO, normal_form, redwell

from redwell.core.outcomes import Outcome

# two imports into one case race for the first batch, and of two copies that of the first is in front
OF_ITS_TURN = {"batch", "control_number", "family_number", "ordinal"} | {
    *("duplicate_of", "duplicate_number", "is_copied", "inclusive", "custodians", "paths")
}
MAX_DISK_RATIO = 2.0
DYING_S = 5.0
HANG_S = 600


class Tally:
    """Counts and measurements of each round, and whatever failed."""

    def __init__(self, work: Path) -> None:
        self._work = work
        self.rounds: list[Counter[str]] = []
        self.failures: list[str] = []

    def exit_code(self) -> int:
        """Says what failed and leaves it for a look; else nothing is left."""
        if self.failures:
            print("\n".join(self.failures), f"left for a look: {self._work}", sep="\n", file=sys.stderr)
            return 1
        shutil.rmtree(self._work)
        return 0

    def begin_round(self) -> None:
        self.rounds.append(Counter())

    @property
    def this_round(self) -> Counter[str]:
        return self.rounds[-1]

    def count(self, what: str, number: int = 1) -> None:
        self.this_round[what] += number

    def parent_mb(self, peak: float) -> None:
        self.this_round["parent MB"] = max(self.this_round["parent MB"], round(peak))

    def total(self, what: str) -> int:
        return sum(each[what] for each in self.rounds)

    def fail(self, what: str) -> None:
        """Without the paths of this machine: a page will show it."""
        what = what.replace(str(self._work), "WORK").replace(str(REPO), "REPO")
        self.failures.append(f"round {len(self.rounds)}: {what}")

    def line(self) -> str:
        return f"round {len(self.rounds)}: " + ", ".join(f"{key} {value:,}" for key, value in self.this_round.items())


class Checks:
    """Compares a home with another that had the same imports undisturbed."""

    def __init__(self, home: Path, reference: Path, tally: Tally) -> None:
        self._home, self._reference, self._tally = home, reference, tally

    def run(self, cases: Iterable[str]) -> None:
        self._nothing_is_left()
        for case in sorted(set(cases)):
            self._same_as_undisturbed(case)
            self.ask(self._home, "verify", case)
            self._garbage(case)
            self.ask(self._home, "verify", case)
        self._disk()

    def ask(self, home: Path, verb: str, case: str, *args: str) -> str:
        """What the command says; a failure when it is not content."""
        run = redwell(home, verb, *args, "--case", case, timeout=HANG_S, faulty=True)
        if run.returncode:
            self._tally.fail(f"{verb} of {case!r} ended with {run.returncode}: {(run.stdout + run.stderr)[-2_000:]}")
        return run.stdout

    def _nothing_is_left(self) -> None:
        """The children of a killed import end with it; they are given a moment to be gone."""
        deadline = time.monotonic() + DYING_S
        while (strays := processes_of(self._home)) and time.monotonic() < deadline:
            time.sleep(0.05)
        for pid in strays:
            self._tally.fail(f"process {pid} is left")
        for path in self._home.glob("cases/*/scratch/*"):
            self._tally.fail(f"{path.relative_to(self._home)} is left")

    def _same_as_undisturbed(self, case: str) -> None:
        found, wanted = (comparable(normal_form(home, case), case) for home in (self._home, self._reference))
        self._tally.count("documents", len(found))
        if found == wanted:
            return
        missing, extra = (Counter(wanted) - Counter(found)), (Counter(found) - Counter(wanted))
        self._tally.fail(
            f"case {case!r} has {len(found):,} exhibits, undisturbed {len(wanted):,}; {extra.total()} differ. "
            f"Undisturbed: {sorted(missing)[:2]} disturbed: {sorted(extra)[:2]}"
        )

    def _garbage(self, case: str) -> None:
        """What kills have left is named, goes, and is gone."""
        left = json.loads(self.ask(self._home, "gc", case, "--dry-run", "--json") or "{}")
        self._tally.count("orphans", left.get("files", 0))
        self._tally.count("orphan KB", left.get("bytes", 0) >> 10)
        self.ask(self._home, "gc", case)
        again = json.loads(self.ask(self._home, "gc", case, "--dry-run", "--json") or "{}")
        if again.get("files", 0):
            self._tally.fail(f"gc of {case!r} has left {again}")

    def _disk(self) -> None:
        used, needed = disk_kb(self._home), disk_kb(self._reference)
        self._tally.this_round.update({"disk KB": used, "undisturbed KB": needed})
        if used > needed * MAX_DISK_RATIO:
            self._tally.fail(f"the home has {used:,} KB, an undisturbed one {needed:,} KB")


def comparable(rows: list[dict[str, Any]], case: str) -> list[str]:
    """Rows as text. Where two imports ran at once in one case, numbers and originals depend on who was first."""
    for row in rows:
        if row["outcome"] == Outcome.OUT_OF_MEMORY:  # how much it had when it was caught is chance
            row["detail"], row["problems"] = "", []
    if case.startswith("shared"):
        rows = [{key: value for key, value in row.items() if key not in OF_ITS_TURN} for row in rows]
    return sorted(json.dumps(row, sort_keys=True) for row in rows)


def disk_kb(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) >> 10


def fingerprint(folder: Path) -> dict[str, tuple[int, str]]:
    """Times and bytes of every file, to see that evidence is only read."""
    files = [path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()]
    return {str(path): (path.stat().st_mtime_ns, hashlib.sha256(path.read_bytes()).hexdigest()) for path in files}
