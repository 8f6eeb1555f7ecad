"""`make bench`, search: how long a query takes, how fast an index grows and how large it is, on both engines.

python -m benchmarks.search [--documents N] [--engines tantivy,opensearch]; writes its sections of
docs/search-benchmarks.md, one for each engine and size, and leaves the others. Texts are made of 20,000 words whose
frequencies fall as those of a language do, 200 words each. OpenSearch is that of the tests.
"""

import argparse
import os
import platform
import random
import statistics
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import closing
from datetime import UTC, datetime
from itertools import accumulate, islice
from pathlib import Path

from tests.support import opensearch
from tests.support.search_indexes import STEMS, opened

from redwell.core.search.query_parser import parse
from redwell.core.search.request import Search, Sort
from redwell.ports.search_index import Entry, SearchIndex

PAGE = Path(__file__).resolve().parents[1] / "docs" / "search-benchmarks.md"
WORDS, LENGTH, ROUNDS = 20_000, 200, 20
QUERIES = {
    "word": "w300",
    "rare word": "w15000",
    "phrase": '"w2 w1"',
    "prefix": "w12*",
    "wildcard": "*w1?5",
    "proximity w/5": "w200 w/5 w300",
    "proximity pre/5": "w200 pre/5 w300",
    "similar": "w1500~",
    "two words": "w20 w30",
    "not": "w20 NOT w3",
}


class Texts:
    """The same for the same number, made when they are asked for."""

    def __init__(self) -> None:
        self._words = [f"w{number}" for number in range(1, WORDS + 1)]
        self._weights = list(accumulate(1 / number for number in range(1, WORDS + 1)))

    def __call__(self, number: int) -> str:
        return " ".join(random.Random(number).choices(self._words, cum_weights=self._weights, k=LENGTH))


def entries(texts: Texts, documents: int) -> Iterator[Entry]:
    for number in range(documents):
        fields = {"control_number": f"RW{number:08d}", "size": number, "kind": "mail"}
        yield Entry(exhibit=number, digest="d", text=texts(number), fields=fields)


def filled(index: SearchIndex, texts: Texts, documents: int) -> float:
    """Documents per second; to make the texts does not count."""
    took = 0.0
    following = entries(texts, documents)
    while chunk := list(islice(following, 5_000)):
        began = time.perf_counter()
        index.replace(chunk)
        index.commit()
        took += time.perf_counter() - began
    return documents / took


def timed(index: SearchIndex, query: str) -> tuple[int, float, float]:
    """Hits, and the median and the 95th percentile in milliseconds, of twenty hits without snippets."""
    wanted, times, total = Search(query=parse(query, stems=STEMS), snippets=False), [], 0
    for _ in range(ROUNDS):
        began = time.perf_counter()
        total = index.search(wanted).total
        times.append((time.perf_counter() - began) * 1000)
    return total, statistics.median(times), statistics.quantiles(times, n=20)[-1]


def streamed(index: SearchIndex) -> tuple[int, float]:
    """Every document, page by page, as `search --all` asks for them."""
    began, seen, after = time.perf_counter(), 0, None
    while True:
        wanted = Search(query=parse("*"), sort=Sort("control_number"), limit=5_000, after=after, snippets=False)
        page = index.search(wanted)
        seen, after = seen + len(page.hits), page.after
        if after is None:
            return seen, time.perf_counter() - began


def measured(kind: str, documents: int) -> list[str]:
    texts = Texts()
    with tempfile.TemporaryDirectory() as folder, closing(opened(kind, Path(folder) / "index", texts)) as index:
        rate = filled(index, texts, documents)
        size = sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file())
        rows = [
            f"| {name} | `{query}` | {hits:,} | {p50:.1f} | {p95:.1f} |"
            for name, query in QUERIES.items()
            for hits, p50, p95 in [timed(index, query)]
        ]
        seen, took = streamed(index)
        index.forget()
    told = f"{rate:,.0f} documents a second were indexed; all {seen:,} were listed in {took:.1f} s."
    room = f" The index takes {size / 1e6:,.0f} MB." if size else ""
    head = ["| query | | hits | p50 ms | p95 ms |", "| --- | --- | ---: | ---: | ---: |"]
    return [told + room, "", *head, *rows]


def section(kind: str, documents: int) -> str:
    load, cores = os.getloadavg()[0], os.cpu_count()
    lines = measured(kind, documents)
    when = f"On {datetime.now(UTC):%Y-%m-%d}, {cores} cores, load {load:.0f} when it began. "
    return "\n".join([when + lines[0], *lines[1:]])


def page(before: str, measured_now: Mapping[str, str]) -> str:
    """What was measured takes the place of its section; the others stay, in order of size."""
    _, *old = before.split("\n## ")
    sections = {title: body.strip() for title, _, body in (each.partition("\n") for each in old)} | measured_now
    head = (
        "# What a search costs\n\n"
        f"Written by `python -m benchmarks.search`: documents of {LENGTH} words, {platform.machine()}, "
        f"Python {platform.python_version()}. Each query {ROUNDS} times, twenty hits each."
    )
    titles = sorted(
        sections, key=lambda title: (int(title.split()[0].replace(",", "")), title.split()[-1] != "tantivy")
    )
    return "\n\n".join([head, *(f"## {title}\n\n{sections[title]}" for title in titles)]) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--documents", type=int, default=100_000)
    parser.add_argument("--engines", default="tantivy,opensearch")
    args = parser.parse_args()
    made = {
        f"{args.documents:,} documents on {kind}": section(kind, args.documents) for kind in args.engines.split(",")
    }
    PAGE.write_text(page(PAGE.read_text(), made))
    opensearch.stop()
    print(PAGE.read_text())


if __name__ == "__main__":
    main()
