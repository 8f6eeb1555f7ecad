"""`make bench`: ratios to the floor in one run, written into docs/benchmarks.md.

python -m benchmarks.run [--mails N] [--rounds N] [--repeat N] [--corpus DIR] [--hashes N]
"""

import argparse
import json
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from itertools import starmap
from operator import itemgetter
from pathlib import Path
from statistics import mean
from typing import Any

from benchmarks import known_files
from benchmarks.floor import files_below, parse_floor, store_floor
from benchmarks.rows_floor import rows_floor

REPO = Path(__file__).resolve().parents[1]
PAGE = REPO / "docs" / "benchmarks.md"
ITEMS = 50_000  # of the flatness


def generated_mails(folder: Path, count: int) -> Path:
    script = REPO / "examples" / "sample_evidence.py"
    subprocess.run([sys.executable, script, folder, "--mails", str(count), "--seed", "11"], check=True)
    return folder


def salted_copies(corpus: Path, folder: Path, repeat: int) -> Path:
    """The corpus many times over; bytes added at the end make every copy another content."""
    for number in range(repeat):
        for path in files_below(corpus):
            if path.name in {"manifest.jsonl", "README.md"} or "_ground_truth" in path.parts:
                continue
            target = folder / f"{number:02}" / path.relative_to(corpus)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(path.read_bytes() + f"\n{number:08}".encode())
    return folder


def imported(source: Path, work: Path) -> dict[str, Any]:
    home = work / "home"
    command = [sys.executable, "-m", "benchmarks.measure", str(source), str(home)]
    run = subprocess.run(command, cwd=REPO, stdout=subprocess.PIPE, check=True, text=True)
    told = json.loads(run.stdout)
    [case] = home.glob("cases/*/case.sqlite")
    rows_s = rows_floor(case, home / "rows.sqlite", told["documents"])
    shutil.rmtree(home)
    return {**told, "rows_s": rows_s, "files": len(files_below(source))}


def median_against_floor(rounds: int, source: Path, work: Path) -> dict[str, Any]:
    """The machine itself is faster or slower from minute to minute: the middle one of some rounds, by its ratio.

    Each import is held against the floors right before and right after it.
    """
    floors, taken = [floor(source)], []
    for _ in range(rounds):
        took = imported(source, work)
        floors.append(floor(source))
        taken.append(against(floors[-2:], took))
    taken.sort(key=itemgetter("ratio"))
    flat = sorted(flatness(r["marks"], min(ITEMS, 0.95 * r["documents"])) for r in taken)
    return {**taken[rounds // 2], "ratios": [r["ratio"] for r in taken], "flat": flat}


def floor(source: Path) -> dict[str, float]:
    parse_s, _ = parse_floor(source)
    return {"parse_s": parse_s, "store_s": store_floor(source)}


def against(floors: list[dict[str, float]], took: dict[str, Any]) -> dict[str, Any]:
    under = {part: mean(each[part] for each in floors) for part in ("parse_s", "store_s")}
    bare = sum(under.values())
    return {**took, **under, "ratio": took["seconds"] / bare, "with_rows": took["seconds"] / (bare + took["rows_s"])}


def flatness(marks: list[tuple[float, int]], total: float) -> float:
    """Time for the last tenth of so many items over the time for the second tenth."""

    def reached(count: float) -> float:
        return next(at for at, done in marks if done >= count)

    return (reached(total) - reached(0.9 * total)) / (reached(0.2 * total) - reached(0.1 * total))


def row(name: str, r: dict[str, Any]) -> str:
    return (
        f"| {name} | {r['files']:,} | {r['documents']:,} | {r['parse_s']:.1f} | {r['store_s']:.1f} | {r['rows_s']:.1f} "
        f"| {r['seconds']:.1f} | **{r['ratio']:.2f}** | {r['with_rows']:.2f} "
        f"| {r['startup_s']:.2f} | {r['first_searchable_s']:.2f} "
        f"| {r['parent_mb']:.0f} | {r['parent_cpu_s']:.1f} | {r['children_cpu_s']:.1f} |"
    )


HEAD = """# Benchmarks

Written by `make bench`; every ratio is taken within one run on one machine. `benchmarks/floor.py` says what
the floor is: the same parser calls in two processes, plus hashing, packs, a row for each content and the index, with
nothing in between; and `benchmarks/rows_floor.py` what all rows that the import leaves cost by themselves.

| evidence | files | documents | parse floor s | store floor s | rows floor s | import s | import / floor \
| with its rows | start-up s | first searchable s | parent MB | parent CPU s | children CPU s |
|---|---|---|---|---|---|---|---|---|---|---|---|---|---|
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--mails", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=5, help="of the mails, floors and imports in turn")
    parser.add_argument("--hashes", type=int, default=20_000_000, help="hashes of the list of known files")
    parser.add_argument("--repeat", type=int, default=20)
    parser.add_argument("--corpus", type=Path, default=REPO.parent / "shared" / "corpus")
    parser.add_argument("--page", type=Path, default=PAGE)
    args = parser.parse_args()
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="redwell-bench-") as name:
        work = Path(name)
        mails = generated_mails(work / "mails", args.mails)
        rows = {"generated mails": median_against_floor(args.rounds, mails, work)}
        shutil.rmtree(work / "mails")
        if args.corpus.is_dir():
            copies = salted_copies(args.corpus, work / "corpus", args.repeat)
            rows[f"real files x {args.repeat}"] = against([floor(copies)], imported(copies, work))
            shutil.rmtree(copies)
        known = known_files.measured(work, args.hashes)
    of_mails = rows["generated mails"]
    ratios, flat = (", ".join(f"{ratio:.2f}" for ratio in of_mails[name]) for name in ("ratios", "flat"))
    lines = [
        f"Generated mails: the middle one of {args.rounds} rounds, floors and imports in turn; their ratios: {ratios}.",
        "",
        f"Flatness: documents 45,000 to 50,000 took **{of_mails['flat'][args.rounds // 2]:.2f}** times as long as "
        f"5,000 to 10,000 (goal: 0.85 to 1.15), the middle one of the same rounds; all of them: {flat}.",
        "",
        known_files.line(known),
        "",
        f"{platform.platform()}, Python {platform.python_version()}, {datetime.now(UTC):%Y-%m-%d}, "
        f"{time.monotonic() - started:.0f} s in all.",
    ]
    notes = PAGE.read_text().partition("\n## ")[1:] if PAGE.exists() else ("", "")
    args.page.write_text(
        HEAD + "\n".join(starmap(row, rows.items())) + "\n\n" + "\n".join(lines) + "\n" + "".join(notes)
    )
    print(args.page.read_text())
    return 0


if __name__ == "__main__":
    sys.exit(main())
