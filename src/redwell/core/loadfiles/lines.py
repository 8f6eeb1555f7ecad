"""Cuts text into lines, at line feeds alone: U+2028, form feeds and the like are part of values. Pure."""

from collections.abc import Iterable, Iterator

from redwell.core.errors import TooLarge

MAX_LINE_CHARS = 64 << 20


class Lines:
    """Iterates once over the lines of a text that comes in runs; afterwards says how the last one ended."""

    def __init__(self, runs: Iterable[str], end: str = "\n") -> None:
        self._runs = runs
        self._end = end
        self.unended = False  # the last line has no line break

    def __iter__(self) -> Iterator[str]:
        held: list[str] = []
        size = 0
        for run in self._runs:
            first, *others = run.split(self._end)
            held.append(first)
            size += len(first)
            if size > MAX_LINE_CHARS:
                raise TooLarge(f"a line of more than {MAX_LINE_CHARS:,} characters: this is no load file")
            if others:
                yield "".join(held)
                yield from others[:-1]
                held, size = [others[-1]], len(others[-1])
        last = "".join(held)
        if last:
            self.unended = True
            yield last
