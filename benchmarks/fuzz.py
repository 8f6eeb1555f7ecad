"""`make fuzz`: damaged files go through the real product; nothing may be lost, hang or harm another document.

python -m benchmarks.fuzz [--minutes M | --rounds N] [--seed S] [--corpus DIR]...
python -m benchmarks.fuzz --only pdf-17 [--keep DIR]    makes that file again and says what becomes of it

Each round imports a few hundred mutants with good files between them into a new case. What the parsers make
of a mutant is a finding where they crash, hang or raise what they should not; the run fails only when an item
is lost, something is left behind, or a good file comes out otherwise than it does alone.
"""

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.support.children import processes_of
from tests.support.product import REPO, redwell

from benchmarks.fuzz_page import write_page
from benchmarks.mutations import Mutant, Mutator, Seed
from redwell.core.media import detect
from redwell.core.outcomes import Outcome
from redwell.handlers.registry import BUILT_IN, load

CASE = "fuzz"
LIMITS = {
    "small_wall_s": 10,
    "large_wall_s": 20,
    "small_rss_mb": 512,
    "large_rss_mb": 1024,
    "spool_mb": 512,
    "max_member_mb": 32,
    "max_total_mb": 128,
    "max_members": 5_000,
    "reserve_mb": 64,
}
HANG_S = 900
MAX_SEED_BYTES = 400_000
BAD_ENDS = {Outcome.CRASHED, Outcome.TIMED_OUT, Outcome.OUT_OF_MEMORY}
# what a handler did not foresee reads `name: Type: message`; a refusal with a reason of its own does not
UNFORESEEN = re.compile(r"^\w+: \w+: |^\w+: \w*(Error|Exception|Panic)\w*:?")
OF_THIS_RUN = {"id", "uid", "document", "control_number", "duplicate_of", "ordinal"}
MODIFIED = 1_600_000_000


@dataclass(frozen=True, slots=True)
class Finding:
    label: str
    mutations: tuple[str, ...]
    path: str
    outcome: str
    reason: str


@dataclass
class Tally:
    """What all rounds came to."""

    rounds: int = 0
    mutants: int = 0
    documents: int = 0
    outcomes: dict[str, Counter[str]] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)


def seeds_below(folders: Sequence[Path]) -> list[tuple[str, Seed]]:
    """Every file with the handler that takes it; `other` where none does."""
    handlers = [handler.spec for handler in load(BUILT_IN)]
    found = []
    for folder in folders:
        for path in sorted(path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()):
            data = path.read_bytes()
            if not 0 < len(data) <= MAX_SEED_BYTES:
                continue
            with path.open("rb") as stream:
                media_type = detect(lambda stream=stream: stream, len(data), path.name)  # type: ignore[misc]
            family = next((spec.name for spec in handlers if media_type in spec.media_types), "other")
            found.append((family, Seed(path.name, path.suffix, media_type, data)))
    return found


def story(folder: Path) -> Path:
    script = REPO / "examples" / "sample_evidence.py"
    subprocess.run([sys.executable, script, folder], check=True, stderr=subprocess.DEVNULL)
    return folder


class Fuzz:
    def __init__(self, work: Path, mutator: Mutator, controls: Sequence[Path]) -> None:
        self._work, self._mutator, self._controls = work, mutator, controls
        self.tally = Tally()
        self._clean = self._controls_alone()

    def _controls_alone(self) -> list[dict[str, Any]]:
        rows = self._imported(self._evidence([]), {})
        if self.tally.failures:
            raise RuntimeError(f"the good files alone fail: {self.tally.failures}")
        return controls_of(rows)

    def round(self, numbers: range) -> None:
        """One batch: mutants of these numbers from every family, the controls between them."""
        mutants = {m.label: m for f in self._mutator.families for m in (self._mutator.mutant(f, n) for n in numbers)}
        rows = self._imported(self._evidence(list(mutants.values())), mutants)
        self.tally.rounds += 1
        self.tally.mutants += len(mutants)
        self.tally.documents += len(rows)
        where = f"mutants {numbers.start} to {numbers.stop - 1} of each family"
        self.tally.failures += [f"{where}: {wrong}" for wrong in lost(rows, mutants)]
        self.tally.failures += [f"{where}: {wrong}" for wrong in harmed(controls_of(rows), self._clean)]
        for row in rows:
            if mutant := mutants.get(label_of(row)):
                self._note(row, mutant)

    def _note(self, row: dict[str, Any], mutant: Mutant) -> None:
        self.tally.outcomes.setdefault(mutant.family, Counter())[row["outcome"]] += row["depth"] == 0
        if reason := unforeseen(row):
            inside = row["path"].partition("//")[2]
            self.tally.findings.append(Finding(mutant.label, mutant.mutations, inside, row["outcome"], reason))

    def _evidence(self, mutants: list[Mutant]) -> Path:
        """Mutants and controls shuffled like cards: control k stands after every so many mutants."""
        folder = Path(tempfile.mkdtemp(prefix="evidence-", dir=self._work))
        every = max(1, len(mutants) // len(self._controls))
        for number, mutant in enumerate(mutants):
            _write(folder / f"{number:05} {mutant.label}{mutant.suffix}", mutant.data)
        for number, control in enumerate(self._controls):
            _write(folder / f"{number * every:05} control-{number}{control.suffix}", control.read_bytes())
        return folder

    def _imported(self, evidence: Path, mutants: dict[str, Mutant]) -> list[dict[str, Any]]:
        """Every exhibit of a new case with this evidence; whatever is wrong on the way is a failure."""
        home = Path(tempfile.mkdtemp(prefix="home-", dir=self._work))
        settings = [part for key, value in LIMITS.items() for part in ("--set", f"{key}={value}")]
        self._expect_success(home, "import", str(evidence), *settings)
        self._expect_success(home, "verify")
        rows = exhibits(home)
        self.tally.failures += left_behind(home)
        shutil.rmtree(home)
        shutil.rmtree(evidence)
        return rows

    def _expect_success(self, home: Path, verb: str, *args: str) -> None:
        try:
            run = redwell(home, verb, *args, "--case", CASE, timeout=HANG_S)
        except subprocess.TimeoutExpired:
            self.tally.failures.append(f"{verb} was not over after {HANG_S} s")
            return
        if run.returncode:
            said = (run.stdout + run.stderr)[-2_000:]
            self.tally.failures.append(f"{verb} ended with {run.returncode}: {said}")


def _write(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    os.utime(path, (MODIFIED, MODIFIED))


def exhibits(home: Path) -> list[dict[str, Any]]:
    """All of them, references by path, and without what is made anew in each run."""
    lines = redwell(home, "documents", "--case", CASE, "--json", "--text", timeout=HANG_S).stdout.split("\n")
    rows = [json.loads(line) for line in lines if line]
    paths = {row["id"]: row["path"] for row in rows}
    for row in rows:
        row["parent"], row["root"] = paths.get(row["parent"]), paths[row["root"]]
        row["text"] = hashlib.sha256(row["text"].encode()).hexdigest()
    return rows


def label_of(row: dict[str, Any]) -> str:
    """`00017 pdf-3.pdf//attachment` is of mutant `pdf-3`."""
    return Path(row["root"].partition(" ")[2]).name.partition(".")[0]


def controls_of(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The controls' exhibits without what depends on their place among the mutants."""
    kept = []
    for row in rows:
        if label_of(row).startswith("control-"):
            place = row["root"].partition(" ")[0]
            plain = json.loads(json.dumps(row).replace(f'"{place} control-', '"control-'))
            kept.append({k: v for k, v in plain.items() if k not in OF_THIS_RUN})
    return sorted(kept, key=lambda row: (row["path"], json.dumps(row, sort_keys=True)))


def lost(rows: list[dict[str, Any]], mutants: dict[str, Mutant]) -> list[str]:
    """Mutants that are no exhibit with their own bytes and a named outcome."""
    roots = {label_of(row): row for row in rows if row["depth"] == 0}
    wrong = [f"{label} is no exhibit" for label in mutants if label not in roots]
    for label, mutant in mutants.items():
        row = roots.get(label)
        if row and mutant.data and row["sha256"] != hashlib.sha256(mutant.data).hexdigest():
            wrong.append(f"{label} has other bytes than were imported")
    return wrong + [f"{row['path']} has no outcome" for row in rows if row["outcome"] not in set(Outcome)]


def harmed(controls: list[dict[str, Any]], clean: list[dict[str, Any]]) -> list[str]:
    if controls == clean:
        return []
    before, after = ({json.dumps(row, sort_keys=True) for row in rows} for rows in (clean, controls))
    differing = [f"was {row[:600]}" for row in sorted(before - after)] + [f"is {row[:600]}" for row in after - before]
    return [f"good files came out differently: {differing[:6]}"]


def unforeseen(row: dict[str, Any]) -> str:
    """Why a row is worth a look by whoever keeps its handler; empty where it is not."""
    if row["outcome"] in BAD_ENDS:
        return f"{row['handler'] or row['media_type'] or 'member'}: {row['detail']}"
    for problem in row["problems"]:
        died = problem["detail"].partition(":")[0] in BAD_ENDS
        if died or (problem["code"] == "HANDLER_ERROR" and UNFORESEEN.match(problem["detail"])):
            return str(problem["detail"])
    return ""


def left_behind(home: Path) -> list[str]:
    processes = [f"process {pid} is left" for pid in processes_of(home)]
    return processes + [f"{path.relative_to(home)} is left" for path in home.glob("cases/*/scratch/*")]


def show_one(work: Path, mutator: Mutator, label: str, keep: Path) -> int:
    family, _, number = label.rpartition("-")
    mutant = mutator.mutant(family, int(number))
    target = keep / f"{label}{mutant.suffix}"
    target.write_bytes(mutant.data)
    print(f"{target}: {len(mutant.data):,} bytes, {', '.join(mutant.mutations)}")
    settings = [part for key, value in LIMITS.items() for part in ("--set", f"{key}={value}")]
    home = work / "home"
    print(redwell(home, "import", str(target), "--case", CASE, *settings, timeout=HANG_S).stdout)
    for row in exhibits(home):
        print(row["path"], row["media_type"], row["handler"], row["outcome"], row["detail"], row["problems"], sep=" | ")
    return redwell(home, "verify", "--case", CASE).returncode


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--rounds", type=int, default=1_000_000, help="stop after so many, whatever the time")
    parser.add_argument("--per-family", type=int, default=25, help="mutants of each family in a round")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--corpus", type=Path, action="append", default=[], help="more good files")
    parser.add_argument("--only", metavar="LABEL", help="one mutant, as the page names it")
    parser.add_argument("--keep", type=Path, default=Path(), help="where --only leaves the file")
    parser.add_argument("--page", type=Path, default=REPO / "docs" / "fuzz.md")
    return parser.parse_args()


def main() -> int:
    args, started = parsed(), time.monotonic()
    with tempfile.TemporaryDirectory(prefix="redwell-fuzz-") as name:
        work = Path(name)
        controls = story(work / "story")
        corpora = [path for path in (REPO.parent / "shared" / "corpus", *args.corpus) if path.is_dir()]
        seeds = seeds_below([controls, *corpora])
        mutator = Mutator.of(seeds, args.seed)
        if args.only:
            return show_one(work, mutator, args.only, args.keep)
        fuzz = Fuzz(work, mutator, sorted(p for p in controls.rglob("*") if p.is_file() and not p.is_symlink()))
        for number in range(args.rounds):
            fuzz.round(range(number * args.per_family, (number + 1) * args.per_family))
            print(f"{fuzz.tally.mutants:,} mutants, {len(fuzz.tally.findings)} findings", file=sys.stderr)
            if fuzz.tally.failures or time.monotonic() - started > args.minutes * 60:
                break
    write_page(args.page, fuzz.tally, {"seed": args.seed, "seeds": len(seeds), "seconds": time.monotonic() - started})
    print("\n".join(fuzz.tally.failures) or f"no failure; {args.page} has the findings", file=sys.stderr)
    return 1 if fuzz.tally.failures else 0


if __name__ == "__main__":
    sys.exit(main())
