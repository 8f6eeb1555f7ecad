"""`make fuzz`: damaged files go through the real product; nothing may be lost, hang or harm another document.

python -m benchmarks.fuzz [--minutes M | --rounds N] [--seed S] [--corpus DIR]...
python -m benchmarks.fuzz --only pdf-17 [--keep DIR]    makes that file again and says what becomes of it

Each round imports a few hundred mutants with good files between them into a new case. What the parsers make
of a mutant is a finding where they crash, hang or raise what they should not; the run fails only when an item
is lost, something is left behind, or a good file comes out otherwise than it does alone.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from examples.evidence.papers import BOARD_PASSWORD, PASSWORD
from examples.evidence.story import write_story
from tests.support.other_documents import samples
from tests.support.product import REPO, redwell

from benchmarks.fuzz_archives import write_archives
from benchmarks.fuzz_checks import (
    CASE,
    CONTROL,
    HANG_S,
    Row,
    controls_of,
    exhibits,
    harmed,
    label_of,
    left_behind,
    lost,
    unforeseen,
)
from benchmarks.fuzz_page import write_page
from benchmarks.fuzz_samples import write_samples
from benchmarks.fuzz_stores import write_stores
from benchmarks.mutations import Mutant, Mutator, Seed
from redwell.handlers.detect.detect import detect
from redwell.handlers.host.registry import Handler, load
from redwell.runtime.bootstrap.handler_modules import BUILT_IN

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
AFTERWARDS = (
    ("verify",),
    ("search", "valve* OR coating", "--json"),
    ("exceptions", "--csv"),
    ("report", "--json"),
)
MAX_SEED_BYTES = 600_000
MODIFIED = 1_600_000_000


@dataclass(frozen=True, slots=True)
class Finding:
    label: str
    mutations: tuple[str, ...]
    inside: str  # path of the member, when it is one
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


def files_below(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())


def seeds_below(folders: Sequence[Path]) -> list[tuple[str, Seed]]:
    """Every file with the handler that takes it; `other` where none does."""
    handlers = load(BUILT_IN)
    found = []
    for path in (path for folder in folders for path in files_below(folder)):
        data = path.read_bytes()
        if 0 < len(data) <= MAX_SEED_BYTES:
            media_type = detect(lambda path=path: path.open("rb"), len(data), path.name)  # type: ignore[misc]
            takers = (handler.spec.name for handler in handlers if _takes(handler, media_type, data))
            family = next(takers, "other")
            found.append((family, Seed(path.suffix, media_type, data)))
    return found


def _takes(handler: Handler, media_type: str, data: bytes) -> bool:
    wanted = handler.spec.media_types
    return media_type in wanted if wanted else handler.probe(data[:4096])


def made_seeds(folder: Path) -> list[Path]:
    """Folders with good files of what the sample dispute has none of: rarer formats, messages, stores, archives."""
    rare, messages = folder / "rare", folder / "messages"
    rare.mkdir(parents=True)
    for name, data in samples().items():
        (rare / name).write_bytes(data)
    write_samples(messages)
    return [rare, messages, write_stores(folder / "stores"), write_archives(folder / "archives")]


def options(work: Path) -> list[str]:
    """Small limits, and the passwords that the sample dispute needs: what is behind them is fuzzed too."""
    passwords = work / "passwords"
    passwords.write_text("\n".join((PASSWORD, BOARD_PASSWORD, "password")))
    return ["--passwords", str(passwords), *(f"--set={key}={value}" for key, value in LIMITS.items())]


class Fuzz:
    def __init__(self, work: Path, mutator: Mutator, controls: Sequence[Path]) -> None:
        self._work, self._mutator, self._controls = work, mutator, controls
        self.tally = Tally()
        self._clean = controls_of(self._imported([]))
        if self.tally.failures:
            raise RuntimeError(f"the good files alone fail: {self.tally.failures}")

    def round(self, numbers: range) -> None:
        """One batch: mutants of these numbers from every family, the controls between them."""
        made = [self._mutator.mutant(family, n) for family in self._mutator.families for n in numbers]
        mutants = {mutant.label: mutant for mutant in made}
        rows = self._imported(made)
        self.tally.rounds += 1
        self.tally.mutants += len(made)
        self.tally.documents += len(rows)
        self._fail(numbers, lost(rows, mutants) + harmed(controls_of(rows), self._clean))
        for row in rows:
            if mutant := mutants.get(label_of(row)):
                self._note(row, mutant)

    def _fail(self, numbers: range, wrong: list[str]) -> None:
        which = f"mutants {numbers.start} to {numbers.stop - 1} of each family"
        self.tally.failures += [f"{which}: {each}" for each in wrong]

    def _note(self, row: Row, mutant: Mutant) -> None:
        self.tally.outcomes.setdefault(mutant.family, Counter())[row["outcome"]] += row["depth"] == 0
        if reason := unforeseen(row):
            inside = row["path"].partition("//")[2]
            self.tally.findings.append(Finding(mutant.label, mutant.mutations, inside, row["outcome"], reason))

    def _imported(self, mutants: list[Mutant]) -> list[Row]:
        """Every exhibit of a new case with these; whatever goes wrong on the way is a failure."""
        evidence, home = (Path(tempfile.mkdtemp(prefix=name, dir=self._work)) for name in ("evidence-", "home-"))
        self._write(evidence, mutants)
        self._expect_success(home, "import", str(evidence), *options(self._work))
        for verb, *args in AFTERWARDS if mutants else ():
            self._expect_success(home, verb, *args)
        rows = exhibits(home)
        self.tally.failures += left_behind(home)
        shutil.rmtree(home)
        shutil.rmtree(evidence)
        return rows

    def _write(self, folder: Path, mutants: list[Mutant]) -> None:
        """The controls are spread evenly among the mutants, in the order in which a walk takes them."""
        every = max(1, len(mutants) // len(self._controls))
        files = {f"{n:05} {mutant.label}{mutant.suffix}": mutant.data for n, mutant in enumerate(mutants)}
        for number, control in enumerate(self._controls):
            files[f"{number * every:05} {CONTROL}-{number}{control.suffix}"] = control.read_bytes()
        for name, data in files.items():
            (folder / name).write_bytes(data)
            os.utime(folder / name, (MODIFIED, MODIFIED))

    def _expect_success(self, home: Path, verb: str, *args: str) -> None:
        try:
            run = redwell(home, verb, *args, "--case", CASE, timeout=HANG_S)
        except subprocess.TimeoutExpired:
            self.tally.failures.append(f"{verb} was not over after {HANG_S} s")
            return
        if run.returncode:
            said = (run.stdout + run.stderr)[-2_000:].replace(str(self._work), "WORK").replace(str(REPO), "REPO")
            self.tally.failures.append(f"{verb} ended with {run.returncode}: {said}")


def show_one(work: Path, mutant: Mutant, keep: Path) -> int:
    """Leave the file in `keep`, and print what the product makes of it."""
    target, home = keep / f"{mutant.label}{mutant.suffix}", work / "home"
    target.write_bytes(mutant.data)
    print(f"{target}: {len(mutant.data):,} bytes, {', '.join(mutant.mutations)}")
    print(redwell(home, "import", str(target), "--case", CASE, *options(work), timeout=HANG_S).stdout)
    for row in exhibits(home):
        print(*(row[key] for key in ("path", "media_type", "handler", "outcome", "detail", "problems")), sep=" | ")
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
        work, story = Path(name), Path(name, "story")
        write_story(story)
        corpora = [path for path in (REPO.parent / "shared" / "corpus", *args.corpus) if path.is_dir()]
        seeds = seeds_below([story, *made_seeds(work / "made"), *corpora])
        mutator = Mutator(seeds, args.seed)
        if args.only:
            return show_one(work, mutator.named(args.only), args.keep)
        fuzz = Fuzz(work, mutator, files_below(story))
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
