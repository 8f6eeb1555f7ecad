"""How many documents of each family become PDFs, and how long that takes: `python -m benchmarks.renditions FOLDER`.

Straight through sandboxed children of the profiles that the renderers have, as an import does it, without a case around
it. Files that a password closes or that nothing opens are counted apart: no renderer can show them.
"""

import argparse
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from redwell.core import wire
from redwell.core.work.lanes import Lane
from redwell.core.work.profiles import RIGHTS
from redwell.core.work.renderers import MAIL, OFFICE, PDF, PICTURES, RENDERERS, SHEETS, WEB, Renderer
from redwell.handlers.detect.detect import detect
from redwell.processing.children.limits import ChildConfig, LaneLimits
from redwell.processing.children.pool import Pool
from redwell.processing.results import Broken, Finished, Returned
from redwell.runtime.bootstrap.handler_modules import discover

FAMILIES = {"PDF": PDF, "pictures": PICTURES, "mail": MAIL, "web pages": WEB, "office": OFFICE, "spreadsheets": SHEETS}
LIMITS = LaneLimits(wall_s=240, rss_mb=4_096)
TOGETHER = 20
CLOSED = {"PASSWORD_PROTECTED", "EMPTY"}


class Told(NamedTuple):
    path: Path
    outcome: str
    detail: str
    pages: int


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--family", choices=FAMILIES, action="append")
    parser.add_argument("--keep", type=Path, help="put the PDFs there")
    arguments = parser.parse_args()
    wanted = arguments.family or list(FAMILIES)
    print("| family | files | PDFs | closed | pages | seconds | not rendered |\n|---|---|---|---|---|---|---|")
    files = defaultdict(list)
    for path in sorted(each for each in arguments.folder.rglob("*") if each.is_file()):
        media_type = detect(lambda path=path: path.open("rb"), path.stat().st_size, path.name)
        for family, types in FAMILIES.items():
            if media_type in types:
                files[family].append((path, media_type))
    for family in wanted:
        _report(family, files[family], arguments.keep)


def _report(family: str, files: list[tuple[Path, str]], keep: Path | None) -> None:
    started = time.monotonic()
    told = list(_rendered(files, keep))
    seconds = time.monotonic() - started
    outcomes = Counter(each.outcome for each in told)
    made = sum(each.pages > 0 for each in told)
    closed = sum(outcomes[name] for name in CLOSED)
    failed = "; ".join(f"{each.path.name}: {each.detail[:60]}" for each in told if not each.pages)
    pages = sum(each.pages for each in told)
    print(f"| {family} | {len(told)} | {made} | {closed} | {pages} | {seconds:.1f} | {failed} |", flush=True)


def _rendered(files: list[tuple[Path, str]], keep: Path | None) -> Iterator[Told]:
    by_renderer: dict[str, list[Path]] = defaultdict(list)
    rows = {row.name: row for row in RENDERERS}
    for path, media_type in files:
        row = next(row for row in RENDERERS if media_type in row.media_types)
        by_renderer[row.name].append(path)
    for name, paths in by_renderer.items():
        with tempfile.TemporaryDirectory() as scratch:
            yield from rendered_by(rows[name], paths, Path(scratch), keep)


def rendered_by(row: Renderer, paths: list[Path], scratch: Path, keep: Path | None) -> Iterator[Told]:
    tasks = {
        number: wire.Task(
            id=number, path=str(path), offset=0, length=path.stat().st_size, name=path.name, as_task=row.task
        )
        for number, path in enumerate(paths)
    }
    config = ChildConfig(
        handlers=discover()[row.profile],
        readable=tuple({path.parent for path in paths}),
        scratch=scratch,
        small=LIMITS,
        large=LIMITS,
        profile=row.profile,
        rights=RIGHTS[row.profile],
        retire_rss_mb=4_096,
    )
    numbers = list(tasks)
    waiting = [numbers[start : start + TOGETHER] for start in range(0, len(numbers), TOGETHER)]
    left = len(tasks)
    with Pool(config, 1) as pool:
        while left:
            while waiting and pool.free(row.profile):
                pool.submit([tasks[number] for number in waiting.pop(0)], Lane.SMALL, row.profile)
            for event in pool.wait(5):
                if isinstance(event, Returned):
                    waiting.append(list(event.tasks))
                elif isinstance(event, Finished | Broken):
                    left -= 1
                    yield _told(paths[event.task], event, keep)


def _told(path: Path, event: Finished | Broken, keep: Path | None) -> Told:
    if isinstance(event, Broken):
        return Told(path, str(event.outcome), event.detail, 0)
    pages = 0
    for made, stored in zip(event.done.made, event.made, strict=True):
        if str(made.kind) == "pdf":
            pages = made.amount
            if keep:
                keep.mkdir(exist_ok=True)
                (keep / f"{path.name}.pdf").write_bytes(stored.read())
    return Told(path, str(event.done.outcome), event.done.detail, pages)


if __name__ == "__main__":
    main()
