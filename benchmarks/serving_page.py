"""What benchmarks.serving measured, as docs/serving-benchmarks.md shows it."""

import argparse
import os
import platform
import statistics
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from benchmarks.serving_browser import Felt

TABLE = ["| request | times | errors | p50 ms | p95 ms |", "| --- | ---: | ---: | ---: | ---: |"]


@dataclass
class Times:
    """Of one kind of request, in ms."""

    name: str
    took: list[float] = field(default_factory=list)
    errors: int = 0

    def row(self) -> str:
        if not self.took:
            return f"| {self.name} | 0 | {self.errors} | | |"
        p50 = statistics.median(self.took)
        p95 = statistics.quantiles(self.took, n=20)[-1] if len(self.took) > 1 else p50
        return f"| {self.name} | {len(self.took):,} | {self.errors} | {p50:,.0f} | {p95:,.0f} |"


@dataclass(frozen=True)
class Crowd:
    think: float  # s between a reader's requests, on average
    times: list[Times]
    cpu_s: float  # of the servers


def page(
    args: argparse.Namespace,
    took: float,
    firsts: list[tuple[int, float, float]],
    quiet: list[Times],
    person: Felt,
    *loud: Any,
) -> list[str]:
    when, busy = datetime.now(UTC).strftime("%Y-%m-%d"), os.getloadavg()[2]
    return [
        "# The review page and the API under load",
        "",
        f"Written by `python -m benchmarks.serving` on {when}: {args.documents:,} mails, {platform.machine()}, "
        f"{os.cpu_count()} cores, Python {platform.python_version()}, {counted_servers(args.servers)}; the machine's "
        f"load was {busy:.1f} over the last quarter of an hour, its own included.{_caution(busy)}",
        "",
        f"The case was imported in {took:,.0f} s ({args.documents / took:,.0f} mails a second).",
        "",
        "## The first page of a fresh PDF",
        "",
        "From asking for the image of a page that nobody has looked at until it has come.",
        "",
        "| pages | the first one, s | one in the middle, s |",
        "| ---: | ---: | ---: |",
        *(f"| {pages:,} | {first:.2f} | {middle:.2f} |" for pages, first, middle in firsts),
        "",
        "## What a person feels, in Chromium",
        "",
        *person.table(),
        "",
        "## One reader",
        "",
        *TABLE,
        *(each.row() for each in quiet),
        "",
        f"## {args.readers} readers at once, an import running",
        "",
        *_crowded(args, *loud),
    ]


def _crowded(args: argparse.Namespace, crowds: list[Crowd], lasted: bool) -> Iterator[str]:
    until = "ran throughout" if lasted else "was over before the end of it"
    yield f"For {args.seconds:g} s each; the import {until}."
    for each in crowds:
        asks = sum(len(times.took) for times in each.times)
        how = f"who look for {each.think:g} s on average at what they got" if each.think else "without a pause"
        rate = f"{asks / args.seconds:.0f} requests a second, {1000 * each.cpu_s / max(asks, 1):.1f} ms of CPU each"
        share = f"{each.cpu_s / args.seconds:.2f} of a core was the servers' share of the machine"
        yield from ("", f"Readers {how}: {rate}; {share}.", "", *TABLE, *(times.row() for times in each.times))
    yield ""


def counted_servers(servers: int) -> str:
    return "one server" if servers == 1 else f"{servers} servers of one home"


def _caution(busy: float) -> str:
    if busy <= 2 * (os.cpu_count() or 1):
        return ""
    return " **It had other work to do: these figures show that it works, not how fast.**"
