"""What a run has done so far, for the display; only ever counted, never decided on."""

import time
from collections import Counter, deque
from dataclasses import dataclass, field

from redwell.core.case.settled import Settled
from redwell.core.work.kinds import Phase
from redwell.core.work.transitions import OpenRows

MARKS = 60
MARK_S = 1.0  # between two of them


@dataclass(slots=True)
class Pace:
    """How much a second, over the last minute: what went fast an hour ago says nothing of what is left."""

    _marks: deque[tuple[float, int]] = field(default_factory=lambda: deque(maxlen=MARKS))

    def mark(self, done: int) -> None:
        now = time.monotonic()
        if not self._marks or now - self._marks[-1][0] >= MARK_S:
            self._marks.append((now, done))

    def rate(self, done: int) -> float:
        """0 while too little is known."""
        since, before = self._marks[0] if self._marks else (time.monotonic(), done)
        passed = time.monotonic() - since
        return (done - before) / passed if passed > 0.5 else 0.0


@dataclass(slots=True)
class PartProgress:
    """Of renditions, or of recognition: what is left is asked of the ledger now and then."""

    done: int = 0
    left: int = 0
    _pace: Pace = field(default_factory=Pace)

    def ended(self, count: int) -> None:
        self._pace.mark(self.done)
        self.done += count
        self.left = max(0, self.left - count)  # until the ledger is asked again

    @property
    def rate(self) -> float:
        """A second, since the first one or in the last minute."""
        self._pace.mark(self.done)
        return self._pace.rate(self.done)

    @property
    def remaining_s(self) -> float | None:
        return self.left / self.rate if self.rate else None


@dataclass(slots=True)
class Progress:
    """Written by the run's threads, read by the display."""

    started: float = field(default_factory=time.monotonic)
    walking: bool = True
    files_found: int = 0
    bytes_found: int = 0
    files_read: int = 0
    bytes_read: int = 0
    items_found: int = 0  # files and members
    outcomes: Counter[str] = field(default_factory=Counter)
    indexed: int = 0
    children: list[str] = field(default_factory=list)
    parts: dict[Phase, PartProgress] = field(
        default_factory=lambda: {Phase.RENDITION: PartProgress(), Phase.OCR: PartProgress()}
    )
    _pace: Pace = field(default_factory=Pace)

    def go_on_from(self, left: OpenRows) -> None:
        """What an earlier run found and did not bring to its end."""
        self.walking = left.walks > 0
        self.files_found += left.found
        self.items_found += left.found + left.waiting

    def read(self, size: int) -> None:
        self.bytes_read += size

    @property
    def done(self) -> int:
        return self.outcomes.total()

    @property
    def backlog(self) -> int:
        """Items of this run whose bytes are stored and that are not done yet."""
        return self.files_read + self.items_found - self.files_found - self.done

    @property
    def remaining(self) -> int:
        return max(0, self.items_found - self.done)

    @property
    def rate(self) -> float:
        """Documents a second, over the last minute at most."""
        self._pace.mark(self.done)
        return self._pace.rate(self.done) or self.done / max(time.monotonic() - self.started, 0.1)

    @property
    def remaining_s(self) -> float | None:
        """From this run's own rate; None while the source is still being walked."""
        rate = self.rate
        return None if self.walking or not rate else self.remaining / rate


class ProgressByBatch:
    """Of every batch that this process has to do with."""

    def __init__(self) -> None:
        self._batches: dict[int, Progress] = {}

    def of(self, batch: int) -> Progress:
        return self._batches.get(batch) or self._batches.setdefault(batch, Progress())

    def count(self, settled: Settled) -> None:
        for batch, count in Counter(settled.children).items():
            self.of(batch).items_found += count
        for (batch, outcome), count in Counter((end.batch, end.outcome) for end in settled.outcomes).items():
            self.of(batch).outcomes[outcome] += count
