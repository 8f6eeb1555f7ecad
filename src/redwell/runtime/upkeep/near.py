"""`redwell near`: finds documents whose texts are nearly the same. Called by the command line.

What was compared stays; the next run goes on with what came in since, and so does one that was killed.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

from redwell.core.case.near import LEAST, Masters, Neighbour, Texted, percent, runs
from redwell.core.search.words import words_of
from redwell.load.texts import with_texts
from redwell.runtime.bootstrap.open_case import Case

AT_ONCE = 500
_REMEMBERED = 2_000  # masters' runs of words


class NearFinder:
    def __init__(self, case: Case, sketch_of: Callable[[frozenset[str]], bytes]) -> None:
        self._case, self._sketch_of = case, sketch_of
        self._masters = Masters(case.store.masters())
        self._runs_of = lru_cache(_REMEMBERED)(self._read_runs)

    def __call__(self, on_chunk: Callable[[int], None]) -> dict[str, int]:
        """Counts of what was compared now: all of them, and those that are near to another."""
        counts, place = {"compared": 0, "near": 0}, (0, "")
        while chunk := self._case.store.unsketched(place, AT_ONCE):
            found = list(self._compare(chunk))
            self._case.store.note_near(found)
            place = chunk[-1].number, chunk[-1].control
            counts["compared"] += len(found)
            counts["near"] += sum(each.near is not None for each in found)
            on_chunk(counts["compared"])
        return counts

    def _compare(self, chunk: Sequence[Texted]) -> Iterator[Neighbour]:
        for exhibit, text in with_texts(chunk, self._case.store, self._case.blobs):
            mine = runs(list(words_of(text)))
            if not mine:
                yield Neighbour(exhibit.id, b"", None, None)
                continue
            sketch = self._sketch_of(mine)
            score, master = max(
                ((self._percent(mine, key), -key) for key in self._masters.likely(sketch)), default=(0, 0)
            )
            if score >= LEAST:
                yield Neighbour(exhibit.id, sketch, -master, score)
            else:
                self._masters.add(exhibit.id, sketch)
                yield Neighbour(exhibit.id, sketch, None, None)

    def _percent(self, mine: frozenset[str], master: int) -> int:
        return percent(mine, self._runs_of(master))

    def _read_runs(self, exhibit: int) -> frozenset[str]:
        texted = self._case.store.texted(exhibit)
        return next(
            (runs(list(words_of(text))) for _, text in with_texts(texted, self._case.store, self._case.blobs)),
            frozenset(),
        )
