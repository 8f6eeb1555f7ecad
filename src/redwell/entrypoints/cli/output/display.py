"""What a person sees while a batch runs: a live picture on a terminal, plain lines elsewhere."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from redwell.core.work.kinds import Phase
from redwell.entrypoints.cli.output.terminal import printable
from redwell.runtime.worker.progress import PartProgress, Progress

PLAIN_S = 5.0
MB = 1 << 20


class Display(Protocol):
    def update(self, progress: Progress) -> None: ...
    def note(self, text: str) -> None: ...
    def close(self) -> None: ...


@contextmanager
def open_display(case: str, batch: int) -> Iterator[Display]:
    display: Display = LiveDisplay(case, batch) if sys.stderr.isatty() else PlainDisplay()
    try:
        yield display
    finally:
        display.close()


class PlainDisplay:
    """A line every few seconds on stderr."""

    def __init__(self) -> None:
        self._next = time.monotonic() + PLAIN_S

    def update(self, progress: Progress) -> None:
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + PLAIN_S
            print("; ".join(progress_lines(progress)), file=sys.stderr, flush=True)

    def note(self, text: str) -> None:
        print(text, file=sys.stderr, flush=True)

    def close(self) -> None:
        pass


class LiveDisplay:
    """Redrawn in place; what each child works on, and for how long."""

    def __init__(self, case: str, batch: int) -> None:
        from rich.console import Console
        from rich.live import Live

        self._title = f"case {case}, batch {batch}"
        self._note = ""
        self._live = Live(console=Console(stderr=True), refresh_per_second=8, transient=True)
        self._live.start()

    def update(self, progress: Progress) -> None:
        from rich.text import Text

        lines = [self._title, *progress_lines(progress), outcomes_line(progress)]
        lines += map(printable, progress.children)
        lines += [self._note] if self._note else []
        self._live.update(Text("\n".join(lines), overflow="ellipsis", no_wrap=True))

    def note(self, text: str) -> None:
        self._note = text

    def close(self) -> None:
        self._live.stop()


def progress_lines(p: Progress) -> list[str]:
    """Of a run that only makes renditions, these alone."""
    parts = part_lines(p)
    return parts if parts and not (p.items_found or p.done or p.walking) else [headline(p), *parts]


def headline(p: Progress) -> str:
    """The estimate before what a narrow terminal may cut off."""
    of_all = f" of {p.bytes_found / MB:,.0f}" if p.bytes_found >= p.bytes_read else ""  # less: an earlier run's find
    return (
        f"{p.done:,} of {p.items_found:,}{'+' if p.remaining else ''} documents, {_pace(p)}"
        f"{min(p.indexed, max(p.items_found, p.done)):,} searchable, {p.bytes_read / MB:,.0f}{of_all} MB read"
    )


def _pace(p: Progress) -> str:
    """Nothing once all documents are done and only their renditions are made."""
    if not p.walking and not p.remaining:
        return ""
    left = p.remaining_s
    when = "looking for files" if p.walking else f"{_span(left)} left" if left is not None else "estimating"
    return f"{p.rate:,.0f}/s, {when}, "


def part_lines(p: Progress) -> list[str]:
    """Renditions and recognition apart, each with its own estimate."""
    names = {Phase.RENDITION: "PDFs and pages", Phase.OCR: "recognition"}
    return [
        _part_line(name, p.parts[phase]) for phase, name in names.items() if p.parts[phase].done or p.parts[phase].left
    ]


def _part_line(name: str, part: PartProgress) -> str:
    counted = f"{name}: {part.done:,} of {part.done + part.left:,}"
    if not part.left:
        return counted
    left = part.remaining_s
    return f"{counted}, {part.rate:,.1f}/s, " + (f"{_span(left)} left" if left is not None else "estimating")


def outcomes_line(p: Progress) -> str:
    return ", ".join(f"{outcome} {count:,}" for outcome, count in p.outcomes.most_common()) or "nothing finished yet"


def _span(seconds: float) -> str:
    minutes, seconds = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02d} min" if hours else f"{minutes} min {seconds:02d} s" if minutes else f"{seconds} s"
