"""`make bench`, search: how long a query takes, how fast an index grows and how large it is, on both engines.

python -m benchmarks.search [--documents N] [--engines tantivy,opensearch]; writes docs/search-benchmarks.md. Texts are
made of 20,000 words whose frequencies fall as those of a language do, 200 words each. OpenSearch is that of the tests.
"""

import argparse
import platform
import random
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime
from itertools import accumulate
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
    while chunk := [entry for entry, _ in zip(following, range(5_000), strict=False)]:
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
    return [f"## {kind}", "", told + room, "", *head, *rows, ""]


def page(engines: Sequence[str], documents: int) -> str:
    when = datetime.now(UTC).strftime("%Y-%m-%d")
    head = [
        "# What a search costs",
        "",
        f"Written by `python -m benchmarks.search` on {when}: {documents:,} documents of {LENGTH} words, "
        f"{platform.machine()}, Python {platform.python_version()}. Each query {ROUNDS} times, twenty hits each.",
        "",
    ]
    return "\n".join([*head, *(line for kind in engines for line in measured(kind, documents))])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--documents", type=int, default=100_000)
    parser.add_argument("--engines", default="tantivy,opensearch")
    args = parser.parse_args()
    PAGE.write_text(page(args.engines.split(","), args.documents))
    opensearch.stop()
    print(PAGE.read_text())


if __name__ == "__main__":
    main()
