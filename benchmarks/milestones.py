"""When evidence can be searched and when it is finished: `make bench PART=milestones`.

Each round imports the same evidence twice, plainly (ocr=none) and with all there is (ocr=auto, pdf=eager): search must
not wait for the latter, so both should be searchable after the same time. Before and after them is the floor
(`benchmarks.floor`), to which the plain import is held. Every ratio is taken within its round; the middle one counts.
With `--searchable` the second import ends when it can be searched, for evidence whose renditions would take hours.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from benchmarks.floor import parse_floor, store_floor
from benchmarks.run import REPO
from redwell.core.jobs.job import NewJob
from redwell.core.work.transitions import Standing
from redwell.runtime.bootstrap.open_case import open_case
from redwell.runtime.bootstrap.settings import load_settings
from redwell.runtime.upkeep import batches
from redwell.runtime.worker.batch_run import BatchRun
from redwell.runtime.worker.progress import Progress

_PLAIN, _FULL = ["ocr=none", "pdf=none"], ["ocr=auto", "pdf=eager"]
_HEAD = (
    "| documents | renditions | recognised | floor s | plain s | plain / floor | searchable s | searchable / plain "
    "| finished s | searchable / finished |"
)


class Reached(NamedTuple):
    """Seconds from the beginning of an import."""

    searchable_s: float
    finished_s: float
    documents: int
    renditions: int
    recognised: int


class Round(NamedTuple):
    floor_s: float
    plain: Reached
    full: Reached


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", help="evidence; without it some is made")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--searchable", action="store_true")
    parser.add_argument("--child", nargs="*", help=argparse.SUPPRESS)
    told = parser.parse_args()
    if told.child is not None:
        milestone = Standing.RENDERING if told.searchable else Standing.OVER
        print(json.dumps(reached(told.folder, Path(told.child[0]), told.child[1:], milestone)))
        return
    with tempfile.TemporaryDirectory() as work:
        folder = told.folder or made(Path(work) / "evidence")
        print(table([round_of(folder, Path(work), searchable=told.searchable) for _ in range(told.rounds)]))


def made(folder: Path) -> Path:
    """Mails with attachments, sample files, and pages as somebody would have scanned them."""
    script = REPO / "examples" / "sample_evidence.py"
    subprocess.run([sys.executable, script, folder / "mails", "--mails", "40", "--seed", "11"], check=True)
    subprocess.run([sys.executable, script, folder / "files"], check=True, stdout=sys.stderr)
    scans = folder / "scans"
    scans.mkdir()
    for number, picture in enumerate(_scans()):
        picture.save(scans / f"{number:03}.png", dpi=(150, 150))
    return folder


def _scans(count: int = 10) -> Iterator[Any]:
    from PIL import Image, ImageDraw, ImageFont

    font = ImageFont.load_default(size=22)
    for number in range(count):
        page = Image.new("L", (1_240, 1_000), 255)
        for line in range(24):
            words = f"Line {line} of the inspection report {number}: both valves were closed before the test."
            ImageDraw.Draw(page).text((90, 60 + line * 36), words, font=font, fill=0)
        yield page


def round_of(folder: Path, work: Path, *, searchable: bool) -> Round:
    before = floor(folder)
    plain = imported(folder, work, _PLAIN)
    full = imported(folder, work, _FULL, *(["--searchable"] if searchable else []))
    return Round((before + floor(folder)) / 2, plain, full)


def floor(folder: Path) -> float:
    return parse_floor(folder)[0] + store_floor(folder)


def imported(folder: Path, work: Path, settings: list[str], *options: str) -> Reached:
    """In a process of its own."""
    home = work / "home"
    command = [sys.executable, "-m", "benchmarks.milestones", str(folder), *options, "--child", str(home), *settings]
    run = subprocess.run(command, cwd=REPO, stdout=subprocess.PIPE, check=True, text=True)
    shutil.rmtree(home)
    return Reached(*json.loads(run.stdout))


def reached(source: Path, home: Path, settings: list[str], milestone: Standing) -> Reached:
    found: list[float] = []
    with open_case(home, "bench", load_settings(settings), create=True) as case:
        sources = batches.check_sources([str(source)], str(home), case.settings.patience)
        batch = batches.begin(case, sources, "files", None, NewJob())
        started = time.monotonic()

        def tick(progress: Progress) -> None:
            if not found and progress.indexed and case.store.standing(batch).has_reached(Standing.RENDERING):
                found.append(time.monotonic() - started)

        assert BatchRun(case, batch, on_tick=tick, milestone=milestone)()
        over_s = time.monotonic() - started
        account = batches.summary(case, batch, over_s)
    parts = [sum(account[name].values()) for name in ("renditions", "recognitions")]
    return Reached(found[0] if found else over_s, over_s, account["documents"], *parts)


def table(rounds: list[Round]) -> str:
    """The middle round by what it says of searching, and the span of both ratios."""
    plainly = sorted(each.plain.finished_s / each.floor_s for each in rounds)
    waits = sorted(each.full.searchable_s / each.plain.searchable_s for each in rounds)
    middle = sorted(rounds, key=lambda each: each.full.searchable_s / each.plain.searchable_s)[len(rounds) // 2]
    plain, full = middle.plain, middle.full
    row = (
        f"| {full.documents:,} | {full.renditions:,} | {full.recognised:,} | {middle.floor_s:.1f} "
        f"| {plain.finished_s:.1f} | **{median(plainly):.2f}** | {full.searchable_s:.1f} | **{median(waits):.2f}** "
        f"| {full.finished_s:.1f} | {full.searchable_s / full.finished_s:.2f} |"
    )
    spans = f"Plain / floor: {_told(plainly)}; searchable / plain: {_told(waits)}."
    return f"{_HEAD}\n{'|---' * 10}|\n{row}\n\n{spans}"


def _told(ratios: list[float]) -> str:
    return ", ".join(f"{ratio:.2f}" for ratio in ratios)


if __name__ == "__main__":
    main()
