"""How fast documents came out over time, as bars of equal length. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

STEPS_S = (1, 5, 10, 30, 60, 300, 900, 3600, 6 * 3600, 86_400, 7 * 86_400, 28 * 86_400)
MOST = 60  # bars


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    step_s: int
    start_ms: int
    bars: Sequence[int]  # documents in each step, from the first that had any to the last


def paced(points: Sequence[tuple[int, int]]) -> Pace | None:
    """Of (time in ms, documents), in any order; None where nothing has come out."""
    if not points:
        return None
    first, last = min(at for at, _ in points), max(at for at, _ in points)
    step = next((s for s in STEPS_S if (last - first) / 1000 / s < MOST), STEPS_S[-1])
    start = first // (step * 1000) * step * 1000
    bars = [0] * min(MOST * 4, (last - start) // (step * 1000) + 1)
    for at, count in points:
        place = (at - start) // (step * 1000)
        if place < len(bars):
            bars[place] += count
    return Pace(step_s=step, start_ms=start, bars=bars)
